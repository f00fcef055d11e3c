"""Neighbor rules: from distances and labels to signed probabilities.

``Q[n, i]`` is the probability that i is the nearest miss of n, or minus the probability that it
is the nearest hit, so that ``sum_i Q[n, i] |x_n - x_i|`` is the margin vector of n.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.neighbors import signed_probabilities
from hitmiss.workers import Workers

TILE = 64


def soft_neighbors(D: NDArray, y: NDArray, sigma: float, workers: Workers) -> NDArray:
    """Signed probabilities under the kernel ``exp(-d / sigma)`` (LOFE eq. 4 and 5).

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    y : ndarray of shape (n_samples,)
        Labels as integers. Misses of all other classes are pooled (LOFE eq. 20).
    sigma : float
        Kernel width.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit or without a miss are zero.
    """
    Q = np.empty(D.shape)
    workers.map(
        lambda n: signed_probabilities(D, y, sigma, n, min(n + TILE, len(y)), Q),
        range(0, len(y), TILE),
    )
    return Q


def class_distances(D: NDArray, y: NDArray, sigma: float, *, leave_out: bool = False) -> NDArray:
    """Expected distance of each sample to each class, with soft neighbors within the class.

    Parameters
    ----------
    D : ndarray of shape (n_queries, n_samples)
        Distances to the samples with labels y.
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    sigma : float
        Kernel width.
    leave_out : bool
        Whether the queries are the samples themselves and none is its own neighbor.

    Returns
    -------
    E : ndarray of shape (n_queries, n_classes)
        Infinite where a class has no sample left.
    """
    columns = [
        expected_distance(D, y == label, sigma, leave_out=leave_out) for label in range(y.max() + 1)
    ]
    return np.column_stack(columns)


def expected_distance(
    D: NDArray, members: NDArray, sigma: float, *, leave_out: bool = False
) -> NDArray:
    """Expected distance of each query to its soft neighbor among `members`."""
    allowed = np.broadcast_to(members, D.shape).copy()
    if leave_out:
        np.fill_diagonal(allowed, False)
    nearest = np.where(allowed, D, np.inf).min(axis=1)
    lonely = np.isinf(nearest)
    shifted = (np.where(lonely, 0.0, nearest)[:, None] - D) / sigma
    P = np.exp(np.where(allowed, shifted, -np.inf))
    total = np.where(lonely, 1.0, P.sum(axis=1))
    return np.where(lonely, np.inf, (P * D).sum(axis=1) / total)
