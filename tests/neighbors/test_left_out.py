import numpy as np
import pytest

from hitmiss.neighbors.left_out import LeftOutPairs
from hitmiss.neighbors.pair_tiles import PairTiles
from hitmiss.targets.numbers import Numbers


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
