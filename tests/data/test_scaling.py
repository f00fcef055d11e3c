import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss import LOFE, ReliefF
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import (
    UNSCALED,
    Scaling,
    column_scaling,
    extremes_of,
    half_range,
    mean_differences,
    nominal_scaling,
    range_factor,
)


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


numbers = st.floats(-1e300, 1e300, allow_subnormal=False)


@given(arrays(float, (7, 3), elements=st.one_of(numbers, st.just(np.nan))))
def test_of_any_numbers(X):
    found = extremes_of(X)
    for j, x in enumerate(X.T):
        seen = x[~np.isnan(x)]
        assert found.n_missing[j] == 7 - len(seen)
        assert (found.lowest[j], found.highest[j]) == (
            (seen.min(), seen.max()) if len(seen) else (0, 0)
        )
        if len(seen) < 7:
            half = seen / 2
            pairs = np.abs(half[:, None] - half)[np.triu_indices(len(seen), 1)]
            scale = np.ptp(half) if len(seen) > 1 else 0.0
            expected = pairs.mean() / scale if scale > 1e-290 else found.mean_difference[j]
            assert found.mean_difference[j] == pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert 0 <= found.mean_difference[j] <= 1
        else:
            assert np.isnan(found.mean_difference[j])


def test_whole_numbers_are_never_missing():
    found = extremes_of(np.array([[1, 5], [3, 2]]))
    assert found.n_missing.tolist() == [0, 0]
    assert found.highest.tolist() == [3, 5]


def test_infinity_is_found_beside_a_gap():
    found = extremes_of(np.array([[np.nan], [np.inf], [1.0]], np.float32))
    assert np.isinf(found.highest[0])


def test_mean_differences_by_hand():
    X = np.array([[0.0, 2.0, np.nan], [1.0, 2.0, 5.0], [4.0, 2.0, np.nan], [np.nan, 2.0, np.nan]])
    np.testing.assert_allclose(mean_differences(X), [8 / 3, 0, 0])


CODES = np.array([[0.0, 7.0, 1.5], [1.0, 5.0, 2.5], [0.0, 9.0, 2.0], [1.0, 7.0, 2.0]])


def opened(X, index, *, by_range=True):
    features, found = InMemory(X, Workers(1)), extremes_of(X)
    scaling = column_scaling(found, by_range=by_range)
    return features.scaled(nominal_scaling(features, found, scaling, np.array(index), None))


@pytest.mark.parametrize("by_range", [True, False])
def test_levels_differ_by_one_or_not_at_all(by_range):
    D = opened(CODES, [0, 1], by_range=by_range).distances(np.array([1.0, 1.0, 0.0]))
    np.testing.assert_array_equal(D, [[0, 2, 1, 1], [2, 0, 2, 1], [1, 2, 0, 2], [1, 1, 2, 0]])


def test_two_levels_are_a_number():
    assert opened(CODES, [0]).scaling.cap is None
    np.testing.assert_array_equal(opened(CODES, [0, 1]).scaling.cap, [np.inf, 1, np.inf])


def test_half_of_what_indicator_columns_differ_by():
    rng = np.random.default_rng(0)
    X = rng.integers(5, size=(30, 4)).astype(float)
    one_hot = np.hstack([k == X for k in range(5)]).astype(float)
    D = opened(X, np.arange(4)).distances(np.arange(1.0, 5))
    expected = InMemory(one_hot, Workers(1)).distances(np.tile(np.arange(1.0, 5), 5)) / 2
    np.testing.assert_allclose(D, expected, rtol=1e-14)


def test_a_gap_is_the_share_of_pairs_that_differ():
    X = np.array([[0.0], [1.0], [2.0], [2.0], [np.nan]])
    assert opened(X, [0]).scaling.gap == [5 / 6]
    D = opened(X, [0]).distances(np.ones(1))
    np.testing.assert_allclose(D[4, :4], 5 / 6)


def test_other_names_for_the_levels_change_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.integers(4, size=(60, 12)).astype(float), np.arange(60) % 2
    X[y == 1, 0] = X[y == 1, 0] % 2
    X[rng.random(X.shape) < 0.05] = np.nan
    renamed = np.where(
        np.isnan(X), X, np.array([7.0, 0.0, 30.0, 2.0])[np.nan_to_num(X).astype(int)]
    )
    for model in (ReliefF(categorical=np.arange(12)), LOFE(categorical=np.arange(12))):
        found = model.fit(X, y).weights_
        np.testing.assert_allclose(model.fit(renamed, y).weights_, found, rtol=1e-9)
        assert found.any()


def test_a_fraction_is_no_level():
    with pytest.raises(ValueError, match=r"nominal feature 2 holds 1\.5; give its levels"):
        ReliefF(categorical=[2]).fit(CODES, [0, 0, 1, 1])
