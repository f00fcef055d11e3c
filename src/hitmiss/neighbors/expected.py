"""Expected distance, or value, of the soft nearest neighbor."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.neighbors import share_probabilities


def class_distances(
    D: NDArray,
    y: NDArray,
    sigma: float,
    *,
    leave_out: bool | NDArray = False,
    comparable: NDArray | None = None,
) -> NDArray:
    """Expected distance of each sample to each class, with soft neighbors within the class.

    Parameters
    ----------
    D : ndarray of shape (n_queries, n_samples)
        Distances to the samples with labels y.
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    sigma : float
        Kernel width.
    leave_out : bool or ndarray of shape (n_queries,)
        Whether the queries are the samples themselves and none is its own neighbor, or the place
        of each query among the samples, -1 for none.
    comparable : ndarray of shape (n_queries, n_samples), optional
        How far each sample may be compared with each query, instead of `leave_out`.

    Returns
    -------
    E : ndarray of shape (n_queries, n_classes)
        Infinite where a class has no sample left.
    """
    if comparable is not None:
        by_class = [comparable * (y == label) for label in range(y.max() + 1)]
        return np.column_stack([shared_distance(D, share, sigma) for share in by_class])
    columns = [
        expected_distance(D, y == label, sigma, leave_out=leave_out) for label in range(y.max() + 1)
    ]
    return np.column_stack(columns)


def expected_distance(
    D: NDArray, members: NDArray, sigma: float, *, leave_out: bool | NDArray = False
) -> NDArray:
    """Expected distance of each query to its soft neighbor among `members`.

    Parameters
    ----------
    D : ndarray of shape (n_queries, n_samples)
        Distances.
    members : ndarray of bool, shape (n_samples,)
        The samples that may be neighbors.
    sigma : float
        Kernel width.
    leave_out : bool or ndarray of shape (n_queries,)
        As in `class_distances`.
    """
    near, itself = D[:, members], None
    if leave_out is not False:
        own = np.arange(len(D)) if leave_out is True else leave_out
        queries = np.flatnonzero((own >= 0) & members[own])
        itself = queries, (np.cumsum(members) - 1)[own[queries]]
        near[itself] = np.inf
    nearest = near.min(axis=1, initial=np.inf)
    lonely = np.isinf(nearest)
    least = np.where(lonely, 0.0, nearest)
    if itself is not None:
        near[itself] = least[itself[0]]  # finite, for a kernel of infinite width
    P = np.exp((least[:, None] - near) / sigma)
    if itself is not None:
        P[itself] = 0.0
    total = np.where(lonely, 1.0, P.sum(axis=1))
    return np.where(lonely, np.inf, (P * near).sum(axis=1) / total)


def shared_distance(D: NDArray, share: NDArray, sigma: float) -> NDArray:
    """Expected distance of each query to its soft neighbor among samples that have a share.

    Parameters
    ----------
    D : ndarray of shape (n_queries, n_samples)
        Distances.
    share : ndarray of shape (n_queries, n_samples)
        Of a neighbor each sample is, at least 0.
    sigma : float
        Kernel width.

    Returns
    -------
    ndarray of shape (n_queries,)
        Infinite where no sample has a share.
    """
    P = np.empty(D.shape)
    share_probabilities(D, share, sigma, P)
    return np.where((share > 0).any(axis=1), (P * D).sum(axis=1), np.inf)


def expected_values(D: NDArray, share: NDArray, values: NDArray, sigma: float) -> NDArray:
    """Expected value of the soft neighbor of each query: regression by a kernel.

    Parameters
    ----------
    D : ndarray of shape (n_queries, n_samples)
        Distances.
    share : ndarray of shape (n_queries, n_samples)
        Of a neighbor each sample is, at least 0.
    values : ndarray of shape (n_samples,)
        Of the samples.
    sigma : float
        Kernel width.

    Returns
    -------
    ndarray of shape (n_queries,)
        NaN where no sample has a share.
    """
    P = np.empty(D.shape)
    share_probabilities(D, share, sigma, P)
    return np.where((share > 0).any(axis=1), P @ values, np.nan)
