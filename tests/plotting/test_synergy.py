import numpy as np

from hitmiss.metrics import Synergy
from hitmiss.plotting import plot_synergy, synergy_cells
from tests.plotting.looks import drawn, texts, tick_labels

MATRIX = np.array([[12.0, -4.0, 2.0], [-4.0, 3.0, 0.01], [2.0, 0.01, 0.0]])
FOUND = Synergy(np.array([5, 0, 2]), np.array(["a", "$b", "c"]), MATRIX, 100.0)


def test_colors_are_relative_to_the_largest_synergy_and_the_diagonal_has_none():
    features, colors, _ = synergy_cells(FOUND)
    assert features.tolist() == [5, 0, 2]
    np.testing.assert_allclose(colors[0, 1:], [-1.0, 0.5])
    assert np.isnan(np.diag(colors)).all()


def test_only_synergies_have_a_sign():
    assert synergy_cells(FOUND).texts == [
        ["12", "-4.0", "+2.0"],
        ["-4.0", "3.0", "0"],
        ["+2.0", "0", "0"],
    ]


def test_one_feature_has_no_synergy():
    assert synergy_cells(FOUND, 1).texts == [["12"]]


def test_every_cell_says_its_number_and_the_title_what_colors_mean():
    ax = drawn(plot_synergy(FOUND, n_features=2))
    assert texts(ax) == ["12", "-4.0", "-4.0", "3.0"]
    assert tick_labels(ax.yaxis) == tick_labels(ax.xaxis) == ["a", r"\$b"]
    assert "below 0: redundant" in ax.get_title()


def test_synergies_of_rounding_have_no_color():
    matrix = np.array([[12.0, 1e-15], [-1e-15, 3.0]])
    colors = synergy_cells(FOUND._replace(matrix=matrix)).colors
    assert colors[0, 1] == colors[1, 0] == 0
