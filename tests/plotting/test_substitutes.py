import numpy as np

from hitmiss.metrics import Substitutes
from hitmiss.plotting import plot_substitutes, substitute_bars
from tests.plotting.looks import drawn, tick_labels

FOUND = Substitutes(
    features=np.array([4, 1]),
    names=np.array(["a", "b"]),
    without=np.array([9.0, 0.5]),
    candidates=[np.array([7, 2]), np.array([], int)],
    candidate_names=[np.array(["c", "d"]), np.array([], str)],
    rises=[np.array([1.0, 3.0]), np.array([])],
    objective=20.0,
)


def test_every_feature_is_followed_by_its_best_substitutes():
    assert substitute_bars(FOUND) == [(4, None, 9.0), (4, 7, 1.0), (4, 2, 3.0), (1, None, 0.5)]
    assert substitute_bars(FOUND, 1, 1) == [(4, None, 9.0), (4, 7, 1.0)]


def test_bars_say_in_words_what_is_exchanged():
    ax = drawn(plot_substitutes(FOUND))
    assert tick_labels(ax.yaxis) == ["without a", "with c instead", "with d instead", "without b"]
    assert [bar.get_width() for bar in ax.patches] == [9.0, 1.0, 3.0, 0.5]
    grey, blue, _, again = (bar.get_facecolor() for bar in ax.patches)
    assert grey == again != blue


def test_a_rise_of_rounding_is_none():
    found = FOUND._replace(rises=[np.array([-1e-15, 1e-15]), np.array([])])
    assert [bar.rise for bar in substitute_bars(found)] == [9.0, 0.0, 0.0, 0.5]
