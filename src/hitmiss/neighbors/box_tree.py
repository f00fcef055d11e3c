"""A tree of boxes over points, which finds the leaves that may hold near neighbors."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


class BoxTree:
    """Points cut in half, along the direction of largest spread, until few are left in a leaf.

    Parameters
    ----------
    A : ndarray of shape (n_points, n_features)
        The points; their distances are Manhattan distances.
    y : ndarray of shape (n_points,)
        Labels as integers from 0.
    size : int
        Largest number of points in a leaf.

    Attributes
    ----------
    order : ndarray of shape (n_points,)
        The points, leaf by leaf.
    edges : ndarray of shape (n_leaves + 1,)
        Where the leaves begin and end in that order.

    Examples
    --------
    >>> points = np.array([[0.0], [9.0], [1.0], [8.0]])
    >>> tree = BoxTree(points, np.array([0, 1, 0, 1]), 2)
    >>> tree.order
    array([0, 2, 1, 3])
    """

    def __init__(self, A: NDArray, y: NDArray, size: int):
        parts = _halved(A, size)
        self.order = np.concatenate(parts)
        self.edges = np.cumsum([0, *map(len, parts)])
        self._low = np.array([A[part].min(axis=0) for part in parts])
        self._high = np.array([A[part].max(axis=0) for part in parts])
        self._count = np.array([np.bincount(y[part], minlength=y.max() + 1) for part in parts])

    def within(self, queries: NDArray, labels: NDArray, reach: float) -> NDArray:
        """Leaves that may hold a hit, or a miss, that is at most `reach` beyond the nearest one.

        Parameters
        ----------
        queries : ndarray of shape (n_queries, n_features)
            Points; each may be among those of the leaves itself.
        labels : ndarray of shape (n_queries,)
            Their labels.
        reach : float
            A distance.

        Returns
        -------
        leaves : ndarray
            Numbers of the leaves, ascending.
        """
        low, high = queries.min(axis=0), queries.max(axis=0)
        nearest = np.maximum(np.maximum(self._low - high, low - self._high), 0.0).sum(axis=1)
        farthest = np.maximum(self._high - low, high - self._low).sum(axis=1)
        # A leaf with two points of a class has one that is not the query itself.
        bound = np.where(self._count > 1, farthest[:, None], np.inf).min(axis=0)
        needed = np.zeros(len(nearest), bool)
        for label in np.unique(labels):
            own = np.arange(len(bound)) == label
            limit = reach + np.where(own, bound, bound[~own].min())
            needed |= ((self._count > 0) & (nearest[:, None] <= limit)).any(axis=1)
        return np.flatnonzero(needed)

    def places(self, leaves: NDArray) -> list[slice]:
        """Where the points of some leaves are in the order; leaves side by side in one piece."""
        ends = np.flatnonzero(np.diff(leaves) > 1) + 1
        runs = pairwise([0, *ends.tolist(), len(leaves)])
        return [slice(self.edges[leaves[a]], self.edges[leaves[b - 1] + 1]) for a, b in runs]


def _halved(A: NDArray, size: int) -> list[NDArray]:
    """Indices of the points of every leaf, from left to right."""
    left, done = [np.arange(len(A))], []
    while left:
        index = left.pop()
        points = A[index]
        spread = np.ptp(points, axis=0)
        if len(index) <= size or not spread.any():
            done.append(index)
            continue
        order = np.argpartition(points[:, spread.argmax()], len(index) // 2)
        half = len(index) // 2
        left += [np.sort(index[order[half:]]), np.sort(index[order[:half]])]
    return done
