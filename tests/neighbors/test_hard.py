import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    band_neighbors,
    dead_band,
    mean_distance,
    nearest_neighbors,
    ranked_neighbors,
    signed_by_differences,
    single_neighbors,
    soft_neighbors_by_class,
)
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared
from hitmiss.targets.numbers import Numbers
from tests.neighbors.problems import ALONE, LABELS, LINE, uniform_problem

SERIAL = Workers(1)


def test_single_neighbors_by_hand():
    expected = [[0, -1, 1, 0], [-1, 0, 1, 0], [0, 1, 0, -1], [0, 1, -1, 0]]
    np.testing.assert_array_equal(single_neighbors(LINE, Classes(LABELS)), expected)


def test_nearest_neighbors_by_hand():
    Q = nearest_neighbors(LINE, Classes(LABELS), 2, SERIAL)
    expected = [[0, -1, 0.5, 0.5], [-1, 0, 0.5, 0.5], [0.5, 0.5, 0, -1], [0.5, 0.5, -1, 0]]
    np.testing.assert_array_equal(Q, expected)


def test_one_nearest_neighbor_of_two_classes_is_the_single_one():
    D, y = uniform_problem(n_classes=2)
    np.testing.assert_array_equal(
        nearest_neighbors(D, Classes(y), 1, SERIAL), single_neighbors(D, Classes(y))
    )


def test_all_neighbors_are_those_of_an_infinite_kernel():
    D, y = uniform_problem()
    expected = soft_neighbors_by_class(D, Classes(y), np.inf, SERIAL)
    np.testing.assert_allclose(nearest_neighbors(D, Classes(y), 150, SERIAL), expected, rtol=1e-12)


def test_a_sample_alone_in_its_class_has_no_row():
    for Q in (
        single_neighbors(LINE, Classes(ALONE)),
        nearest_neighbors(LINE, Classes(ALONE), 2, SERIAL),
    ):
        assert not Q[2:].any()
        assert Q[:2].any(axis=1).all()


def test_the_number_of_threads_changes_nothing():
    D, y = uniform_problem()
    one, three = (nearest_neighbors(D, Classes(y), 7, workers) for workers in (SERIAL, Workers(3)))
    np.testing.assert_array_equal(three, one)


def test_of_samples_equally_near_but_for_rounding_the_first_is_the_nearest():
    target, D = Classes(np.array([0, 0, 0, 1, 1])), np.ones((5, 5)) - np.eye(5)
    expected = single_neighbors(D, target), nearest_neighbors(D, target, 1, Workers(1))
    rng = np.random.default_rng(0)
    for toward in (0.0, 2.0):
        near = np.where(rng.random(D.shape) < 0.5, np.nextafter(D, toward), D)
        found = single_neighbors(near, target), nearest_neighbors(near, target, 1, Workers(1))
        np.testing.assert_array_equal(found, expected)


def test_band_neighbors_by_hand():
    Q = band_neighbors(LINE, Classes(LABELS), 1.5, 3.5, SERIAL)  # distances 2 and 3
    np.testing.assert_array_equal(Q, [[0, 0, 1, 0], [0, 0, 1, 0], [0.5, 0.5, 0, -1], [0, 0, -1, 0]])


def test_the_radii_by_hand():
    assert mean_distance(LINE) == pytest.approx((1 + 3 + 6 + 2 + 5 + 3) / 6)
    near, far = dead_band(LINE)
    d = np.array([1.0, 3, 6])
    np.testing.assert_allclose([near[0], far[0]], [d.mean() - d.std() / 2, d.mean() + d.std() / 2])


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_the_radii_scale_with_the_distances(factor):
    D, _ = uniform_problem()
    np.testing.assert_allclose(mean_distance(D * factor) / factor, mean_distance(D), rtol=1e-12)
    for scaled, plain in zip(dead_band(D * factor), dead_band(D), strict=True):
        np.testing.assert_allclose(scaled / factor, plain, rtol=1e-12)


def test_a_band_of_all_distances_is_an_infinite_kernel():
    D, y = uniform_problem()
    expected = soft_neighbors_by_class(D, Classes(y), np.inf, SERIAL)
    found = band_neighbors(D, Classes(y), -np.inf, np.inf, SERIAL)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_sample_alone_in_its_class_has_no_row_in_a_band():
    Q = band_neighbors(LINE, Classes(ALONE), -np.inf, np.inf, SERIAL)
    assert not Q[2:].any()
    assert Q[:2].any(axis=1).all()


def test_the_number_of_threads_changes_no_band():
    D, y = uniform_problem()
    near = dead_band(D)[0]
    one, three = (band_neighbors(D, Classes(y), 0.2, near, n) for n in (SERIAL, Workers(3)))
    np.testing.assert_array_equal(three, one)


RANKED = np.array([[0.0, 1, 3, 2], [1, 0, 2, 2], [3, 2, 0, 5], [2, 2, 5, 0]])
NUMBERS = Numbers(np.arange(4.0))


def test_the_two_nearest_by_hand():
    P = ranked_neighbors(RANKED, NUMBERS, 2, 1.0, Workers(1))
    near, far = np.exp(-1), np.exp(-4)
    expected = np.array(
        [[0, near, 0, far], [near, 0, far, 0], [far, near, 0, 0], [near, far, 0, 0]]
    )
    np.testing.assert_allclose(P, expected / (near + far))  # of equal distances the first


def test_equal_weights_of_those_that_may_be_compared():
    strata = Compared(NUMBERS, Comparable(strata=np.array([0, 0, 0, 1])))
    P = ranked_neighbors(RANKED, strata, 9, np.inf, Workers(1))
    np.testing.assert_allclose(P[:3, :3], (1 - np.eye(3)) / 2)
    assert not P[3].any()
    assert not P[:, 3].any()


def test_signs_sum_to_nothing():
    """Where all features differ by 1, both fractions are 1."""
    rng = np.random.default_rng(0)
    P, differences, a = rng.random((5, 5)), rng.random((5, 5)), rng.random(5)
    assert abs((a[:, None] * signed_by_differences(P, differences, a)).sum()) < 1e-12
    assert abs(signed_by_differences(P, np.ones((5, 5)), None).sum() - 1) < 1e-12


def test_of_samples_equally_near_but_for_rounding_the_first_is_ranked_first():
    target = Numbers(np.arange(4.0), 1.0)
    D = np.full((4, 4), 0.3) - 0.3 * np.eye(4)
    expected = ranked_neighbors(D, target, 2, 1.0, Workers(1))
    for toward in (0.0, 1.0):
        near = D.copy()
        near[:, 3] = np.nextafter(D[:, 3], toward)
        np.testing.assert_array_equal(ranked_neighbors(near, target, 2, 1.0, Workers(1)), expected)
