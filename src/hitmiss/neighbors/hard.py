"""Neighbors that count or do not: the nearest hits and misses, those in a band, those by rank."""

from functools import partial

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.ties import comparable, first_smallest
from hitmiss._util.workers import Workers
from hitmiss.neighbors.soft import by_rows
from hitmiss.targets.target import Target

# Relative difference between two distances, or a distance and a limit, in units of the rounding
# error of the data, up to which they are equal but for rounding: in single precision distances
# differ from exact ones by 3 units at most (20 to 300 samples of 5 to 50,000 features, in any
# order).
AT_THE_LIMIT = 16


def rounding(dtype: DTypeLike) -> float:
    """Relative difference up to which distances of data of this type are equal."""
    return AT_THE_LIMIT * float(np.finfo(dtype).eps)


def single_neighbors(D: NDArray, target: Target, dtype: DTypeLike = float) -> NDArray:
    """-1 for the nearest hit and +1 for the nearest miss of each sample (RELIEF).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target
        Misses of all other classes are pooled; only comparable samples are neighbors.
    dtype : dtype
        Of the data, in whose precision the distances are. Of those that are equal but for rounding
        the sample that comes first is the nearest.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    hit, miss = target.is_neighbor(slice(0, len(target)))
    rows, Q, equal = np.flatnonzero(target.has_hit), np.zeros(D.shape), rounding(dtype)
    Q[rows, first_smallest(np.where(miss, D, np.inf), same=equal)[rows]] += 1
    Q[rows, first_smallest(np.where(hit, D, np.inf), same=equal)[rows]] -= 1
    return Q


def nearest_neighbors(
    D: NDArray, target: Target, k: int, workers: Workers, dtype: DTypeLike = float
) -> NDArray:
    """Equal weights for the k nearest hits and the k nearest misses of each class (RELIEF-F).

    Those of class c sum to ``P(c) / (1 - P(y_n))``, Kononenko's weight.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances. Of those that are equal but for rounding the sample that comes first is the
        nearer.
    target : Target
        What is to be explained. Where it is not classes alone, comparable neighbors count by how
        much of a hit and of a miss they are, and P(c) is the part of class c in all comparable
        misses.
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
    k, nearer = min(k, len(target)), 1 - rounding(dtype)
    return by_rows(D, workers, partial(target.fill_nearest, D, k, nearer))


def band_neighbors(
    D: NDArray,
    target: Target,
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
    target : Target
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
    size, equal = len(target), rounding(dtype)
    low, high = (np.ascontiguousarray(np.broadcast_to(b, size), float) for b in (lower, upper))
    low, high = low * (1 + equal), high * (1 - equal)
    Q = by_rows(D, workers, partial(target.fill_band, D, low, high))
    Q[~target.has_hit] = 0
    return Q


def mean_distance(D: NDArray, target: Target | None = None) -> float:
    """Mean over all pairs of different samples that may be compared.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target, optional
        Which pairs may be compared; all by default.
    """
    C = None if target is None else target.compared_pairs()
    if C is not None:
        return float((D * (C / C.sum())).sum())
    n_samples = len(D)
    return float((D / (n_samples * (n_samples - 1))).sum())  # divided first: no sum overflows


def dead_band(D: NDArray, target: Target | None = None) -> tuple[NDArray, NDArray]:
    """Mean minus and plus half a standard deviation of each sample's distances to the others.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Target, optional
        Which pairs may be compared; all by default.
    """
    C = None if target is None else target.compared_pairs()
    if C is not None:
        return _comparable_band(D, C)
    n_others, largest = len(D) - 1, D.max() or 1.0
    E = D / largest  # whose squares stay in range
    mean = E.sum(axis=1) / n_others
    # The sample's distance 0 to itself adds mean² to the sum of squares.
    square = ((E - mean[:, None]) ** 2).sum(axis=1) - mean**2
    half = np.sqrt(np.maximum(square, 0.0) / n_others) / 2
    return (mean - half) * largest, (mean + half) * largest


def _comparable_band(D: NDArray, C: NDArray) -> tuple[NDArray, NDArray]:
    """`dead_band` of distances weighted by C; a sample without any has an empty band."""
    largest, total = D.max() or 1.0, C.sum(axis=1)
    P = C / np.where(total > 0, total, 1.0)[:, None]
    E = D / largest
    mean = (P * E).sum(axis=1)
    half = np.sqrt((P * (E - mean[:, None]) ** 2).sum(axis=1)) / 2
    return (mean - half) * largest, (mean + half) * largest


def ranked_neighbors(D: NDArray, target: Target, k: int, width: float, workers: Workers) -> NDArray:
    """``P[n, i]`` proportional to ``exp(-(rank / width)^2)`` for the k nearest; rows sum to one.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances. Of those that agree to six digits the sample that comes first is the nearer.
    target : Target
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

    def fill(rows: slice, P: NDArray) -> None:
        hit, miss = target.shares_of(rows)
        C = hit + miss
        allowed = np.where(C > 0, comparable(D[rows]), np.inf)
        nearest = np.argsort(allowed, axis=1, kind="stable")[:, :k]
        weight = by_rank * np.take_along_axis(C, nearest, axis=1)
        total = weight.sum(axis=1, keepdims=True)
        P[rows] = 0
        np.put_along_axis(P[rows], nearest, weight / np.where(total > 0, total, 1.0), axis=1)

    return by_rows(D, workers, fill)


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
