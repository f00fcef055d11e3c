import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.penalties import L1

GRID = np.linspace(-5, 5, 10_001)
each_sign = pytest.mark.parametrize("positive", [True, False])


def one_sided_slopes(penalty, w, h=1e-6):
    """Slopes of the penalty to the left and to the right; infinite beyond the bound."""
    value = penalty.value(np.array([w]))
    right = (penalty.value(np.array([w + h])) - value) / h
    if w - h < penalty.lower:
        return -np.inf, right
    return (value - penalty.value(np.array([w - h]))) / h, right


def test_by_hand():
    w = np.array([2.0, -0.5, 0.0, 0.3])
    assert L1(2.0).value(np.abs(w)) == pytest.approx(5.6)
    assert L1(2.0).value(w) == pytest.approx(5.6)
    np.testing.assert_allclose(L1(2.0).prox(w, 0.2), [1.6, 0, 0, 0])
    np.testing.assert_allclose(L1(2.0, positive=False).prox(w, 0.2), [1.6, -0.1, 0, 0])
    assert L1(2.0).lower == 0
    assert L1(2.0, positive=False).lower == -np.inf


@each_sign
@given(w=st.floats(-4, 4), step=st.floats(0, 3), alpha=st.floats(0.01, 3))
def test_prox_against_brute_force(positive, w, step, alpha):
    penalty = L1(alpha, positive=positive)
    (u,) = penalty.prox(np.array([w]), step)
    allowed = GRID[penalty.lower <= GRID]
    costs = (allowed - w) ** 2 / 2 + step * alpha * np.abs(allowed)
    assert u >= penalty.lower
    assert (u - w) ** 2 / 2 + step * alpha * abs(u) <= costs.min() + 1e-12
    assert u == pytest.approx(allowed[costs.argmin()], abs=1.1e-3)


@pytest.mark.parametrize(
    ("w", "positive"), [(0.0, True), (0.7, True), (0.0, False), (0.7, False), (-0.7, False)]
)
@pytest.mark.parametrize("gradient", [-3.0, -1.5, -0.4, 0.0, 0.4, 1.5, 3.0])
def test_violation_is_the_distance_to_the_slopes(w, positive, gradient):
    penalty = L1(1.5, positive=positive)
    left, right = one_sided_slopes(penalty, w)
    expected = max(left + gradient, -gradient - right, 0.0)
    found = penalty.violation(np.array([w]), np.array([gradient]))
    np.testing.assert_allclose(found, [expected], atol=1e-8)


@each_sign
def test_violation_vanishes_where_the_proximal_step_stands_still(positive):
    rng = np.random.default_rng(0)
    penalty, point = L1(0.5, positive=positive), rng.standard_normal(50)
    w = penalty.prox(point, 1.0)  # minimizes |u - point|² / 2 + penalty
    assert 0 < np.count_nonzero(w) < 50
    np.testing.assert_allclose(penalty.violation(w, w - point), 0, atol=1e-15)
    assert penalty.violation(w, w - point - 0.1).max() == pytest.approx(0.1)
