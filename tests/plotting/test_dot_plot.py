import numpy as np
import pandas as pd
import pytest

from hitmiss import Markers, ReliefF
from hitmiss.plotting import marker_dots, plot_markers
from tests.plotting.looks import drawn, texts, tick_labels

X = np.array([[0.0, 5, 1], [0, 7, 1], [2, 0, 1], [4, 0, 1]])
Y = ["a", "a", "b", "b"]


def test_shares_and_means_by_hand():
    dots = marker_dots(X, Y, {"a": [1, 2], "b": [0]})
    assert dots.features.tolist() == [1, 2, 0]
    assert dots.marked.tolist() == [0, 0, 1]
    np.testing.assert_array_equal(dots.shares, [[1, 0], [0, 0], [0, 1]])
    np.testing.assert_array_equal(dots.means, [[1, 0], [0, 0], [0, 1]])


def test_a_fitted_model_and_names_say_the_same():
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model = Markers(ReliefF(n_neighbors=1), n_features_per_class=1).fit(frame, Y)
    by_model, by_name = (
        marker_dots(frame, Y, model),
        marker_dots(frame, Y, {"a": ["q"], "b": ["p"]}),
    )
    np.testing.assert_array_equal(by_model.features, by_name.features)
    ax = drawn(plot_markers(frame, Y, model))
    assert tick_labels(ax.yaxis) == ["q", "p"]
    assert tick_labels(ax.xaxis) == ["a", "b"]


def test_dots_grow_with_the_share():
    ax = drawn(plot_markers(X, Y, {"a": [1], "b": [0]}))
    assert ax.collections[0].get_sizes().tolist() == [130, 0, 0, 130]


def test_no_marker_is_said():
    assert texts(drawn(plot_markers(X, Y, {}))) == ["No class has a marker."]


def test_an_unknown_name_is_named():
    with pytest.raises(ValueError, match="There is no feature 'z'"):
        marker_dots(pd.DataFrame(X, columns=["p", "q", "r"]), Y, {"a": ["z"]})


def test_a_feature_constant_but_for_rounding_is_nowhere_high():
    dots = marker_dots(np.array([[0.3], [0.3], [0.1 + 0.2], [0.3]]), Y, {"a": [0]})
    assert not dots.shares.any()
    assert not dots.means.any()


def test_missing_values_do_not_count():
    x = np.array([[1.0], [np.nan], [2.0], [4.0]])
    dots = marker_dots(x, Y, {"a": [0]})
    assert dots.shares.tolist() == [[0, 0.5]]
    assert dots.means.tolist() == [[0, 1]]
