"""A neighbor rule run over a few samples at a time."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.neighbors import tile_sizes
from hitmiss.targets.target import PairTarget


def by_rows(D: NDArray, workers: Workers, fill: Callable[[int, int, NDArray], None]) -> NDArray:
    """Q of the shape of D, filled a few rows at a time.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    workers : Workers
        Where the work runs.
    fill : callable
        Called as ``fill(start, stop, Q)``; sets these rows of Q.
    """
    Q, n_samples = np.empty(D.shape), len(D)
    workers.map(
        lambda n: fill(n, min(n + tile_sizes.TILE, n_samples), Q),
        range(0, n_samples, tile_sizes.TILE),
    )
    return Q


def by_shares(
    D: NDArray,
    target: PairTarget,
    workers: Workers,
    fill: Callable[[slice, NDArray, NDArray, NDArray, NDArray], None],
) -> NDArray:
    """Q of the shape of D, filled a few rows at a time from the shares of hits and misses.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : PairTarget
        Whose pairs are hits and misses.
    workers : Workers
        Where the work runs.
    fill : callable
        Called as ``fill(rows, D, hit, miss, Q)`` with some rows of each; sets those of Q.
    """

    def some(start: int, stop: int, Q: NDArray) -> None:
        rows = slice(start, stop)
        fill(rows, D[rows], *target.shares_of(rows), Q[rows])

    return by_rows(D, workers, some)
