from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss import ReliefF, datasets
from hitmiss.metrics import SelectionStability, stability_report
from hitmiss.plotting import most_selected, plot_stability
from tests.plotting.looks import drawn, texts, tick_labels


@given(arrays(float, st.integers(1, 30), elements=st.floats(0, 1)))
def test_most_selected_descend_and_were_selected(frequency):
    features, shares = most_selected(frequency, 10)
    assert (np.diff(shares) <= 0).all()
    assert (shares > 0).all()
    np.testing.assert_array_equal(frequency[features], shares)
    assert len(features) == min(10, (frequency > 0).sum())


def test_bars_of_a_report():
    X, y = datasets.make_twonorm(40, n_irrelevant=5, random_state=0, return_X_y=True)
    report = stability_report(ReliefF(), X, y, 3, n_features=4, random_state=0, verbose=False)
    names = [f"gene {j}" for j in range(25)]
    ax = drawn(plot_stability(report, names=names, n_features=3))
    top = most_selected(report.supports.mean(axis=0)).features[:3]
    assert tick_labels(ax.yaxis) == [names[j] for j in top]
    assert ax.get_title().startswith(f"stability {report.nogueira.stability:.2f} (95 %: ")


def test_nothing_selected_is_said():
    X, y = datasets.make_twonorm(40, random_state=0, return_X_y=True)
    report = stability_report(ReliefF(), X, y, 2, n_features=4, random_state=0, verbose=False)
    empty = report._replace(supports=np.zeros((2, 20), bool))
    assert texts(drawn(plot_stability(empty))) == ["No feature was ever selected."]


def test_a_stability_that_is_not_defined_is_no_number():
    unknown = SelectionStability(*[np.nan] * 4)
    report = SimpleNamespace(supports=np.ones((2, 3)), nogueira=unknown)
    assert drawn(plot_stability(report)).get_title() == "stability not defined"
