"""Soft neighbors of very many samples, a tile of rows at a time.

Where samples are many, the probabilities of all pairs take more memory than the data. But they
follow from the few features that have a weight, so that those of a few samples, a tile, are
computed when they are needed and forgotten.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.aligned import padded, padded_length, picked
from hitmiss.data.scaling import NUMBERS, Rule
from hitmiss.data.sizes import NEGLIGIBLE_SHARE
from hitmiss.kernels.margins import NEGLIGIBLE_IN_DOUBLE
from hitmiss.kernels.neighbors import pair_probabilities, share_probabilities
from hitmiss.kernels.row_tiles import tile_class_distances, tile_distances, tile_probabilities
from hitmiss.neighbors.soft import class_distances, expected_values
from hitmiss.targets.target import Target

TILE_ROWS = 32  # least number of samples whose probabilities exist at once; a multiple of four
TILE_PAIRS = 1 << 17  # probabilities that exist at once, if not more by that: 1 MiB of doubles
LEAF = 512  # references in a leaf: its distances to a tile fill the cache, and leaves are few
BOXED_FEATURES = 16  # with a weight, up to which boxes show what is far away; beyond, all overlap


class PairTiles:
    """Signed probabilities of soft neighbors, a few rows at a time.

    The shares of hits and misses are computed anew for every tile. A neighbor that may be compared
    can be far away, so every tile looks at all references.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_used)
        The features that have a weight, times their weights.
    target : Target
        What is to be explained.
    references : ndarray of shape (n_references,)
        Samples that may be neighbors, ascending.
    sigma : float
        Kernel width.
    rule : Rule, optional
        How values differ that are missing or nominal.

    Attributes
    ----------
    references : ndarray of shape (n_references,)
        Samples that may be neighbors, in the order of the columns.
    tiles : list of ndarray
        The samples of every tile.
    """

    def __init__(
        self,
        A: NDArray,
        target: Target,
        references: NDArray,
        sigma: float,
        rule: Rule = NUMBERS,
    ):
        self.A, self.target, self.references, self.sigma = A, target, references, sigma
        self.rule = rule
        self._size = max(TILE_ROWS, TILE_PAIRS // len(references) // 4 * 4)
        rounding = float(np.finfo(A.dtype).eps)
        self._negligible = max(NEGLIGIBLE_SHARE * rounding, NEGLIGIBLE_IN_DOUBLE)
        order = self._arranged()
        self.tiles = [order[n : n + self._size] for n in range(0, len(order), self._size)]

    def _arranged(self) -> NDArray:
        """The order of the samples in the tiles; arranges the references R."""
        self._R = np.ascontiguousarray(self.A[self.references].T)
        return np.arange(len(self.A))

    def distances(self, rows: NDArray, near: list[slice] | None = None) -> NDArray:
        """Distances of the samples of a tile to the references, or to those at some places."""
        A, R = padded(self.A[rows]), self._R if near is None else picked(self._R, near)
        D = np.empty((len(A), R.shape[1]), A.dtype)
        tile_distances(A, R, *self.rule, D)
        return D[: len(rows)]

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Signed probabilities of a tile, padded, and the places of its references."""
        D, shares = self.distances(rows), self.target.shares(rows, self.references)
        Q, trust = _padded_zeros(D), np.empty(len(D))
        pair_probabilities(D, *shares, self.sigma, self._negligible, Q[: len(D)], trust)
        return Q, [slice(0, len(self.references))]

    def class_distances(self, rows: NDArray, n_classes: int) -> NDArray:
        """Expected distances of the samples of a tile to the comparable others of each class."""
        D, labels = self.distances(rows).astype(float), self.target.miss_classes[self.references]
        found = class_distances(D, labels, self.sigma, comparable=self._compared(rows))
        missing = n_classes - found.shape[1]  # classes that have no reference
        return np.pad(found, ((0, 0), (0, missing)), constant_values=np.inf)

    def expected_values(self, rows: NDArray, values: NDArray) -> NDArray:
        """Expected values of the soft neighbors of a tile among the comparable others."""
        D = self.distances(rows).astype(float)
        return expected_values(D, self._compared(rows), values[self.references], self.sigma)

    def _compared(self, rows: NDArray) -> NDArray:
        hit, miss = self.target.shares(rows, self.references)
        return hit + miss


