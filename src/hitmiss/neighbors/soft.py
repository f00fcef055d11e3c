"""Soft nearest neighbors: every hit and miss with a probability, and what is expected of them."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss._util.workers import Workers
from hitmiss.kernels.neighbors import pair_probabilities, share_probabilities
from hitmiss.targets.target import Target

if TYPE_CHECKING:
    from hitmiss.neighbors.tiles import PairTiles

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

    def fill_from(n: int) -> None:
        fill(slice(n, min(n + ROWS, n_samples)), Q)

    workers.map(fill_from, range(0, n_samples, ROWS))
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
    return by_rows(D, workers, partial(target.fill_soft, D, sigma))


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
    return by_rows(D, workers, partial(target.fill_soft_by_class, D, sigma))


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
    E = np.empty((len(D), y.max() + 1))
    for label in range(E.shape[1]):
        if comparable is not None:
            E[:, label] = shared_distance(D, comparable * (y == label), sigma)
        else:
            E[:, label] = expected_distance(D, y == label, sigma, leave_out=leave_out)
    return E


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
