import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from hitmiss.metrics import (
    false_discovery_proportion,
    false_discovery_rate,
    recovery_auc,
    recovery_curve,
)


def test_the_curve_by_hand():
    # In order: relevant, irrelevant, relevant, irrelevant.
    curve = recovery_curve([0.9, 0.1, 0.5, 0.2], relevant=[0, 3])
    np.testing.assert_allclose(curve.relevant, [0, 0.5, 0.5, 1, 1])
    np.testing.assert_allclose(curve.irrelevant, [0, 0, 0.5, 0.5, 1])
    np.testing.assert_allclose(curve.thresholds[1:], [0.9, 0.5, 0.2, 0.1])


def test_the_area_is_the_share_of_pairs_in_order():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 5, 40).astype(float)  # with ties
    relevant = rng.choice(40, 12, replace=False)
    inside = np.isin(np.arange(40), relevant)
    u = mannwhitneyu(scores[inside], scores[~inside]).statistic
    assert recovery_auc(scores, relevant) == pytest.approx(u / 12 / 28)
    curve = recovery_curve(scores, relevant)
    area = np.trapezoid(curve.relevant, curve.irrelevant)
    assert area == pytest.approx(recovery_auc(scores, inside))


def test_the_area_of_the_best_the_worst_and_no_order():
    assert recovery_auc([3, 2, 1, 0], [0, 1]) == 1
    assert recovery_auc([0, 1, 2, 3], [0, 1]) == 0
    assert recovery_auc(np.zeros(4), [0, 1]) == 0.5
    assert recovery_auc([-1, -2, -3], [0]) == 1  # negative weights rank


def test_discovery_rates_by_hand():
    assert false_discovery_rate([0, 1, 7], [0, 1], 10) == 1 / 8
    assert false_discovery_proportion([0, 1, 7], [0, 1], 10) == 1 / 3
    mask = np.isin(np.arange(10), [0, 1, 7])
    assert false_discovery_rate(mask, np.arange(10) < 2, 10) == 1 / 8
    assert false_discovery_proportion([], [0, 1], 10) == 0
    assert false_discovery_rate([], [0, 1], 10) == 0
    assert false_discovery_rate([0], [0, 1], 2) == 0  # nothing irrelevant to select


@pytest.mark.parametrize("relevant", [[], [0, 1, 2], np.zeros(3, bool)])
def test_recovery_needs_both_kinds(relevant):
    with pytest.raises(ValueError, match="one relevant and one irrelevant"):
        recovery_auc([1, 2, 3], relevant)


@pytest.mark.parametrize(
    ("features", "message"), [([3], "from 0 to 2"), ([-1], "from 0"), (np.ones(4, bool), "mask")]
)
def test_features_must_exist(features, message):
    with pytest.raises(ValueError, match=message):
        false_discovery_rate(features, [0], 3)
