import numpy as np
import pytest
from sksurv.metrics import concordance_index_censored

from hitmiss._util import concordance as module
from hitmiss._util.concordance import concordance


def test_four_samples_by_hand():
    """The censored one is comparable with the first event only; one of four pairs is wrong."""
    time, event = np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, True])
    assert concordance(time, event, np.array([4.0, 3.0, 1.0, 2.0])) == 3 / 4
    assert concordance(time, event, np.zeros(4)) == 1 / 2
    assert np.isnan(concordance(time, np.zeros(4, bool), time))


@pytest.mark.parametrize("together", [40, 1 << 22])
def test_as_scikit_survival_has_it(together, monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", together)
    rng = np.random.default_rng(0)
    time, event = rng.integers(1, 9, 40).astype(float), rng.random(40) < 0.6
    risk = rng.integers(0, 5, 40).astype(float)
    expected = concordance_index_censored(event, time, risk)[0]
    assert concordance(time, event, risk) == pytest.approx(expected, abs=1e-12)


def test_risks_that_differ_by_rounding_are_equal():
    time, event = np.array([1.0, 2.0]), np.array([True, True])
    for toward in (0.0, 1.0):
        assert concordance(time, event, np.array([0.3, np.nextafter(0.3, toward)])) == 0.5
