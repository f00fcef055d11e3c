"""Expected distance, or value, of the soft nearest neighbor."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.neighbors import share_probabilities

if TYPE_CHECKING:
    from hitmiss.neighbors.tiles import PairTiles


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


class LeftOutPairs:
    """Expected values of the soft neighbors of two samples, found without either of them.

    Leaving out one sample at a time moves the mean of the others away from its own value, so that
    values which say nothing seem to be ordered the wrong way. Without both samples of a pair, such
    values are equal.

    Parameters
    ----------
    tiles : PairTiles
        All samples, with all of them as references.
    values : ndarray of shape (n_samples,)
        What is expected.
    neighbors : ndarray of int
        The samples that may be neighbors.
    """

    def __init__(self, tiles: "PairTiles", values: NDArray, neighbors: NDArray):
        self._tiles, self._values = tiles, values
        self._allowed = np.isin(np.arange(len(values)), neighbors)
        # Of every sample: its expected value without itself and, also without its nearest neighbor;
        # the logarithm of the sum of its kernel.
        self._expected, self._next, self._log_total = np.full((3, len(values)), np.nan)
        for rows in tiles.tiles:
            self._prepare(rows)

    def of(self, rows: NDArray) -> tuple[NDArray, NDArray]:
        """Expected values of some samples, each without every other, and of every other without it.

        Parameters
        ----------
        rows : ndarray of int
            The samples.

        Returns
        -------
        own, other : ndarray of shape (n_rows, n_samples)
            NaN where no neighbor is left.
        """
        nearness, values = self._nearness(rows), self._values
        shared, allowed = nearness - self._log_total[rows][:, None], self._allowed[None, :]
        own = _without(shared, values, self._expected[rows][:, None], self._next[rows][:, None])
        own = np.where(allowed, own, self._expected[rows][:, None])
        other = _without(
            nearness - self._log_total, values[rows][:, None], self._expected, self._next
        )
        return own, np.where(self._allowed[rows][:, None], other, self._expected)

    def _nearness(self, rows: NDArray) -> NDArray:
        """Logarithm of the kernel times the share of every pair; minus infinity without a share."""
        hit, miss = self._tiles.target.shares(rows, self._tiles.references)
        with np.errstate(divide="ignore"):
            shares = np.log(hit + miss)
        return shares - self._tiles.distances(rows).astype(float) / self._tiles.sigma

    def _prepare(self, rows: NDArray) -> None:
        nearness = np.where(self._allowed, self._nearness(rows), -np.inf)
        self._expected[rows], self._log_total[rows] = _expected(nearness, self._values)
        np.put_along_axis(nearness, nearness.argmax(axis=1)[:, None], -np.inf, axis=1)
        self._next[rows] = _expected(nearness, self._values)[0]


def _expected(nearness: NDArray, values: NDArray) -> tuple[NDArray, NDArray]:
    """Mean of the values, and logarithm of the sum, of the kernel; NaN where that is zero."""
    nearest = nearness.max(axis=1, keepdims=True)
    kernel = np.exp(nearness - np.where(np.isfinite(nearest), nearest, 0.0))
    total = kernel.sum(axis=1)
    total[total == 0] = np.nan
    return kernel @ values / total, np.log(total) + nearest[:, 0]


def _without(nearness: NDArray, value: NDArray, expected: NDArray, following: NDArray) -> NDArray:
    """Expected values without a neighbor of this value; `following` is that without the nearest."""
    P = np.exp(np.minimum(nearness, 0.0))
    most = P > 0.5  # of the nearest only; the difference would lose digits there
    return np.where(most, following, (expected - P * value) / np.where(most, 1.0, 1 - P))
