"""Many samples: the neighbors of a few at a time, never a matrix of all pairs.

Where samples are many, the probabilities of all pairs take more memory than the data. But they
follow from the few features that have a weight, so that those of a few samples, a tile, are
computed when they are needed and forgotten. The neighbors may be all samples or references, a
part of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.subsets import random_subset
from hitmiss.data.box_tree import Leaves
from hitmiss.data.in_memory import NEGLIGIBLE, Blocks
from hitmiss.kernels.kernel_constants import NEGLIGIBLE_IN_DOUBLE
from hitmiss.kernels.margins import difference_moments
from hitmiss.kernels.row_tiles import tile_distances, tile_margins, tile_probabilities
from hitmiss.neighbors import class_distances

TILE = 32  # least number of samples whose probabilities exist at once; a multiple of four
PAIRS = 1 << 17  # probabilities that exist at once, if not more by that
TASK = 16  # tiles that a thread takes at a time
TURN = 1 << 14  # samples whose moments exist at once
COLUMNS = 512  # features for which probabilities are computed once
LEAF = 512  # references in a leaf of the tree
SOME = 2000  # samples with which the search begins
TIMES = 4  # as many samples from which on it does
FEW = 16  # features with a weight up to which a tree tells what is far away
# Most numbers of the working precision that a fit holds:
PER_VALUE = 6  # for each value of the features of a start, which all have a weight
PER_COLUMN = 12  # for each sample and feature that is worked on


class SoftTiles:
    """Signed probabilities of soft neighbors, a few rows at a time.

    Where few features have a weight, samples that are close under them are put together, and
    references too far from all samples of a tile to have a probability are left out.

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

    Attributes
    ----------
    references : ndarray of shape (n_references,)
        Samples that may be neighbors, in the order in which they are used here.
    tiles : list of ndarray
        The samples of every tile.
    """

    def __init__(self, A: NDArray, y: NDArray, references: NDArray, sigma: float):
        self.y, self.sigma = y, sigma
        few = 0 < A.shape[1] <= FEW
        self._leaves = Leaves(A[references], y[references], LEAF if few else len(references))
        self.references = references[self._leaves.order]
        size = max(TILE, PAIRS // len(references) // 4 * 4)
        box = max(size, LEAF * len(y) // (4 * len(references)))  # smaller than a leaf
        order = Leaves(A, y, box).order if few else np.arange(len(y))
        self.tiles = [order[n : n + size] for n in range(0, len(order), size)]
        self._R = np.ascontiguousarray(A[self.references].T)
        self.A = A if few or len(references) < len(y) else self._R.T  # many features: once
        self._own = np.full(len(y), -1)
        self._own[self.references] = np.arange(len(references))
        self._negligible = max(NEGLIGIBLE * float(np.finfo(A.dtype).eps), NEGLIGIBLE_IN_DOUBLE)

    def distances(self, rows: NDArray) -> "TileDistances":
        """Distances of the samples of a tile to the references that are near enough."""
        A, labels = padded(self.A[rows]), self.y[rows]
        reach = -np.log(self._negligible) * self.sigma
        near = self._leaves.places(self._leaves.within(A[: len(rows)], labels, reach))
        R = picked(self._R, near)
        D = np.empty((len(A), R.shape[1]), A.dtype)
        tile_distances(A, R, D)
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


class TileDistances(NamedTuple):
    """Distances D, the place of each sample itself, the references' labels and places."""

    D: NDArray
    own: NDArray
    labels: NDArray
    near: list[slice]


