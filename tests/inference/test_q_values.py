import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss.inference.permutation import PooledNull
from hitmiss.inference.q_values import (
    attributed,
    benjamini_hochberg,
    e_benjamini_hochberg,
)

VALUES = st.integers(-3, 6).map(float)  # few different ones, so that there are ties


def pooled(observed, permuted, whole=10.0, wholes=None):
    null = PooledNull(observed, whole)
    for values, other in zip(permuted, wholes or [0.0] * len(permuted), strict=True):
        null.add(values, other)
    return null


def by_definition(observed, permuted):
    """The formula, threshold by threshold."""
    B = len(permuted)
    estimate = {
        t: min((1 + np.sum(np.array(permuted) >= t)) / (B + 1) / np.sum(observed >= t), 1.0)
        for t in observed
        if t > 0
    }
    q = [min((estimate[t] for t in estimate if t <= own), default=1.0) for own in observed]
    return np.maximum(q, 1 / (B + 1))


def test_q_values_by_hand():
    null = pooled(np.array([4.0, 3.0, 1.0]), [np.array([2.0, 0.0, 1.0]), np.array([0.0, 0.0, 3.0])])
    # at 4: (1 + 0) / 3 / 1; at 3: (1 + 1) / 3 / 2; at 1: (1 + 3) / 3 / 3
    np.testing.assert_allclose(null.q_values(), [1 / 3, 1 / 3, 4 / 9])
    np.testing.assert_allclose(null.p_values(), [1 / 3, 2 / 3, 1.0])
    assert null.p_value == 1 / 3


@given(
    arrays(float, st.integers(1, 8), elements=VALUES).flatmap(
        lambda t: st.tuples(
            st.just(t), st.lists(arrays(float, len(t), elements=VALUES), min_size=1, max_size=5)
        )
    )
)
def test_q_values_against_the_definition(both):
    observed, permuted = both
    found = pooled(observed, permuted).q_values()
    np.testing.assert_allclose(found, by_definition(observed, permuted))
    order = np.argsort(-observed, kind="stable")
    assert (np.diff(found[order]) >= 0).all()  # a larger statistic is never worse


def test_order_of_features_does_not_matter():
    rng = np.random.default_rng(0)
    observed, permuted, order = rng.normal(size=30), rng.normal(size=(7, 30)), rng.permutation(30)
    one = pooled(observed, permuted).q_values()
    two = pooled(observed[order], permuted[:, order]).q_values()
    np.testing.assert_array_equal(one[order], two)


def test_no_q_value_is_below_the_p_value_of_the_whole():
    permuted = [np.zeros(3)] * 4
    null = pooled(np.array([5.0, 0.0, 0.0]), permuted, whole=1.0, wholes=[2.0, 2.0, 0.0, 0.0])
    assert null.p_value == 3 / 5
    assert null.q_values().tolist() == [3 / 5, 1.0, 1.0]


def test_if_nothing_is_there_any_discovery_is_rare():
    """The bound that holds whatever the dependence: here all features are copies of one."""
    rng, found = np.random.default_rng(0), []
    for _ in range(2000):
        draws = np.abs(rng.normal(size=20))
        null = pooled(
            np.full(50, draws[0]), [np.full(50, d) for d in draws[1:]], draws[0], [*draws[1:]]
        )
        found.append(null.q_values().min())
    for level in (0.05, 0.1, 0.2):
        share = np.mean(np.array(found) <= level)
        assert share <= level + 3 * np.sqrt(level * (1 - level) / 2000)


@pytest.mark.parametrize("p", [[0.01, 0.02, 0.5], [0.5], [1.0, 1.0], [0.04, 0.01, 0.03, 0.02]])
def test_benjamini_hochberg_against_scipy(p):
    from scipy.stats import false_discovery_control

    np.testing.assert_allclose(benjamini_hochberg(np.array(p)), false_discovery_control(p))


def test_e_values_by_hand():
    # rank 1: 4 / 40, rank 2: 4 / (2 * 40), rank 3: 4 / (3 * 2)
    found = e_benjamini_hochberg(np.array([40.0, 2.0, 40.0, 0.0]))
    np.testing.assert_allclose(found, [0.05, 4 / 6, 0.05, 1.0])


def test_attributed_are_at_least_as_good_in_both_respects():
    q = np.array([0.05, 0.05, 0.05, 0.2, 1.0])
    found = attributed(q, np.array([1.0, 0.8, 0.8, 0.9, 1.0]))
    np.testing.assert_allclose(found, [0.05, 0.4 / 3, 0.4 / 3, 0.2, 1.0])
    np.testing.assert_array_equal(attributed(q, np.ones(5)), q)
    np.testing.assert_array_equal(attributed(q, np.zeros(5)), np.ones(5))


def test_the_mean_of_all_attributed_up_to_a_level_is_at_most_the_level():
    """Each with the first alone has a mean of at most 0.1, but all four have 0.57 / 4."""
    q_values = np.array([0.01, 0.02, 0.03, 0.04, 1.0])
    attribution = np.array([1.0, 0.8, 0.81, 0.82, 0.0])
    found = attributed(q_values, attribution)
    np.testing.assert_allclose(found, [0.01, 0.57 / 4, 0.37 / 3, 0.18 / 2, 1])
    rng = np.random.default_rng(0)
    for _ in range(50):
        q_values = rng.choice([0.05, 0.1, 0.15, 0.2, 1.0], 12)
        attribution = np.where(q_values < 1, rng.uniform(size=12) ** 0.2, 0.0)
        found = attributed(q_values, attribution)
        assert (found >= q_values).all()
        for level in (0.05, 0.1, 0.2, 0.3):
            chosen = found <= level
            assert not chosen.any() or np.mean(1 - attribution[chosen]) <= level + 1e-12


@pytest.mark.parametrize("toward", [0.0, 9.0])
def test_permuted_labels_reach_the_true_ones_up_to_rounding(toward):
    observed = np.array([0.3, 0.2, 0.2, 1e-17])  # the last one is zero but for rounding
    null = PooledNull(np.nextafter(observed, toward), np.nextafter(0.3, toward))
    for values in ([0.3, 0.0, 0.0, 0.0], [0.0, 0.2, 0.1, 0.0]):
        null.add(np.array(values), max(values))
    assert null.p_value == 2 / 3
    assert null.p_values().tolist() == [2 / 3, 1.0, 1.0, 1.0]
    assert null.q_values(0.0).tolist() == [1 / 3, 1 / 3, 1 / 3, 1.0]