class HitTiles(PairTiles):
    """The part of the hits in these probabilities, with a minus sign."""

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Minus the probabilities of the hits of a tile, and the places of the references."""
        D, (hit, miss) = self.distances(rows), self.target.shares(rows, self.references)
        Q = _padded_zeros(D)
        hit[~(miss > 0).any(axis=1)] = 0.0  # a sample without a miss has no margin
        share_probabilities(D, hit, self.sigma, Q[: len(D)])
        np.negative(Q, out=Q)
        return Q, [slice(0, len(self.references))]


class ClassTiles(PairTiles):
    """The same of classes, whose misses of all other classes are pooled.

    Where few features have a weight, samples that are close under them are put together, and
    references too far from all samples of a tile to have a probability are left out.
    """

    def _arranged(self) -> NDArray:
        A, rule, y, n = self.A, self.rule, self.target.miss_classes, len(self.references)
        few = 0 < A.shape[1] <= BOXED_FEATURES
        self._boxed = rule.numbers
        self._reach = -np.log(self._negligible) * self.sigma + rule.farthest(A)
        given, leaf = self.references, LEAF if few else n
        self._tree = BoxTree(A[given][:, self._boxed], y[given], leaf)
        self.references = given[self._tree.order]
        box = max(self._size, LEAF * len(y) // (4 * n))  # smaller than a leaf
        order = BoxTree(A[:, self._boxed], y, box).order if few else np.arange(len(y))
        self._R = np.ascontiguousarray(A[self.references].T)
        self.A = A if few or n < len(y) else self._R.T  # many features: once
        self._y, self._own = y, np.full(len(y), -1)
        self._own[self.references] = np.arange(n)
        return order

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Signed probabilities of a tile, padded, and the places of its references."""
        D, own, labels, near = self._near(rows)
        Q = _padded_zeros(D)
        place = self._y[rows], own, labels, self.sigma, self._negligible
        tile_probabilities(D, *place, Q[: len(D)])
        return Q, near

    def class_distances(self, rows: NDArray, n_classes: int) -> NDArray:
        """Expected distances of the samples of a tile to each class, themselves left out."""
        D, own, labels, _ = self._near(rows)
        order = np.argsort(labels, kind="stable")
        place = np.empty(len(order) + 1, int)
        place[order], place[-1] = np.arange(len(order)), -1  # where it is none, -1
        edges = np.searchsorted(labels[order], np.arange(n_classes + 1))
        E = np.empty((len(rows), n_classes))
        tile_class_distances(D, order, edges, place[own], self.sigma, E)
        return E

    def _near(self, rows: NDArray) -> tuple[NDArray, NDArray, NDArray, list[slice]]:
        """Of the references near enough: distances, each sample itself, labels, places."""
        queries = self.A[rows][:, self._boxed]
        near = self._tree.places(self._tree.within(queries, self._y[rows], self._reach))
        own, passed = np.full(len(rows), -1), 0
        for place in near:
            inside = (self._own[rows] >= place.start) & (self._own[rows] < place.stop)
            own[inside] = self._own[rows][inside] - place.start + passed
            passed += place.stop - place.start
        return self.distances(rows, near), own, self._y[picked(self.references, near)], near


def _padded_zeros(D: NDArray) -> NDArray:
    return np.zeros((padded_length(len(D)), D.shape[1]), D.dtype)


class BoxTree:
    """Points cut in half across the longest side of their box, until few are left in a leaf.

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
        """Places of the points of some leaves in the order; neighboring leaves in one piece."""
        ends = np.flatnonzero(np.diff(leaves) > 1) + 1
        runs = pairwise([0, *ends.tolist(), len(leaves)])
        return [slice(self.edges[leaves[a]], self.edges[leaves[b - 1] + 1]) for a, b in runs]


def _halved(A: NDArray, size: int) -> list[NDArray]:
    """Indices of the points of every leaf, from left to right."""
    left, done = [np.arange(len(A))], []
    while left:
        index = left.pop()
        points = A[index]
        sides = np.ptp(points, axis=0)
        if len(index) <= size or not sides.any():
            done.append(index)
            continue
        order = np.argpartition(points[:, sides.argmax()], len(index) // 2)
        half = len(index) // 2
        left += [np.sort(index[order[half:]]), np.sort(index[order[:half]])]
    return done
