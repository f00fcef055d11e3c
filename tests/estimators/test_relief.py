import numpy as np
import pytest
import skrebate

from hitmiss import Relief, ReliefF, RReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.inference import permutation_test
from hitmiss.neighbors import nearest_neighbors
from hitmiss.targets.classes import Classes
from hitmiss.weighting.irelief import positive_unit
from tests import reference as ref
from tests import relief_reference as relief

X = np.array([[0.0, 0], [1, 4], [8, 1], [9, 3]])


def test_four_points_by_hand():
    # Nearest hits (1, 4), (1, 4), (1, 2), (1, 2) away, nearest misses (8, 1) each.
    found = Relief(scale=None).fit(X, [0, 0, 1, 1])
    np.testing.assert_array_equal(found.weights_, [7, -2])
    np.testing.assert_array_equal(found.feature_importances_, [1, -2 / 7])
    np.testing.assert_array_equal(found.ranking_, [0, 1])
    np.testing.assert_array_equal(found.get_support(), [True, False])


def test_two_classes_are_reliefs_with_one_neighbor():
    X, y = relief.gaussian_classes(60)
    np.testing.assert_array_equal(Relief().fit(X, y).weights_, ReliefF(1).fit(X, y).weights_)


def test_the_nearest_miss_is_that_of_all_other_classes():
    X = np.array([[0.0], [1], [3], [4], [10], [11]])
    y = np.array([0, 0, 1, 1, 2, 2])
    nearest_misses = np.array([3, 2, 2, 3, 6, 7])  # from 0, 1, 3, 4, 10, 11
    assert Relief(scale=None).fit(X, y).weights_ == pytest.approx(nearest_misses.mean() - 1)


def test_draws_estimate_the_mean_over_all_samples():
    X, y = relief.gaussian_classes(40)
    every = Relief().fit(X, y).weights_
    draws = [Relief(30, random_state=seed).fit(X, y).weights_ for seed in range(200)]
    error = np.mean(draws, axis=0) - every
    assert np.abs(error).max() < 4 * np.std(draws, axis=0).max() / np.sqrt(200)
    assert np.std(draws, axis=0).min() > 0


def test_draws_repeat_with_the_seed_only():
    X, y = relief.gaussian_classes(40)
    a, b, c = (Relief(10, random_state=seed).fit(X, y).weights_ for seed in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


def test_a_lone_sample_is_not_counted():
    lonely = np.vstack([X, [[100.0, 100]]])
    with pytest.warns(UserWarning, match="single sample"):
        found = Relief(scale=None).fit(lonely, [0, 0, 1, 1, 2])
    np.testing.assert_array_equal(found.weights_, [7, -2])


def peer(X, y, k):
    return skrebate.ReliefF(n_neighbors=k).fit(X.copy(), y).feature_importances_


def test_four_points_by_hand_of_relieff():
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


def test_three_points_by_hand():
    """k = 1. Neighbors 0-1, 1-0, 2-1; differences of y 1/4, 1/4, 3/4, so N_dC = 5/4."""
    X, y = [[0.0, 0.0], [1.0, 2.0], [4.0, 1.0]], [0.0, 1.0, 4.0]
    # Feature 0, over its range: 1/4, 1/4, 3/4; feature 1: 1, 1, 1/2.
    together = [1 / 16 + 1 / 16 + 9 / 16, 1 / 4 + 1 / 4 + 3 / 8]
    alone = [5 / 4, 5 / 2]
    expected = [t / 1.25 - (a - t) / 1.75 for t, a in zip(together, alone, strict=True)]
    np.testing.assert_allclose(RReliefF(1).fit(X, y).weights_, expected)


@pytest.mark.parametrize(("k", "width"), [(1, 20.0), (10, 5.0), (70, 20.0), (10, np.inf)])
def test_against_the_definition_of_rrelieff(k, width):
    rng = np.random.default_rng(3)
    X = rng.random((40, 6))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.integers(0, 2, 40)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    found = RReliefF(k, width).fit(X, y).weights_
    np.testing.assert_allclose(found, relief.rrelieff(X, y, k, width), rtol=1e-9, atol=1e-12)


def test_a_scale_of_y_changes_nothing_and_a_bend_does():
    X, y = datasets.make_additive(60, n_irrelevant=5, random_state=0, return_X_y=True)
    weights = RReliefF().fit(X, y).weights_
    np.testing.assert_allclose(RReliefF().fit(X, 5 - 3 * y).weights_, weights, rtol=1e-9)
    assert np.abs(RReliefF().fit(X, np.exp(3 * y)).weights_ - weights).max() > 0.01


def test_weights_of_samples_count_as_they_are():
    """Weight 0 leaves a sample out of the sums, not out of the neighbors."""
    X, y = datasets.make_additive(50, n_irrelevant=2, random_state=1, return_X_y=True)
    a = np.ones(50)
    np.testing.assert_allclose(
        RReliefF().fit(X, y, sample_weight=2 * a).weights_, RReliefF().fit(X, y).weights_
    )
    a[:20] = 0
    some = RReliefF().fit(X, y, sample_weight=a).weights_
    assert np.abs(some - RReliefF().fit(X, y).weights_).max() > 1e-3


def test_what_it_finds_is_tested_by_permutation():
    X, y = datasets.make_additive(150, n_irrelevant=20, random_state=0, return_X_y=True)
    test = permutation_test(RReliefF(), X, y, n_permutations=19, random_state=0)
    assert set(test.selected(0.1)) == {0, 2}
    assert test.p_value == 1 / 20


@pytest.mark.parametrize(
    ("y", "message"), [([1.0, 1.0, 1.0], "y is 1 for all"), ([1, np.nan, 2], "NaN in row 1")]
)
def test_bad_numbers(y, message):
    with pytest.raises(ValueError, match=message):
        RReliefF().fit(np.eye(3), y)
