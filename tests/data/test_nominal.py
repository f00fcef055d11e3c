import numpy as np
import pytest

from hitmiss import LOFE, ReliefF
from hitmiss._util.workers import Workers
from hitmiss.data.extremes import extremes_of
from hitmiss.data.in_memory import InMemory
from hitmiss.data.nominal import column_scaling, nominal_scaling

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