class ManySamples(Blocks):
    """Features of very many samples; neighbors come as `SoftTiles`.

    Parameters
    ----------
    blocks : Blocks
        The data.
    references : ndarray, optional
        Samples that may be neighbors, ascending; all by default.
    """

    cheap_moments = 8

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

    def starting_neighbors(
        self, starts: Sequence[float | NDArray], y: NDArray, sigma: float
    ) -> Iterator[Any]:
        """Soft neighbors under every start; a number stands for uniform weights."""
        for start in starts:
            yield self.soft_neighbors(np.broadcast_to(start, self.n_features), y, sigma)

    def class_distances(self, w: NDArray, y: NDArray, sigma: float) -> NDArray:
        """Expected distance of every sample to the others of each class."""
        Q, E = self.soft_neighbors(w, y, sigma), np.full((len(y), y.max() + 1), np.inf)

        def of_tile(rows: NDArray) -> None:
            D, own, labels, _ = Q.distances(rows)
            found = class_distances(D.astype(float), labels, sigma, leave_out=own)
            E[rows, : found.shape[1]] = found

        self.workers.map(of_tile, Q.tiles)
        return E

    def thinned(self, y: NDArray) -> "tuple[Blocks, NDArray] | None":
        """Some samples, and which, if these are so many that a search begins with some of them."""
        rows = some_samples(y)
        if rows is None:
            return None
        X = np.empty((len(rows), self.n_features), self.dtype)
        for start in range(0, self.n_features, COLUMNS):
            part = np.arange(start, min(start + COLUMNS, self.n_features))
            X[:, part] = self._blocks.columns(part).X[rows]
        return ManySamples(Blocks(X, self.workers)), rows

    def margins(self, Q: Any) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        Z = np.empty((self.n_samples, self.n_features), self.dtype)

        def keep(task: int, rows: NDArray, part: slice, tile: NDArray) -> None:
            Z[rows, part] = tile

        self._each_tile(Q, keep, "margins")
        return Z

    def pulled_sums(self, points: Iterable[tuple[Any, NDArray]]) -> NDArray:
        """``sum_n pull_n z_n(j)`` of every (Q, pull) and feature j, without the margin vectors."""
        return np.vstack([self._sums(Q, pull) for Q, pull in points])

    def squared_sums(self, Q: Any, weights: NDArray) -> NDArray:
        """``sum_n weights_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
        return self._sums(Q, weights, squared=True)

    def moments_in_turn(self, Q: Any) -> Iterator[tuple[Any, NDArray, NDArray, NDArray]]:
        """The moments of some samples after the other, of few features."""
        X = self._blocks.columns(np.arange(self.n_features)).X
        R = X[Q.references]
        size = max(1, TURN // len(Q.tiles[0]))
        for k in range(0, len(Q.tiles), size):
            turn = Q.tiles[k : k + size]
            found = self.workers.map(
                lambda rows: tile_moments(X[rows], R, *Q.probabilities(rows)), turn
            )
            miss, hit, second = (np.concatenate(moment) for moment in zip(*found, strict=True))
            yield np.concatenate(turn), miss, hit, second

    def fits(self, n_bytes: int) -> bool:
        """Whether there is room for so much."""
        return self._blocks.fits(n_bytes)

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "ManySamples":
        """The features at `index`, packed."""
        return ManySamples(self._blocks.columns(index, dtype), self.references)

    def digest(self) -> bytes:
        """A hash of the data as they are worked on."""
        return self._blocks.digest()

    def _sums(self, Q: Any, weights: NDArray, *, squared: bool = False) -> NDArray:
        """``sum_n weights_n z_n``, or of the squares; first over the samples of each task."""
        sums = np.zeros((-(-len(Q.tiles) // TASK), self.n_features))

        def add(task: int, rows: NDArray, part: slice, tile: NDArray) -> None:
            Z = tile.astype(float)
            sums[task, part] += weights[rows] @ (np.square(Z) if squared else Z)

        self._each_tile(Q, add, "gradient")
        return sums.sum(axis=0)

    def _each_tile(
        self, Q: Any, function: Callable[[int, NDArray, slice, NDArray], None], name: str
    ) -> None:
        """Call the function for the margin vectors of every tile of samples and part of features.

        It is told the number of the task, too; the tiles of a task come one after the other.
        """
        for start in range(0, self.n_features, COLUMNS):
            part = slice(start, min(start + COLUMNS, self.n_features))
            work = self._work(Q, part, function)
            self.workers.map(work, range(-(-len(Q.tiles) // TASK)), self._label(name))

    def _work(
        self, Q: Any, part: slice, function: Callable[[int, NDArray, slice, NDArray], None]
    ) -> Callable[[int], None]:
        X = self._blocks.columns(np.arange(part.start, part.stop)).X
        R = np.ascontiguousarray(X[Q.references].T)

        def work(task: int) -> None:
            for rows in Q.tiles[task * TASK : (task + 1) * TASK]:
                A = padded(X[rows])
                P, near = Q.probabilities(rows)
                Z = np.empty(A.shape, A.dtype)
                tile_margins(A, picked(R, near), P.astype(A.dtype, copy=False), Z)
                function(task, rows, part, Z[: len(rows)])

        return work


def least_memory(n_samples: int, n_features: int, itemsize: int) -> int:
    """Bytes that a fit in row tiles takes.

    It begins with weights for all features: of all samples, or of some if these are very many.
    """
    begins_with = SOME if n_samples >= TIMES * SOME else n_samples
    numbers = PER_VALUE * begins_with * n_features
    numbers += PER_COLUMN * n_samples * min(n_features, COLUMNS)
    return itemsize * numbers


def tile_moments(
    A: NDArray, R: NDArray, Q: NDArray, near: list[slice]
) -> tuple[NDArray, NDArray, NDArray]:
    """Moments of the differences between the samples A of a tile and the references near them."""
    R = np.concatenate([R[place] for place in near])
    miss, hit, second = np.empty(A.shape), np.empty(A.shape), np.empty((*A.shape, A.shape[1]))
    scratch = np.empty((A.shape[1] + 2, len(R)))
    difference_moments(A, R, Q, 0, len(A), scratch, miss, hit, second)
    return miss, hit, second


def picked(R: NDArray, places: list[slice]) -> NDArray:
    """The columns at some places, side by side."""
    if len(places) == 1:
        return np.ascontiguousarray(R[..., places[0]])
    return np.concatenate([R[..., place] for place in places], axis=-1)


def padded_length(n: int) -> int:
    """The next multiple of four."""
    return -(-n // 4) * 4


def padded(A: NDArray) -> NDArray:
    """Rows of zeros added up to a multiple of four, contiguous."""
    out = np.zeros((padded_length(len(A)), A.shape[1]), A.dtype)
    out[: len(A)] = A
    return out


def some_samples(y: NDArray) -> NDArray | None:
    """Samples with which a search begins if these are very many: ascending, always the same."""
    if len(y) < TIMES * SOME:
        return None
    rows = random_subset(len(y), SOME, np.random.default_rng(0), y)
    rows = np.union1d(rows, balanced_references(y, 2 * (y.max() + 1)))
    return rows if 2 * len(rows) <= len(y) else None  # there may be very many classes


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
