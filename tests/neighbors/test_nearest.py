import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    nearest_neighbors,
    single_neighbors,
    soft_neighbors_by_class,
)
from hitmiss.targets.classes import Classes
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
