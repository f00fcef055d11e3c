import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, datasets
from hitmiss.losses import Logistic
from hitmiss.plotting import plot_margins, sample_margins
from tests.plotting.looks import drawn, legend_labels


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
