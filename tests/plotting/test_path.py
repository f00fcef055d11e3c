import numpy as np
import pytest

from hitmiss.plotting import path_lines, plot_path
from tests.plotting.looks import drawn, legend_labels, texts

ALPHAS = [10.0, 0.1, 1.0]
WEIGHTS = [[0, 0, 0, 0], [1, 0, 3, 2], [0, 0, 4, 1]]


def test_alphas_ascend_and_the_largest_are_named():
    path = path_lines(ALPHAS, WEIGHTS, n_named=2)
    assert path.alphas.tolist() == [0.1, 1.0, 10.0]
    assert path.weights[:, 2].tolist() == [3, 4, 0]
    assert path.named.tolist() == [2, 3]
    assert path.others.tolist() == [0]


def test_drawing_names_the_largest():
    ax = drawn(plot_path(ALPHAS, WEIGHTS, names=["a", "b", "c", "d"], n_named=2))
    assert legend_labels(ax) == ["c", "d"]
    assert ax.get_xscale() == "log"
    assert len(ax.lines) == 3


def test_all_zero_weights_are_said_to_be_zero():
    assert texts(drawn(plot_path([1, 2], np.zeros((2, 3))))) == ["All weights are zero."]


def test_many_features_draw_few_lines():
    weights = np.random.default_rng(0).exponential(size=(3, 25_000))
    assert len(drawn(plot_path(ALPHAS, weights)).lines) == 508


def test_weights_of_another_shape_are_an_error():
    with pytest.raises(ValueError, match=r"a row for each of the 3 alphas; got shape \(2, 4\)"):
        path_lines(ALPHAS, WEIGHTS[:2])
