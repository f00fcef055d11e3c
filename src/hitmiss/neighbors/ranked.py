"""Nearest neighbors weighted by their rank, and the weights of RReliefF made of them."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import comparable
from hitmiss._util.workers import Workers
from hitmiss.neighbors.by_rows import by_shares
from hitmiss.targets.target import PairTarget


def ranked_neighbors(
    D: NDArray, target: PairTarget, k: int, width: float, workers: Workers
) -> NDArray:
    """``P[n, i]`` proportional to ``exp(-(rank / width)^2)`` for the k nearest; rows sum to one.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances. Of those that agree to six digits the sample that comes first is the nearer.
    target : PairTarget
        Which samples may be compared, and how far.
    k : int
        Number of neighbors.
    width : float
        Rank at which the weight falls to 1 / e; infinite for equal weights.
    workers : Workers
        Where the work runs.

    Returns
    -------
    P : ndarray of shape (n_samples, n_samples)
        Rows of samples that may be compared with none are zero.
    """
    k = min(k, len(D) - 1)
    by_rank = np.exp(-((np.arange(1, k + 1) / width) ** 2))

    def fill(rows: slice, D: NDArray, hit: NDArray, miss: NDArray, P: NDArray) -> None:
        C = hit + miss
        allowed = np.where(C > 0, comparable(D), np.inf)
        nearest = np.argsort(allowed, axis=1, kind="stable")[:, :k]
        weight = by_rank * np.take_along_axis(C, nearest, axis=1)
        total = weight.sum(axis=1, keepdims=True)
        P[:] = 0
        np.put_along_axis(P, nearest, weight / np.where(total > 0, total, 1.0), axis=1)

    return by_shares(D, target, workers, fill)


def signed_by_differences(P: NDArray, differences: NDArray, weights: NDArray | None) -> NDArray:
    """Q with ``W = sum_n a_n sum_i Q_ni |x_n - x_i|``, the weights of RReliefF.

    ``W = N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC)`` is linear in the differences of the
    features. A fraction of which nothing is known, 0 / 0, is left out.

    Parameters
    ----------
    P : ndarray of shape (n_samples, n_samples)
        Weights of the neighbors, each row one in all.
    differences : ndarray of shape (n_samples, n_samples)
        Of the numbers to be explained, in [0, 1].
    weights : ndarray of shape (n_samples,), optional
        Weights a of the samples, by default 1.
    """
    a = np.ones(len(P)) if weights is None else weights
    unlike = float(a @ (P * differences).sum(axis=1))  # N_dC
    like = float(a @ (P * (1 - differences)).sum(axis=1))  # m - N_dC
    Q = differences / (unlike or np.inf) - (1 - differences) / (like or np.inf)
    return P * Q
