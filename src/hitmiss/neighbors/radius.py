"""Hits and misses within a radius, or beyond one."""

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import pairs_within_band, within_band
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.by_rows import by_rows, by_shares
from hitmiss.targets.classes import AnyTarget, Classes
from hitmiss.targets.target import PairTarget


def band_neighbors(
    D: NDArray,
    target: AnyTarget,
    lower: NDArray | float,
    upper: NDArray | float,
    workers: Workers,
    dtype: DTypeLike = float,
) -> NDArray:
    """Equal weights for all hits, and for all misses of a class, at distances in a band (SURF).

    The misses of class c sum to its share in the prior of the classes that have misses there.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget
        The class of every sample. Of other targets comparable neighbors count by how much of a
        hit and of a miss they are.
    lower, upper : float or ndarray of shape (n_samples,)
        Neighbors of n are the samples i with ``lower[n] < D[n, i] < upper[n]``. A distance that
        differs from a limit by no more than rounding is at the limit, and no neighbor's.
    workers : Workers
        Where the work runs.
    dtype : dtype
        Of the data, in whose precision the distances are.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        A row may hold hits only, misses only or neither. Rows of samples alone in their class
        are zero.
    """
    size, rounding = len(target), tile_sizes.rounding(dtype)
    low, high = (np.ascontiguousarray(np.broadcast_to(b, size), float) for b in (lower, upper))
    low, high = low * (1 + rounding), high * (1 - rounding)
    if not isinstance(target, Classes):
        return _band_pairs(D, target, low, high, workers)
    y, prior = target.codes, target.prior
    Q = by_rows(D, workers, lambda *rows: within_band(D, y, low, high, prior, *rows))
    Q[~target.has_hit] = 0
    return Q


def _band_pairs(
    D: NDArray, target: PairTarget, low: NDArray, high: NDArray, workers: Workers
) -> NDArray:
    y, n_classes = target.miss_classes, int(target.miss_classes.max()) + 1

    def fill(rows: slice, D: NDArray, hit: NDArray, miss: NDArray, Q: NDArray) -> None:
        pairs_within_band(D, hit, miss, y, n_classes, low[rows], high[rows], Q)

    Q = by_shares(D, target, workers, fill)
    Q[~target.has_hit] = 0
    return Q


def mean_distance(D: NDArray, target: AnyTarget | None = None) -> float:
    """Mean over all pairs of different samples that may be compared.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget, optional
        Which pairs may be compared; all by default.
    """
    if isinstance(target, PairTarget):
        C = _comparable(target)
        return float((D * (C / C.sum())).sum())
    n_samples = len(D)
    return float((D / (n_samples * (n_samples - 1))).sum())  # divided first: no sum overflows


def dead_band(D: NDArray, target: AnyTarget | None = None) -> tuple[NDArray, NDArray]:
    """Mean minus and plus half a standard deviation of each sample's distances to the others.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget, optional
        Which pairs may be compared; all by default.
    """
    if isinstance(target, PairTarget):
        return _comparable_band(D, _comparable(target))
    n_others, largest = len(D) - 1, D.max() or 1.0
    E = D / largest  # whose squares stay in range
    mean = E.sum(axis=1) / n_others
    # The sample's distance 0 to itself adds mean² to the sum of squares.
    square = ((E - mean[:, None]) ** 2).sum(axis=1) - mean**2
    half = np.sqrt(np.maximum(square, 0.0) / n_others) / 2
    return (mean - half) * largest, (mean + half) * largest


def _comparable(target: PairTarget) -> NDArray:
    """Which pairs of samples may be compared, and how far."""
    hit, miss = target.shares_of(slice(0, len(target)))
    return hit + miss


def _comparable_band(D: NDArray, C: NDArray) -> tuple[NDArray, NDArray]:
    """`dead_band` of distances weighted by C; a sample without any has an empty band."""
    largest, total = D.max() or 1.0, C.sum(axis=1)
    P = C / np.where(total > 0, total, 1.0)[:, None]
    E = D / largest
    mean = (P * E).sum(axis=1)
    half = np.sqrt((P * (E - mean[:, None]) ** 2).sum(axis=1)) / 2
    return (mean - half) * largest, (mean + half) * largest
