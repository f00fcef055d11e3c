import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from hitmiss.plotting import heat_blocks, plot_heatmap
from tests.plotting.looks import drawn, texts, tick_labels

X = np.random.default_rng(0).normal(size=(12, 6))
Y = np.array(["b", "a", "c"] * 4)


def test_rows_are_standardized_and_samples_come_class_by_class():
    blocks = heat_blocks(X, Y, [4, 0])
    np.testing.assert_allclose(blocks.values.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(blocks.values.std(axis=1), 1)
    assert Y[blocks.samples].tolist() == ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    assert blocks.classes.tolist() == ["a", "b", "c"]
    assert blocks.edges.tolist() == [0, 4, 8, 12]
    expected = (X[:, 4] - X[:, 4].mean()) / X[:, 4].std()
    np.testing.assert_allclose(blocks.values[0], expected[blocks.samples])


def test_a_constant_feature_is_zero():
    assert not heat_blocks(np.full((4, 1), 7.0), [0, 0, 1, 1], [0]).values.any()


def test_frames_and_sparse_matrices_are_read_like_arrays():
    expected = heat_blocks(X, Y, [4, 0]).values
    frame = pd.DataFrame(X, columns=list("abcdef"))
    np.testing.assert_array_equal(heat_blocks(frame, Y, [4, 0]).values, expected)
    sparse = scipy.sparse.csr_array(X)
    np.testing.assert_array_equal(heat_blocks(sparse, Y, [4, 0]).values, expected)


def test_names_of_features_classes_and_samples():
    ax = drawn(
        plot_heatmap(X, Y, [4, 0], names=list("pqrstu"), sample_names=[f"s{n}" for n in range(12)])
    )
    assert tick_labels(ax.yaxis) == ["t", "p"]
    assert tick_labels(ax.xaxis)[:5] == ["s1", "s4", "s7", "s10", "s0"]
    assert tick_labels(ax.child_axes[0].xaxis) == ["a", "b", "c"]


def test_one_feature_and_many_samples():
    ax = drawn(plot_heatmap(np.tile(X, (10, 1)), np.tile(Y, 10), [0], sample_names=range(120)))
    assert tick_labels(ax.xaxis) == []
    assert ax.get_xlabel() == "120 samples"


def test_no_feature_is_said():
    assert texts(drawn(plot_heatmap(X, Y, []))) == ["No feature is selected."]


def test_names_of_small_classes_stay_apart():
    y = np.repeat(["common", "rare one", "rare two", "single"], [92, 4, 3, 1])
    ax = drawn(plot_heatmap(np.random.default_rng(0).normal(size=(100, 3)), y, [0, 1]))
    names = ax.child_axes[0].xaxis.get_ticklabels()
    assert [name.get_text() for name in names] == ["common", "rare one", "rare two", "single"]
    places = ax.child_axes[0].get_xticks() * ax.get_window_extent().width / 100
    assert (np.diff(places) >= names[0].get_fontsize() * ax.figure.dpi / 72).all()


@pytest.mark.parametrize("features", [["alcohol"], [0.5]])
def test_what_is_no_position_is_refused_in_a_sentence(features):
    with pytest.raises(TypeError, match=r"positions of columns, such as ranking_\[:20\].*; got "):
        plot_heatmap(X, Y, features)


def test_a_feature_constant_but_for_rounding_is_zero():
    x = np.array([0.1 + 0.2, 0.3, 0.1 + 0.2, np.nan])
    assert not heat_blocks(x[:, None], [0, 0, 1, 1], [0]).values.any()
