"""Soft nearest neighbors: every hit and miss, with a probability."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import class_probabilities, signed_probabilities
from hitmiss.neighbors.by_rows import by_rows
from hitmiss.targets.classes import Classes


def soft_neighbors(D: NDArray, target: Classes, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities under the kernel ``exp(-d / sigma)`` (LOFE eq. 4 and 5).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes
        Misses of all other classes are pooled (LOFE eq. 20).
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit or without a miss are zero.
    """
    y = target.codes
    return by_rows(D, workers, lambda *rows: signed_probabilities(D, y, sigma, *rows))


def soft_neighbors_by_class(D: NDArray, target: Classes, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities with the misses of each class apart (I-RELIEF eq. 20).

    Those of class c sum to ``P(c) / (1 - P(y_n))``. For two classes this is `soft_neighbors`.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes
        The class of every sample.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    y, prior = target.codes, target.prior
    return by_rows(D, workers, lambda *rows: class_probabilities(D, y, sigma, prior, *rows))


def trust(D: NDArray, Q: NDArray, sigma: float) -> NDArray:
    """Probability that each sample is no outlier, ``sum_hits k / sum_others k`` (I-RELIEF eq. 10).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    Q : ndarray of shape (n_samples, n_samples)
        The `soft_neighbors` under `D` and `sigma`.
    sigma : float
        Kernel width.

    Returns
    -------
    gamma : ndarray of shape (n_samples,)
        Zero for samples without a hit or without a miss.
    """
    # The nearest hit has P = k(d) / sum of k over the hits, so that sum need not be formed again.
    rows, hit, miss = np.arange(len(Q)), Q.argmin(axis=1), Q.argmax(axis=1)
    lonely = Q[rows, hit] >= 0
    P_hit, P_miss = np.where(lonely, 1.0, -Q[rows, hit]), np.where(lonely, 1.0, Q[rows, miss])
    odds = np.log(P_miss / P_hit) + (D[rows, miss] - D[rows, hit]) / sigma
    return np.where(lonely, 0.0, expit(odds))
