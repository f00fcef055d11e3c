"""Hits and misses within a radius, or beyond one."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.kernels.hard_neighbors import within_band
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.by_rows import by_rows
from hitmiss.targets.classes import Classes


def band_neighbors(
    D: NDArray,
    target: Classes,
    lower: NDArray | float,
    upper: NDArray | float,
    workers: Workers,
) -> NDArray:
    """Equal weights for all hits, and for all misses of a class, at distances in a band (SURF).

    The misses of class c sum to its share in the prior of the classes that have misses there.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes
        The class of every sample.
    lower, upper : float or ndarray of shape (n_samples,)
        Neighbors of n are the samples i with ``lower[n] < D[n, i] < upper[n]``. A distance that
        differs from a limit by no more than rounding is at the limit, and no neighbor's.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        A row may hold hits only, misses only or neither. Rows of samples alone in their class
        are zero.
    """
    y, prior = target.codes, target.prior
    low, high = (np.ascontiguousarray(np.broadcast_to(b, len(y)), float) for b in (lower, upper))
    low, high = low * (1 + tile_sizes.AT_THE_LIMIT), high * (1 - tile_sizes.AT_THE_LIMIT)
    Q = by_rows(D, workers, lambda *rows: within_band(D, y, low, high, prior, *rows))
    Q[~target.has_hit] = 0
    return Q


def mean_distance(D: NDArray) -> float:
    """Mean over all pairs of different samples."""
    n_samples = len(D)
    return float((D / (n_samples * (n_samples - 1))).sum())  # divided first: no sum overflows


def dead_band(D: NDArray) -> tuple[NDArray, NDArray]:
    """Mean minus and plus half a standard deviation of each sample's distances to the others."""
    n_others, largest = len(D) - 1, D.max() or 1.0
    E = D / largest  # whose squares stay in range
    mean = E.sum(axis=1) / n_others
    # The sample's distance 0 to itself adds mean² to the sum of squares.
    square = ((E - mean[:, None]) ** 2).sum(axis=1) - mean**2
    half = np.sqrt(np.maximum(square, 0.0) / n_others) / 2
    return (mean - half) * largest, (mean + half) * largest
