"""Soft neighbors of very many samples, a tile of rows at a time.

Where samples are many, the probabilities of all pairs take more memory than the data. But they
follow from the few features that have a weight, so that those of a few samples, a tile, are
computed when they are needed and forgotten.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.row_tiles import padded, padded_length, picked
from hitmiss.data.scaling import Rule
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.margins import NEGLIGIBLE_IN_DOUBLE
from hitmiss.kernels.row_tiles import tile_class_distances, tile_distances, tile_probabilities
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.box_tree import BoxTree
from hitmiss.targets.classes import Classes


class SoftTiles:
    """Signed probabilities of soft neighbors, a few rows at a time.

    Where few features have a weight, samples that are close under them are put together, and
    references too far from all samples of a tile to have a probability are left out.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_used)
        The features that have a weight, times their weights.
    target : Classes
        Misses of all other classes are pooled.
    references : ndarray of shape (n_references,)
        Samples that may be neighbors.
    sigma : float
        Kernel width.
    rule : Rule, optional
        How values differ that are missing or nominal.

    Attributes
    ----------
    references : ndarray of shape (n_references,)
        Samples that may be neighbors, in the order in which they are used here.
    tiles : list of ndarray
        The samples of every tile.
    """

    def __init__(
        self,
        A: NDArray,
        target: Classes,
        references: NDArray,
        sigma: float,
        rule: Rule | None = None,
    ):
        self.y, self.sigma, self.rule = target.codes, sigma, rule
        y, few = self.y, 0 < A.shape[1] <= tile_sizes.BOXED_FEATURES
        leaf = tile_sizes.LEAF if few else len(references)
        self._boxed = slice(None) if rule is None else rule.numbers
        self._slack = 0.0 if rule is None else rule.farthest(A)
        self._tree = BoxTree(A[references][:, self._boxed], y[references], leaf)
        self.references = references[self._tree.order]
        size = max(sizes.TILE_ROWS, sizes.TILE_PAIRS // len(references) // 4 * 4)
        box = max(size, tile_sizes.LEAF * len(y) // (4 * len(references)))  # smaller than a leaf
        order = BoxTree(A[:, self._boxed], y, box).order if few else np.arange(len(y))
        self.tiles = [order[n : n + size] for n in range(0, len(order), size)]
        self._R = np.ascontiguousarray(A[self.references].T)
        self.A = A if few or len(references) < len(y) else self._R.T  # many features: once
        self._own = np.full(len(y), -1)
        self._own[self.references] = np.arange(len(references))
        rounding = float(np.finfo(A.dtype).eps)
        self._negligible = max(sizes.NEGLIGIBLE_SHARE * rounding, NEGLIGIBLE_IN_DOUBLE)

    def distances(self, rows: NDArray) -> "TileDistances":
        """Distances of the samples of a tile to the references that are near enough."""
        A, labels = padded(self.A[rows]), self.y[rows]
        reach = -np.log(self._negligible) * self.sigma + self._slack
        near = self._tree.places(self._tree.within(A[: len(rows), self._boxed], labels, reach))
        R = picked(self._R, near)
        D = np.empty((len(A), R.shape[1]), A.dtype)
        tile_distances(A, R, *(self.rule or NUMBERS), D)
        own, passed = np.full(len(rows), -1), 0
        for place in near:
            inside = (self._own[rows] >= place.start) & (self._own[rows] < place.stop)
            own[inside] = self._own[rows][inside] - place.start + passed
            passed += place.stop - place.start
        found = self.y[picked(self.references, near)]
        return TileDistances(D[: len(rows)], own, found, near)

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Signed probabilities of the samples of a tile, padded, and whose they are."""
        D, own, labels, near = self.distances(rows)
        Q = np.zeros((padded_length(len(D)), D.shape[1]), D.dtype)
        place = self.y[rows], own, labels, self.sigma, self._negligible
        tile_probabilities(D, *place, Q[: len(D)])
        return Q, near

    def class_distances(self, rows: NDArray, n_classes: int) -> NDArray:
        """Expected distances of the samples of a tile to each class, themselves left out."""
        D, own, labels, _ = self.distances(rows)
        order = np.argsort(labels, kind="stable")
        place = np.empty(len(order) + 1, int)
        place[order], place[-1] = np.arange(len(order)), -1  # where it is none, -1
        edges = np.searchsorted(labels[order], np.arange(n_classes + 1))
        E = np.empty((len(rows), n_classes))
        tile_class_distances(D, order, edges, place[own], self.sigma, E)
        return E


class TileDistances(NamedTuple):
    """Distances D, the place of each sample itself, the references' labels and places."""

    D: NDArray
    own: NDArray
    labels: NDArray
    near: list[slice]
