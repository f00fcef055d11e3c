"""Soft nearest neighbors: every hit and miss, with a probability."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import pair_probabilities, share_probabilities
from hitmiss.targets.target import Target

ROWS = 64  # of Q that one thread fills at a time: convention


def by_rows(D: NDArray, workers: Workers, fill: Callable[[slice, NDArray], None]) -> NDArray:
    """Q of the shape of D, a few rows at a time.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    workers : Workers
        Where the work runs.
    fill : callable
        Called as ``fill(rows, Q)``; sets these rows of Q.
    """
    Q, n_samples = np.empty(D.shape), len(D)
    starts = range(0, n_samples, ROWS)
    workers.map(lambda n: fill(slice(n, min(n + ROWS, n_samples)), Q), starts)
    return Q


def soft_neighbors(D: NDArray, target: Target, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities under the kernel ``exp(-d / sigma)`` (LOFE eq. 4 and 5).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target
        Misses of all other classes are pooled (LOFE eq. 20). With likeness S and comparability C
        hits have probability ``C S k(d)`` over its sum, misses ``C (1 - S) k(d)``.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit or without a miss are zero.
    """
    return by_rows(D, workers, lambda rows, Q: target.fill_soft(D, sigma, rows, Q))


def soft_neighbors_by_class(D: NDArray, target: Target, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities with the misses of each class apart (I-RELIEF eq. 20).

    Those of class c sum to ``P(c) / (1 - P(y_n))``. For two classes this is `soft_neighbors`.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target
        The class of every sample. Of other targets P(c) is the part of class c in all comparable
        misses.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    return by_rows(D, workers, lambda rows, Q: target.fill_soft_by_class(D, sigma, rows, Q))


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


def pair_trust(D: NDArray, target: Target, sigma: float, workers: Workers) -> NDArray:
    """`trust` of a target that is not classes alone, ``sum C S k / sum C k``.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target
        What is to be explained.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    gamma : ndarray of shape (n_samples,)
        Zero for samples without a hit or without a miss.
    """
    gamma = np.empty(len(D))  # the share of the hits in each row, negative if there is no margin

    def fill(rows: slice, Q: NDArray) -> None:
        pair_probabilities(D[rows], *target.shares_of(rows), sigma, 0.0, Q[rows], gamma[rows])

    by_rows(D, workers, fill)
    return np.maximum(gamma, 0.0)


def soft_hits(D: NDArray, target: Target, sigma: float, workers: Workers) -> NDArray:
    """Minus the probabilities of the hits alone, where a pair may be a hit and a miss at once.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target
        What is to be explained.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.
    """

    def fill(rows: slice, P: NDArray) -> None:
        share_probabilities(D[rows], target.shares_of(rows).hit, sigma, P[rows])

    return np.where(target.has_hit[:, None], -by_rows(D, workers, fill), 0.0)
