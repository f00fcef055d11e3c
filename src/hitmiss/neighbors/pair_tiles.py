"""Soft neighbors of a target that is asked about pairs, a tile of rows at a time."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.row_tiles import padded, padded_length
from hitmiss.data.scaling import Rule
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.margins import NEGLIGIBLE_IN_DOUBLE
from hitmiss.kernels.neighbors import pair_probabilities, share_probabilities
from hitmiss.kernels.row_tiles import tile_distances
from hitmiss.targets.target import PairTarget


class PairTiles:
    """Signed probabilities of soft neighbors, a few rows at a time.

    How much of a hit and of a miss a pair is, is found anew with every tile. A neighbor that may be
    compared can be far away, so every tile looks at all references.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_used)
        The features that have a weight, times their weights.
    target : PairTarget
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
        Samples that may be neighbors.
    tiles : list of ndarray
        The samples of every tile.
    """

    def __init__(
        self,
        A: NDArray,
        target: PairTarget,
        references: NDArray,
        sigma: float,
        rule: Rule | None = None,
    ):
        self.A, self.target, self.references, self.sigma = A, target, references, sigma
        self.rule = rule
        size = max(sizes.TILE_ROWS, sizes.TILE_PAIRS // len(references) // 4 * 4)
        order = np.arange(len(A))
        self.tiles = [order[n : n + size] for n in range(0, len(order), size)]
        self._R = np.ascontiguousarray(A[references].T)
        rounding = float(np.finfo(A.dtype).eps)
        self._negligible = max(sizes.NEGLIGIBLE_SHARE * rounding, NEGLIGIBLE_IN_DOUBLE)

    def distances(self, rows: NDArray) -> NDArray:
        """Distances of the samples of a tile to the references."""
        A = padded(self.A[rows])
        D = np.empty((len(A), self._R.shape[1]), A.dtype)
        tile_distances(A, self._R, *(self.rule or NUMBERS), D)
        return D[: len(rows)]

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Signed probabilities of the samples of a tile, padded, and whose they are."""
        D = self.distances(rows)
        Q = np.zeros((padded_length(len(D)), D.shape[1]), D.dtype)
        shares = self.target.shares(rows, self.references)
        trust = np.empty(len(D))
        pair_probabilities(D, *shares, self.sigma, self._negligible, Q[: len(D)], trust)
        return Q, [slice(0, len(self.references))]


class HitTiles(PairTiles):
    """The part of the hits in these probabilities, with a minus sign."""

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Minus the probabilities of the hits of a tile, padded, and whose they are."""
        D = self.distances(rows)
        Q = np.zeros((padded_length(len(D)), D.shape[1]), D.dtype)
        hit, miss = self.target.shares(rows, self.references)
        hit[~(miss > 0).any(axis=1)] = 0.0  # a sample without a miss has no margin
        share_probabilities(D, hit, self.sigma, Q[: len(D)])
        np.negative(Q, out=Q)
        return Q, [slice(0, len(self.references))]
