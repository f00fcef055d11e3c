"""Soft nearest neighbors: every hit and miss, with a probability."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import (
    class_pair_probabilities,
    class_probabilities,
    pair_probabilities,
    share_probabilities,
    signed_probabilities,
)
from hitmiss.neighbors.by_rows import by_rows, by_shares
from hitmiss.targets.classes import AnyTarget, Classes
from hitmiss.targets.target import PairTarget


def soft_neighbors(D: NDArray, target: AnyTarget, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities under the kernel ``exp(-d / sigma)`` (LOFE eq. 4 and 5).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget
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
    if not isinstance(target, Classes):
        return _signed_pairs(D, target, sigma, workers)[0]
    y = target.codes
    return by_rows(D, workers, lambda *rows: signed_probabilities(D, y, sigma, *rows))


def soft_neighbors_by_class(
    D: NDArray, target: AnyTarget, sigma: float, workers: Workers
) -> NDArray:
    """Signed probabilities with the misses of each class apart (I-RELIEF eq. 20).

    Those of class c sum to ``P(c) / (1 - P(y_n))``. For two classes this is `soft_neighbors`.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget
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
    if not isinstance(target, Classes):
        y, n_classes = target.miss_classes, int(target.miss_classes.max()) + 1
        return by_shares(
            D,
            target,
            workers,
            lambda rows, *arrays: class_pair_probabilities(
                *arrays[:3], y, n_classes, sigma, arrays[3]
            ),
        )
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


def pair_trust(D: NDArray, target: PairTarget, sigma: float, workers: Workers) -> NDArray:
    """`trust` of a target that is asked about pairs, ``sum C S k / sum C k``.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : PairTarget
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
    return np.maximum(_signed_pairs(D, target, sigma, workers)[1], 0.0)


def soft_hits(D: NDArray, target: PairTarget, sigma: float, workers: Workers) -> NDArray:
    """Minus the probabilities of the hits alone, where a pair may be a hit and a miss at once.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : PairTarget
        What is to be explained.
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.
    """
    P = by_shares(
        D,
        target,
        workers,
        lambda rows, D, hit, miss, P: share_probabilities(D, hit, sigma, P),
    )
    return np.where(target.has_hit[:, None], -P, 0.0)


def _signed_pairs(
    D: NDArray, target: PairTarget, sigma: float, workers: Workers
) -> tuple[NDArray, NDArray]:
    """Signed probabilities, and the share of the hits in each row, negative if it is zero."""
    gamma = np.empty(len(D))

    def fill(rows: slice, D: NDArray, hit: NDArray, miss: NDArray, Q: NDArray) -> None:
        pair_probabilities(D, hit, miss, sigma, 0.0, Q, gamma[rows])

    return by_shares(D, target, workers, fill), gamma
