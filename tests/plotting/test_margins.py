import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, datasets
from hitmiss.losses import Logistic
from hitmiss.plotting import plot_margins, sample_margins
from hitmiss.plotting.margins import margin_bins
from tests.plotting.looks import drawn, legend_labels, texts


def test_four_points():
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    margins = sample_margins(X, ["a", "a", "b", "b"], [2.0], sigma=1e-3)
    np.testing.assert_allclose(margins, np.array([2, 1, 1, 2]) * 2 / 4)


def test_margins_are_those_of_the_objective():
    X, y = datasets.make_spiral(n_irrelevant=50, random_state=0, return_X_y=True)
    lofe = LOFE(alpha=1.0).fit(X, y)
    margins = sample_margins(X, y, lofe.weights_)
    objective = Logistic().value(margins).sum() + lofe.weights_.sum()
    np.testing.assert_allclose(objective, lofe.objective_, rtol=1e-6)


def test_a_data_frame_is_read_like_an_array():
    X, y = datasets.make_clusters(30, random_state=0, return_X_y=True)
    frame = pd.DataFrame(X, columns=["a", "b"])
    np.testing.assert_array_equal(sample_margins(frame, y, [1, 1]), sample_margins(X, y, [1, 1]))


def test_a_sample_alone_in_its_class_has_no_margin():
    margins = sample_margins([[0.0], [1.0], [5.0]], [0, 0, 1], [1.0])
    assert np.isnan(margins).tolist() == [False, False, True]
    assert legend_labels(drawn(plot_margins(margins, [0, 0, 1]))) == ["0 (0% negative)"]


def test_all_zero_weights_have_no_margin():
    margins = sample_margins(np.eye(4), [0, 0, 1, 1], np.zeros(4))
    assert margins.tolist() == [0, 0, 0, 0]
    drawn(plot_margins(margins, [0, 0, 1, 1]))


def test_every_class_has_its_histogram():
    ax = drawn(plot_margins([-1.0, 1.0, 2.0, 3.0], ["a", "a", "_b", "_b"]))
    assert legend_labels(ax) == [" _b (0% negative)", "a (50% negative)"]
    assert ax.get_ylabel() == "samples"


def test_weights_that_do_not_fit_are_an_error():
    with pytest.raises(ValueError, match=r"3 weights do not fit X of shape \(2, 2\)"):
        sample_margins(np.eye(2), [0, 1], [1, 1, 1])


def test_margins_equal_but_for_rounding_are_in_one_bin():
    """`numpy.histogram_bin_edges` finds too many bins for such a range."""
    margins = np.array([np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 0.5])
    bins = margin_bins(margins, np.array([0, 0, 1, 1]), 2, 30)
    np.testing.assert_allclose(bins.edges, [0.25, 0.75])
    assert bins.counts.tolist() == [[2], [2]]
    assert legend_labels(drawn(plot_margins(margins, ["a", "a", "b", "b"]))) == [
        "a (0% negative)",
        "b (0% negative)",
    ]


def test_a_margin_that_cancels_but_for_rounding_is_zero():
    """The first is 0.1 + 0.2 from its hit and 0.3 from its miss, and so not closer to the miss."""
    X = [[0.0, 0.0, 0.0], [0.1, 0.2, 0.0], [0.0, 0.0, 0.3], [9.0, 9.0, 9.0]]
    margins = sample_margins(X, [0, 0, 1, 1], np.ones(3), sigma=1e-3, scale=None)
    assert margins[0] == 0


def test_margins_that_are_zero_but_for_rounding_are_not_negative():
    ax = drawn(plot_margins([-1e-17, 1.0, -1e-17, -1.0], ["a", "a", "b", "b"]))
    assert legend_labels(ax) == ["a (0% negative)", "b (50% negative)"]


def test_a_range_too_small_to_divide_by_is_none_as_in_the_fit():
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    assert not sample_margins(1e-310 * X, [0, 0, 1, 1], [1.0]).any()


def test_few_margins_far_from_many_do_not_ask_for_many_bins():
    margins = np.append(np.linspace(0, 1e-8, 5_000), 1.0)
    bins = margin_bins(margins, np.zeros(5_001, int), 1, 100)
    assert bins.counts.shape == (1, 71)
    assert bins.counts.sum() == 5_001


def test_no_margin_at_all_is_said():
    assert texts(drawn(plot_margins([np.nan, np.nan], [0, 1]))) == ["No sample has a margin."]
