import numpy as np
import pytest
import skrebate

from hitmiss import ReliefF
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.neighbors import nearest_neighbors
from hitmiss.targets.classes import Classes
from hitmiss.weighting.irelief import positive_unit
from tests import reference as ref
from tests import relief_reference as relief


def peer(X, y, k):
    return skrebate.ReliefF(n_neighbors=k).fit(X.copy(), y).feature_importances_


def test_four_points_by_hand():
    X = np.array([[0.0, 0], [1, 4], [8, 1], [9, 3]])
    # Mean misses (8.5, 2), (7.5, 2), (7.5, 2), (8.5, 2), hits (1, 4), (1, 4), (1, 2), (1, 2).
    np.testing.assert_array_equal(ReliefF(2, scale=None).fit(X, [0, 0, 1, 1]).weights_, [7, -1])
    np.testing.assert_allclose(ReliefF(2).fit(X, [0, 0, 1, 1]).weights_, [7 / 9, -1 / 4])


@pytest.mark.parametrize("sizes", [(1, 1), (1, 3), (1, 1, 1), (1, 2, 3)])
@pytest.mark.parametrize("k", [1, 5, 100])
def test_against_the_definition(sizes, k):
    X, y = relief.gaussian_classes(42, sizes=sizes)
    np.testing.assert_allclose(
        ReliefF(k).fit(X, y).weights_, relief.relieff(X, y, k), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("sizes", [(1, 1), (1, 3), (1, 1, 1)])
def test_equal_to_scikit_rebate(sizes):
    X, y = relief.gaussian_classes(60, sizes=sizes)
    np.testing.assert_allclose(ReliefF(10).fit(X, y).weights_, peer(X, y, 10), rtol=1e-6)


def test_scikit_rebate_takes_unequal_classes_for_equal():
    """Kononenko: misses of class c weigh P(c) / (1 - P(y_n)); the peer has 1 / (C - 1)."""
    X, y = relief.gaussian_classes(60, sizes=(1, 2, 3))
    equal_shares = relief.relieff(X, y, 5, share=lambda y, n, c, classes: 1 / 2)
    np.testing.assert_allclose(peer(X, y, 5), equal_shares, rtol=1e-6)
    ours = ReliefF(5).fit(X, y).weights_
    np.testing.assert_allclose(ours, relief.relieff(X, y, 5), rtol=1e-9)
    assert np.abs(ours - equal_shares).max() > 0.01 * np.abs(ours).max()


def test_one_step_of_irelief_with_probability_one_over_k():
    """Section 3.3 of the I-RELIEF paper: P = 1/K on the K nearest, no outliers, one iteration."""
    X, y = relief.gaussian_classes(50)
    found = ReliefF(7).fit(X, y).weights_
    D = ref.distances(X, np.full(8, 1 / 8))
    Q = nearest_neighbors(D, Classes(y), 7, Workers(1))
    assert set(np.unique(np.abs(Q))) == {0, 1 / 7}
    nu = InMemory(X, Workers(1)).sums([Q])[0] / 50
    np.testing.assert_allclose(positive_unit(found), positive_unit(nu), rtol=1e-9)


def test_of_equal_distances_the_first_sample_counts():
    X = np.array([[0.0, 0], [1, 0], [0, 1], [5, 5], [6, 5], [5, 6]])
    found = ReliefF(1, scale=None).fit(X, [0, 0, 0, 1, 1, 1]).weights_
    np.testing.assert_allclose(found, relief.relieff(X, np.array([0, 0, 0, 1, 1, 1]), 1))


def test_invariances():
    X, y = relief.gaussian_classes(40, sizes=(1, 2, 2))
    found = ReliefF(4).fit(X, y).weights_
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(y)), rng.permutation(8)
    np.testing.assert_allclose(ReliefF(4).fit(X[rows], y[rows]).weights_, found, rtol=1e-10)
    shuffled = ReliefF(4).fit(X[:, columns], y).weights_
    np.testing.assert_allclose(shuffled, found[columns], rtol=1e-10)
    moved = ReliefF(4).fit(X * rng.uniform(1, 100, 8) - 50, y).weights_
    np.testing.assert_allclose(moved, found, rtol=1e-10)


def test_single_precision_gives_the_same():
    X, y = relief.gaussian_classes(40, n_features=3000)
    double = ReliefF().fit(X, y).weights_
    single = ReliefF().fit(X.astype(np.float32), y).weights_
    np.testing.assert_allclose(single, double, atol=1e-5)


@pytest.mark.parametrize("value", [0, -1, 2.5, True, "ten", None])
def test_n_neighbors_must_be_a_count(value):
    with pytest.raises(ValueError, match="n_neighbors must be a whole number of at least 1"):
        ReliefF(value).fit(np.eye(4), [0, 0, 1, 1])
