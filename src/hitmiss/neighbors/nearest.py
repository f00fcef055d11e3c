"""The nearest hits and misses, a fixed number of each."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.kernels.hard_neighbors import nearest_of_classes
from hitmiss.neighbors.by_rows import by_rows
from hitmiss.targets.classes import Classes


def single_neighbors(D: NDArray, target: Classes) -> NDArray:
    """-1 for the nearest hit and +1 for the nearest miss of each sample (RELIEF).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes
        Misses of all other classes are pooled.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    same = target.codes[:, None] == target.codes
    miss = np.where(same, np.inf, D).argmin(axis=1)
    np.fill_diagonal(same, False)
    hit = np.where(same, D, np.inf).argmin(axis=1)
    Q, has_hit = np.zeros(D.shape), target.has_hit
    Q[has_hit, hit[has_hit]], Q[has_hit, miss[has_hit]] = -1, 1
    return Q


def nearest_neighbors(D: NDArray, target: Classes, k: int, workers: Workers) -> NDArray:
    """Equal weights for the k nearest hits and the k nearest misses of each class (RELIEF-F).

    Those of class c sum to ``P(c) / (1 - P(y_n))``, Kononenko's weight.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances. Of equal ones the sample that comes first is the nearer.
    target : Classes
        The class of every sample.
    k : int
        Number of neighbors per class; a class with fewer samples gives all it has.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    y, prior, k = target.codes, target.prior, min(k, len(target))
    return by_rows(D, workers, lambda *rows: nearest_of_classes(D, y, k, prior, *rows))
