import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    class_distances,
    expected_distance,
    soft_neighbors,
)
from hitmiss.neighbors.expected import LeftOutPairs
from hitmiss.neighbors.tiles import PairTiles
from hitmiss.targets.classes import Classes
from hitmiss.targets.numbers import Numbers
from tests import reference as ref
from tests.neighbors.problems import LABELS, LINE, SIGMA, random_problem

SERIAL = Workers(1)


def test_class_distances_by_hand():
    E = class_distances(LINE, LABELS, SIGMA, leave_out=True)
    np.testing.assert_allclose(E, [[1, 10 / 3], [1, 7 / 3], [7 / 3, 3], [16 / 3, 3]])
    np.testing.assert_allclose(class_distances(LINE[:1], LABELS, SIGMA), [[1 / 3, 10 / 3]])


@pytest.mark.parametrize("leave_out", [True, False])
@pytest.mark.parametrize("sigma", [0.05, 1.0, 20.0])
def test_class_distances_against_the_reference(sigma, leave_out):
    rng = np.random.default_rng(0)
    X, y, w = rng.standard_normal((30, 4)), np.append(rng.integers(0, 3, 29), 3), rng.random(4)
    queries = X if leave_out else rng.standard_normal((7, 4))
    D = np.abs(queries[:, None] - X) @ w
    expected = ref.class_distances(X, y, queries, w, sigma, leave_out=leave_out)
    np.testing.assert_allclose(
        class_distances(D, y, sigma, leave_out=leave_out), expected, rtol=1e-12
    )
    assert np.isinf(expected).any() == leave_out  # class 3 has a single sample


def test_class_distances_far_beyond_the_kernel_width():
    D = np.array([[1e6, 1e6 + 1, 2e6]])
    np.testing.assert_allclose(class_distances(D, np.array([0, 0, 1]), 1e-3), [[1e6, 2e6]])
    assert np.isinf(expected_distance(D, np.zeros(3, bool), 1.0)).all()


def test_left_out_class_distances_differ_by_the_margin():
    D, y = random_problem(40, 2)
    margin = (soft_neighbors(D, Classes(y), 0.7, SERIAL) * D).sum(axis=1)
    E = class_distances(D, y, 0.7, leave_out=True)
    np.testing.assert_allclose(E[np.arange(40), 1 - y] - E[np.arange(40), y], margin, rtol=1e-7)


@pytest.mark.parametrize("neighbors", [np.arange(12), np.arange(0, 12, 2)])
def test_both_of_a_pair_are_left_out(neighbors):
    """Two samples lie so close together that each has nearly all of the other's kernel."""
    rng = np.random.default_rng(0)
    A, values, every = rng.uniform(0, 30, size=(12, 3)), rng.uniform(size=12), np.arange(12)
    A[2] = A[0] + 1e-3
    tiles = PairTiles(A, Numbers(values, 1.0), every, 0.5)
    own, other = LeftOutPairs(tiles, values, neighbors).of(np.array([0, 5]))
    D = np.abs(A[:, None] - A).sum(axis=2)
    for row, n in enumerate((0, 5)):
        for i in np.delete(every, n):
            left = np.setdiff1d(neighbors, [n, i])
            for found, k in ((own, n), (other, i)):
                kernel = np.exp(-(D[k, left] - D[k, left].min()) / 0.5)
                assert found[row, i] == pytest.approx(kernel @ values[left] / kernel.sum())
