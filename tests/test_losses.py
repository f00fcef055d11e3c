import numpy as np
import pytest

from hitmiss.losses import Logistic

MARGINS = np.linspace(-6, 6, 25)


def central_difference(function, x, h=1e-5):
    return (function(x + h) - function(x - h)) / (2 * h)


def test_logistic_by_hand():
    loss, m = Logistic(), np.log([1.0, 3.0, 1 / 3])
    np.testing.assert_allclose(loss.value(m), np.log([2, 4 / 3, 4]))
    np.testing.assert_allclose(loss.derivative(m), [-1 / 2, -1 / 4, -3 / 4])
    np.testing.assert_allclose(loss.curvature(m), [1 / 4, 3 / 16, 3 / 16])


@pytest.mark.parametrize(("lower", "upper"), [("value", "derivative"), ("derivative", "curvature")])
def test_derivatives_against_finite_differences(lower, upper):
    loss = Logistic()
    numeric = central_difference(getattr(loss, lower), MARGINS)
    np.testing.assert_allclose(getattr(loss, upper)(MARGINS), numeric, rtol=1e-6, atol=1e-10)


def test_extreme_margins_neither_overflow_nor_lose_precision():
    loss, m = Logistic(), np.array([-1e300, -800.0, 800.0, 1e300])
    np.testing.assert_array_equal(loss.value(m), [1e300, 800, 0, 0])
    np.testing.assert_array_equal(loss.derivative(m), [-1, -1, 0, 0])
    np.testing.assert_array_equal(loss.curvature(m), np.zeros(4))
    tiny = np.exp(-50)
    np.testing.assert_allclose(loss.value(np.array([50.0])), tiny, rtol=1e-12)
    np.testing.assert_allclose(loss.derivative(np.array([50.0])), -tiny, rtol=1e-12)
    np.testing.assert_allclose(loss.curvature(np.array([50.0, -50.0])), tiny, rtol=1e-12)


def test_values_are_convex_and_decreasing():
    value = Logistic().value(MARGINS)
    assert np.all(np.diff(value) < 0)
    assert np.all(np.diff(value, 2) > 0)
    assert np.all(Logistic().curvature(MARGINS) <= 0.25)
