import numpy as np
import pytest

from hitmiss.data.scaling import UNSCALED, Scaling, half_range, range_factor


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_by_range_against_numpy(dtype):
    X = np.random.default_rng(0).standard_normal((9, 5)).astype(dtype)
    scaling = Scaling.by_range(X.min(axis=0), X.max(axis=0))
    scaled = (X - scaling.center) * scaling.factor
    expected = (X - X.min(axis=0)) / np.ptp(X, axis=0) - 0.5
    np.testing.assert_allclose(scaled, expected, atol=8 * np.finfo(dtype).eps)
    assert scaling.factor.dtype == dtype


def test_a_constant_feature_has_the_factor_zero():
    scaling = Scaling.by_range(np.array([5.0, 0.0]), np.array([5.0, 2.0]))
    assert scaling.factor.tolist() == [0, 0.5]
    assert scaling.center.tolist() == [5, 1]


def test_a_range_that_overflows_has_a_finite_half():
    lowest, highest = np.array([-1.5e308]), np.array([1.5e308])
    np.testing.assert_array_equal(half_range(lowest, highest), 1.5e308)
    np.testing.assert_allclose(range_factor(lowest, highest), 1 / 3e300 / 1e8)
    np.testing.assert_array_equal(Scaling.by_range(lowest, highest).center, 0)


def test_a_range_whose_inverse_overflows_counts_as_constant():
    assert range_factor(np.array([0.0]), np.array([1e-310])).tolist() == [0]


def test_centered_shifts_and_does_not_scale():
    scaling = Scaling.centered(np.array([1.0, -4.0]), np.array([3.0, 0.0]))
    assert scaling.center.tolist() == [2, -2]
    assert scaling.factor is None


def test_the_scaling_of_some_features():
    scaling = Scaling(np.arange(4.0), np.arange(4.0) * 10)
    assert scaling.at(slice(1, 3)).center.tolist() == [1, 2]
    assert scaling.at(np.array([3, 0])).factor.tolist() == [30, 0]
    assert UNSCALED.at(slice(0, 2)) == UNSCALED
