import numpy as np
import pytest

from hitmiss import Relief, ReliefF
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
