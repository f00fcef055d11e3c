"""Expected values of the soft neighbors of two samples, found without either of them.

Leaving out one sample at a time moves the mean of the others away from its own value, so that
values which say nothing seem to be ordered the wrong way. Without both samples of a pair, such
values are equal.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.neighbors.pair_tiles import PairTiles


class LeftOutPairs:
    """Kernel regression of every sample without itself and any other.

    Parameters
    ----------
    tiles : PairTiles
        All samples, with all of them as references.
    values : ndarray of shape (n_samples,)
        What is expected.
    neighbors : ndarray of int
        The samples that may be neighbors.
    """

    def __init__(self, tiles: PairTiles, values: NDArray, neighbors: NDArray):
        self._tiles, self._values = tiles, values
        self._allowed = np.isin(np.arange(len(values)), neighbors)
        # Of every sample: its expected value without itself and, also without its nearest neighbor;
        # the logarithm of the sum of its kernel.
        self._expected, self._next, self._log_total = np.full((3, len(values)), np.nan)
        for rows in tiles.tiles:
            self._prepare(rows)

    def of(self, rows: NDArray) -> tuple[NDArray, NDArray]:
        """Expected values of some samples, each without every other, and of every other without it.

        Parameters
        ----------
        rows : ndarray of int
            The samples.

        Returns
        -------
        own, other : ndarray of shape (n_rows, n_samples)
            NaN where no neighbor is left.
        """
        nearness, values = self._nearness(rows), self._values
        shared, allowed = nearness - self._log_total[rows][:, None], self._allowed[None, :]
        own = _without(shared, values, self._expected[rows][:, None], self._next[rows][:, None])
        own = np.where(allowed, own, self._expected[rows][:, None])
        other = _without(
            nearness - self._log_total, values[rows][:, None], self._expected, self._next
        )
        return own, np.where(self._allowed[rows][:, None], other, self._expected)

    def _nearness(self, rows: NDArray) -> NDArray:
        """Logarithm of the kernel times the share of every pair; minus infinity without a share."""
        hit, miss = self._tiles.target.shares(rows, self._tiles.references)
        with np.errstate(divide="ignore"):
            shares = np.log(hit + miss)
        return shares - self._tiles.distances(rows).astype(float) / self._tiles.sigma

    def _prepare(self, rows: NDArray) -> None:
        nearness = np.where(self._allowed, self._nearness(rows), -np.inf)
        self._expected[rows], self._log_total[rows] = _expected(nearness, self._values)
        np.put_along_axis(nearness, nearness.argmax(axis=1)[:, None], -np.inf, axis=1)
        self._next[rows] = _expected(nearness, self._values)[0]


def _expected(nearness: NDArray, values: NDArray) -> tuple[NDArray, NDArray]:
    """Mean of the values, and logarithm of the sum, of the kernel; NaN where that is zero."""
    nearest = nearness.max(axis=1, keepdims=True)
    kernel = np.exp(nearness - np.where(np.isfinite(nearest), nearest, 0.0))
    total = kernel.sum(axis=1)
    total[total == 0] = np.nan
    return kernel @ values / total, np.log(total) + nearest[:, 0]


def _without(nearness: NDArray, value: NDArray, expected: NDArray, following: NDArray) -> NDArray:
    """Expected values without a neighbor of this value; `following` is that without the nearest."""
    P = np.exp(np.minimum(nearness, 0.0))
    most = P > 0.5  # of the nearest only; the difference would lose digits there
    return np.where(most, following, (expected - P * value) / np.where(most, 1.0, 1 - P))
