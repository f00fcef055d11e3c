"""Many samples: the neighbors of a few at a time, never a matrix of all pairs.

Where samples are many, the probabilities of all pairs take more memory than the data. But they
follow from the few features that have a weight, so that those of a few samples, a tile, are
computed when they are needed and forgotten. The neighbors may be all samples or references, a
part of them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.blocks import NEGLIGIBLE, Blocks
from hitmiss.kernels.margins import difference_moments
from hitmiss.kernels.tiles import tile_distances, tile_margins, tile_probabilities

TILE = 32  # samples whose probabilities exist at once; a multiple of four
TASK = 512  # samples that a thread takes at a time
TURN = 1 << 14  # samples whose moments exist at once
COLUMNS = 512  # features for which probabilities are computed once


class SoftTiles:
    """Signed probabilities of soft neighbors, a few rows at a time.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_used)
        The features that have a weight, times their weights.
    y : ndarray of shape (n_samples,)
        Labels as integers. Misses of all other classes are pooled.
    references : ndarray of shape (n_references,)
        Samples that may be neighbors.
    sigma : float
        Kernel width.
    """

    def __init__(self, A: NDArray, y: NDArray, references: NDArray, sigma: float):
        self.A, self.y, self.sigma, self.references = A, y, sigma, references
        self._R = np.ascontiguousarray(A[references].T)
        self._labels = y[references]
        self.own = np.full(len(y), -1)
        self.own[references] = np.arange(len(references))
        self._negligible = NEGLIGIBLE * float(np.finfo(A.dtype).eps)
        self.pull: NDArray | None = None

    def weighted(self, pull: NDArray) -> "SoftTiles":
        """The same neighbors, each row times a number."""
        twin = SoftTiles.__new__(SoftTiles)
        vars(twin).update(vars(self), pull=pull)
        return twin

    def distances(self, rows: slice) -> NDArray:
        """Distances of some samples to the references."""
        A = padded(self.A[rows])
        D = np.empty((len(A), self._R.shape[1]), A.dtype)
        tile_distances(A, self._R, D)
        return D[: rows.stop - rows.start]

    def rows(self, rows: slice) -> NDArray:
        """Signed probabilities of some samples, padded by rows of zeros."""
        D = self.distances(rows)
        Q = np.zeros((padded_length(len(D)), D.shape[1]), D.dtype)
        place = self.y[rows], self.own[rows], self._labels, self.sigma, self._negligible
        tile_probabilities(D, *place, Q[: len(D)])
        return Q


class ManySamples(Blocks):
    """Features of very many samples; neighbors come as `SoftTiles`.

    Parameters
    ----------
    blocks : Blocks
        The data.
    references : ndarray, optional
        Samples that may be neighbors, ascending; all by default.
    """

    def __init__(self, blocks: Blocks, references: NDArray | None = None):
        self.workers, self.center, self.factor = blocks.workers, blocks.center, blocks.factor
        self._measure((blocks.n_samples, blocks.n_features), blocks.dtype)
        self._blocks = blocks
        self.references = np.arange(self.n_samples) if references is None else references

    @property
    def X(self) -> NDArray:  # type: ignore[override]
        """The features themselves."""
        return self._blocks.X

    def soft_neighbors(self, w: NDArray, y: NDArray, sigma: float) -> SoftTiles:
        """Soft neighbors under the weights w."""
        support = np.flatnonzero(w)
        A = self._blocks.columns(support).X * w[support].astype(self.dtype)
        return SoftTiles(A, y, self.references, sigma)

    def margins(self, Q: Any) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        Z = np.empty((self.n_samples, self.n_features), self.dtype)

        def keep(rows: slice, part: slice, tile: NDArray) -> None:
            Z[rows, part] = tile

        self._each_tile(Q, keep, "margins")
        return Z

    def difference_sums(self, matrices: Sequence[Any]) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every S and feature j, one row per S."""
        return np.vstack([self._sums(S, S.pull, lambda Z: Z) for S in matrices])

    def squared_sums(self, Q: Any, weights: NDArray) -> NDArray:
        """``sum_n weights_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
        return self._sums(Q, weights, np.square)[0]

    def moments_in_turn(self, Q: Any) -> Iterator[tuple[slice, NDArray, NDArray, NDArray]]:
        """The moments of some samples after the other, of few features."""
        X = np.ascontiguousarray(self._blocks.columns(np.arange(self.n_features)).X)
        R = X[self.references]
        for turn in tiles(slice(0, self.n_samples), TURN):
            yield turn, *self._moments(X, R, Q, turn)

    def _moments(
        self, X: NDArray, R: NDArray, Q: SoftTiles, turn: slice
    ) -> tuple[NDArray, NDArray, NDArray]:
        shape = (turn.stop - turn.start, self.n_features)
        miss, hit, second = np.empty(shape), np.empty(shape), np.empty((*shape, shape[1]))

        def find(tile: slice) -> None:
            scratch = np.empty((self.n_features + 2, len(R)))
            here = slice(tile.start - turn.start, tile.stop - turn.start)
            found = miss[here], hit[here], second[here]
            n_rows = tile.stop - tile.start
            difference_moments(X[tile], R, Q.rows(tile), 0, n_rows, scratch, *found)

        self.workers.map(find, tiles(turn, TILE))
        return miss, hit, second

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "ManySamples":
        """The features at `index`, packed."""
        return ManySamples(self._blocks.columns(index, dtype), self.references)

    def digest(self) -> bytes:
        """A hash of the data as they are worked on."""
        return self._blocks.digest()

    def _sums(self, Q: Any, weights: NDArray, power: Callable[[NDArray], NDArray]) -> NDArray:
        """``sum_n weights_n power(z_n)``; the samples of a task are added first, then the tasks."""
        sums = np.zeros((-(-self.n_samples // TASK), self.n_features))

        def add(rows: slice, part: slice, tile: NDArray) -> None:
            sums[rows.start // TASK, part] += weights[rows] @ power(tile.astype(float))

        self._each_tile(Q, add, "gradient")
        return sums.sum(axis=0, keepdims=True)

    def _each_tile(
        self, Q: Any, function: Callable[[slice, slice, NDArray], None], name: str
    ) -> None:
        """Call the function for the margin vectors of every tile of samples and part of features.

        The tiles of one task come one after the other.
        """
        for start in range(0, self.n_features, COLUMNS):
            part = slice(start, min(start + COLUMNS, self.n_features))
            X = self._blocks.columns(np.arange(part.start, part.stop)).X
            work = _Work(X, np.ascontiguousarray(X[self.references].T), Q, part, function)
            self.workers.map(work, tiles(slice(0, self.n_samples), TASK), self._label(name))


class _Work:
    """The margin vectors of the samples of a task, a tile at a time."""

    def __init__(self, X: NDArray, R: NDArray, Q: SoftTiles, part: slice, function: Any):
        self.X, self.R, self.Q, self.part, self.function = X, R, Q, part, function

    def __call__(self, task: slice) -> None:
        for rows in tiles(task, TILE):
            A = padded(self.X[rows])
            Z = np.empty(A.shape, A.dtype)
            Q = self.Q.rows(rows).astype(A.dtype, copy=False)
            tile_margins(A, self.R, Q, Z)
            self.function(rows, self.part, Z[: rows.stop - rows.start])


def tiles(rows: slice, size: int) -> list[slice]:
    """Some samples in pieces of at most `size`."""
    return [slice(n, min(n + size, rows.stop)) for n in range(rows.start, rows.stop, size)]


def padded_length(n: int) -> int:
    """The next multiple of four."""
    return -(-n // 4) * 4


def padded(A: NDArray) -> NDArray:
    """Rows of zeros added up to a multiple of four, contiguous."""
    out = np.zeros((padded_length(len(A)), A.shape[1]), A.dtype)
    out[: len(A)] = A
    return out


def balanced_references(y: NDArray, size: int) -> NDArray:
    """Samples that stand for all, as many of each class as there are, up to `size` in all.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    size : int
        Largest number of references.

    Returns
    -------
    references : ndarray of shape (n_references,)
        Ascending; drawn at random, but always the same.
    """
    rng, counts = np.random.default_rng(0), np.bincount(y)
    quota, left = np.zeros_like(counts), size
    for c in np.argsort(counts, kind="stable"):  # what a small class leaves goes to the larger
        still = len(counts) - np.count_nonzero(quota)
        quota[c] = min(counts[c], max(left // still, 2))
        left -= quota[c]
    parts = [rng.permutation(np.flatnonzero(y == c))[:q] for c, q in enumerate(quota)]
    return np.sort(np.concatenate(parts))
