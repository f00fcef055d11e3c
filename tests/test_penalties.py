import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.penalties import L1, L2

GRID = np.linspace(-5, 5, 10_001)
each_sign = pytest.mark.parametrize("positive", [True, False])


def one_sided_slopes(penalty, w, h=1e-6):
    """Slopes of the penalty to the left and to the right; infinite beyond the bound."""
    value = penalty.value(np.array([w]))
    right = (penalty.value(np.array([w + h])) - value) / h
    if w - h < penalty.lower:
        return -np.inf, right
    return (value - penalty.value(np.array([w - h]))) / h, right


def test_l1_by_hand():
    w = np.array([2.0, -0.5, 0.0, 0.3])
    assert L1(2.0).value(np.abs(w)) == pytest.approx(5.6)
    assert L1(2.0).value(w) == pytest.approx(5.6)
    np.testing.assert_allclose(L1(2.0).prox(w, 0.2), [1.6, 0, 0, 0])
    np.testing.assert_allclose(L1(2.0, positive=False).prox(w, 0.2), [1.6, -0.1, 0, 0])
    assert L1(2.0).lower == 0
    assert L1(2.0, positive=False).lower == -np.inf


@each_sign
@given(w=st.floats(-4, 4), step=st.floats(0, 3), alpha=st.floats(0.01, 3))
def test_l1_prox_against_brute_force(positive, w, step, alpha):
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


def test_l2_by_hand():
    w = np.array([2.0, -1.0, 0.0])
    assert L2(0.5).value(w) == 2.5
    np.testing.assert_allclose(L2(0.5).gradient(w), [2, -1, 0])
    np.testing.assert_allclose(L2(0.5).prox(w, 1.0), [1, -0.5, 0])
    np.testing.assert_allclose(L2(0.5, positive=True).prox(w, 1.0), [1, 0, 0])
    assert L2(0.5).times(3).value(w) == 7.5
    np.testing.assert_allclose(L1(0.5).gradient(w), [0.5, -0.5, 0])


@each_sign
@given(w=st.floats(-4, 4), step=st.floats(0, 3), alpha=st.floats(0.01, 3))
def test_l2_prox_against_brute_force(positive, w, step, alpha):
    penalty = L2(alpha, positive=positive)
    grid = np.linspace(0 if positive else -5, 5, 5001)
    (u,) = penalty.prox(np.array([w]), step)
    costs = (grid - w) ** 2 / 2 + step * alpha * grid**2
    assert (u - w) ** 2 / 2 + step * alpha * u**2 <= costs.min() + 1e-12
    assert u == pytest.approx(grid[costs.argmin()], abs=2.1e-3)


@each_sign
@pytest.mark.parametrize("kind", [L1, L2])
def test_no_violation_where_the_proximal_step_stands_still(kind, positive):
    penalty, point = kind(0.5, positive=positive), np.random.default_rng(0).standard_normal(50)
    w = penalty.prox(point, 1.0)  # minimizes |u - point|^2 / 2 + penalty
    np.testing.assert_allclose(penalty.violation(w, w - point), 0, atol=1e-12)
    assert (penalty.violation(w, w - point - 0.3) > 0.2).any()


@pytest.mark.parametrize("kind", [L1, L2])
def test_gradient_against_differences(kind):
    penalty, w, h = kind(0.7, positive=False), np.array([2.0, -0.5, 0.3]), 1e-6
    differences = [
        (penalty.value(w + h * e) - penalty.value(w - h * e)) / (2 * h) for e in np.eye(3)
    ]
    np.testing.assert_allclose(penalty.gradient(w), differences, rtol=1e-7)
