"""The nearest hits and misses, a fixed number of each."""

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.ties import first_smallest
from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import nearest_of_classes, nearest_pairs
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.by_rows import by_rows, by_shares
from hitmiss.targets.classes import AnyTarget, Classes
from hitmiss.targets.target import PairTarget


def single_neighbors(D: NDArray, target: AnyTarget, dtype: DTypeLike = float) -> NDArray:
    """-1 for the nearest hit and +1 for the nearest miss of each sample (RELIEF).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget
        Misses of all other classes are pooled; only comparable samples are neighbors.
    dtype : dtype
        Of the data, in whose precision the distances are. Of those that are equal but for rounding
        the sample that comes first is the nearest.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    rounding = tile_sizes.rounding(dtype)
    if not isinstance(target, Classes):
        return _single_pairs(D, target, rounding)
    same = target.codes[:, None] == target.codes
    miss = first_smallest(np.where(same, np.inf, D), same=rounding)
    np.fill_diagonal(same, False)
    hit = first_smallest(np.where(same, D, np.inf), same=rounding)
    Q, has_hit = np.zeros(D.shape), target.has_hit
    Q[has_hit, hit[has_hit]], Q[has_hit, miss[has_hit]] = -1, 1
    return Q


def nearest_neighbors(
    D: NDArray, target: AnyTarget, k: int, workers: Workers, dtype: DTypeLike = float
) -> NDArray:
    """Equal weights for the k nearest hits and the k nearest misses of each class (RELIEF-F).

    Those of class c sum to ``P(c) / (1 - P(y_n))``, Kononenko's weight.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances. Of those that are equal but for rounding the sample that comes first is the
        nearer.
    target : Classes or PairTarget
        The class of every sample. Of other targets comparable neighbors count by how much of a
        hit and of a miss they are, and P(c) is the part of class c in all comparable misses.
    k : int
        Number of neighbors per class; a class with fewer samples gives all it has.
    workers : Workers
        Where the work runs.
    dtype : dtype
        Of the data, in whose precision the distances are.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    k, nearer = min(k, len(target)), 1 - tile_sizes.rounding(dtype)
    if not isinstance(target, Classes):
        y, n_classes = target.miss_classes, int(target.miss_classes.max()) + 1
        return by_shares(
            D,
            target,
            workers,
            lambda rows, D, hit, miss, Q: nearest_pairs(D, hit, miss, y, n_classes, k, nearer, Q),
        )
    y, prior = target.codes, target.prior
    return by_rows(D, workers, lambda *rows: nearest_of_classes(D, y, k, prior, nearer, *rows))


def _single_pairs(D: NDArray, target: PairTarget, rounding: float) -> NDArray:
    hit, miss = target.shares_of(slice(0, len(target)))
    rows, Q = np.flatnonzero(target.has_hit), np.zeros(D.shape)
    Q[rows, first_smallest(np.where(miss > 0, D, np.inf), same=rounding)[rows]] += 1
    Q[rows, first_smallest(np.where(hit > 0, D, np.inf), same=rounding)[rows]] -= 1
    return Q
