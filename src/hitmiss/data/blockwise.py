"""Answers from passes over blocks of features, wherever the blocks come from.

A block is packed when it is needed: columns shifted and scaled, rows padded to a multiple of
four, contiguous. So the data is never copied as a whole, whatever its memory layout, and dividing
by the range costs nothing.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH, padded, padded_length, page_aligned, picked
from hitmiss.data.features import (
    Features,
    Neighbors,
    PairWeights,
    Tiles,
    WeightedTiles,
    grouped,
    is_matrix,
)
from hitmiss.data.scaling import Part, Scaling, balance_of
from hitmiss.kernels.distances import add_pair_distances, mirror_upper
from hitmiss.kernels.margins import margin_vectors, pad_weights
from hitmiss.kernels.row_tiles import tile_margins
from hitmiss.kernels.sums import (
    column_sums,
    column_sums_two,
    difference_sums,
    difference_sums_two,
    fold_upper,
    pair_sums,
)

if TYPE_CHECKING:
    from hitmiss.data.in_memory import InMemory

Packed = tuple[NDArray, NDArray | None, NDArray | None]  # a block, and its gap and cap

LEAST_BLOCK = 64  # features: whole vectors and cache lines in either precision
LANE_ROWS = 256  # samples up to which a matrix of distances fits the cache, one for each lane
N_LANES = 8  # sums of distances kept apart then: as many threads may work, and the order is fixed
# Samples from which on differences are summed by column, whatever part of the features a window or
# a worker holds. With 3,000 x 2,000 values in single precision that takes 0.36 s of one core, by
# row 0.42; under two weights 0.73 and 1.05.
COLUMN_SAMPLES = 2000
TILES_PER_TASK = 16  # that a thread takes at a time: its sums stay apart, which fixes the order


class Block(NamedTuple):
    """A block: its place in the answer, and the features that it is made of."""

    answer: slice
    features: Part


class Window(NamedTuple):
    """Blocks that are in memory together: their places there, and the name of a long pass."""

    data: "InMemory"
    blocks: list[Block]
    label: str


class Blockwise(Features):
    """Features in blocks; a subclass says where the blocks come from.

    Parameters
    ----------
    shape : tuple of int
        Number of samples and of features.
    dtype : dtype
        Of the raw values.
    workers : Workers
        Where the work runs.
    scaling : Scaling
        What becomes of the raw values.
    """

    room = np.inf

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype, workers: Workers, scaling: Scaling):
        self.n_samples, self.n_features = shape
        self.dtype, self.workers, self.scaling = working_dtype(dtype), workers, scaling
        self.n_padded = padded_length(self.n_samples)
        size = sizes.BLOCK_BYTES // (self.dtype.itemsize * self.n_padded)
        self.block_size = min(
            max(size // LEAST_BLOCK * LEAST_BLOCK, LEAST_BLOCK), sizes.LARGEST_BLOCK
        )

    @abstractmethod
    def _windows(self, blocks: list[Block], name: str) -> Iterator[Window]:
        """The blocks, as many at once as there is room for."""

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        n = self.n_padded
        support = np.flatnonzero(w)
        blocks, weights = self._blocks(support), w[support]
        if n <= LANE_ROWS:
            return self._lane_distances(blocks, weights)
        D, one, size = np.zeros((n, n)), self.dtype.type(1), sizes.GROUP_BLOCKS
        tiles = self.row_ranges(triangular=True, work=len(support) * n**2 // 2)

        def pack(data: "InMemory", block: Block) -> Packed:
            memory = page_aligned((n, len(weights[block.answer])), self.dtype)
            return data.pack(block.features, weights[block.answer], memory)

        def add(packed: list[Packed], tile: tuple[int, int]) -> None:
            for block in packed:
                add_pair_distances(*block, *tile, one, D)

        for data, some, label in self._windows(blocks, "distances"):
            for k in self.workers.watched(range(0, len(some), size), label):
                # 1. A few blocks, each packed by one thread: values times weights.
                packed = self.workers.map(partial(pack, data), some[k : k + size])
                # 2. Their distances, each thread for some rows n: ``sum_j |w_j x_nj - w_j x_ij|``.
                self.workers.map(partial(add, packed), tiles)
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def _lane_distances(self, blocks: list[Block], weights: NDArray) -> NDArray:
        """Distances of few samples: a block is used up while it is in the cache."""
        n, one = self.n_padded, self.dtype.type(1)
        n_lanes, n_done = max(min(N_LANES, len(blocks)), 1), 0
        lanes = SCRATCH.take("lanes", (n_lanes, n, n), np.dtype(float))
        lanes.fill(0)

        def add(data: "InMemory", some: list[Block], n_before: int, lane: int) -> None:
            for block in some[(lane - n_before) % n_lanes :: n_lanes]:
                packed = data.pack(block.features, weights[block.answer])
                add_pair_distances(*packed, 0, n, one, lanes[lane])

        for data, some, label in self._windows(blocks, "distances"):
            self.workers.map(partial(add, data, some, n_done), range(n_lanes), label)
            n_done += len(some)
        D = lanes.sum(axis=0)
        SCRATCH.give("lanes", lanes)
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        found = [self._sums(group, index) for group in grouped(weights)]
        return found[0] if len(found) == 1 else np.vstack(found)

    def _sums(self, weights: list[Any], index: Part | None) -> NDArray:
        """`sums` of some matrices, some lists of pairs, or one set of tiles."""
        if isinstance(weights[0], WeightedTiles):
            return self._of_tiles(*weights[0], index=index)[None]
        # 1. Every pair once, in the working precision.
        of_matrices = is_matrix(weights[0])
        if of_matrices:
            pairs = list(map(self._folded, weights))
        else:
            pairs = [S._replace(weight=S.weight.astype(self.dtype, copy=False)) for S in weights]
        last, totals = len(pairs) - 1, np.zeros((len(pairs), self._width(index)))

        def add(data: "InMemory", block: Block) -> None:
            packed = data.pack(block.features)
            total = totals[:, block.answer]
            sums = SCRATCH.array("sums", (2, total.shape[1]), self.dtype)
            # 2. A list: the differences of its pairs.
            if not of_matrices:
                for k, listed in enumerate(pairs):
                    pair_sums(*packed, *listed, sums[0], total[k])
            # 3. Matrices, two at once, since the differences are the larger part of the work: of
            # thousands of samples by column, which only numbers can be.
            elif self.n_samples >= COLUMN_SAMPLES and packed[1] is None:
                add_by_column(packed[0], pairs, total)
            else:
                for k in range(0, last, 2):
                    difference_sums_two(*packed, *pairs[k : k + 2], sums, *total[k : k + 2])
                if last % 2 == 0:
                    difference_sums(*packed, pairs[last], sums[0], total[last])

        name = "gradient" if of_matrices else "margins"
        for data, some, label in self._windows(self._blocks(index), name):
            self.workers.map(partial(add, data), some, label)
        return totals

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        if not is_matrix(Q):
            return self._of_tiles(Q, index=index)  # type: ignore[arg-type]
        n, width = self.n_padded, self._width(index)
        negligible = sizes.NEGLIGIBLE_SHARE * float(np.finfo(self.dtype).eps)
        P, found = np.empty((n, n), self.dtype), np.empty((self.n_samples, width), self.dtype)

        def pad(tile: tuple[int, int]) -> None:
            pad_weights(Q, negligible, *tile, P)

        def fill(packed: Packed, Z: NDArray, tile: tuple[int, int]) -> None:
            margin_vectors(*packed, P, balance, *tile, Z)

        # 1. Q in the working precision, without probabilities below the rounding error.
        self.workers.map(pad, self.row_ranges(triangular=False, work=n**2))
        balance = balance_of(P, self.scaling)
        # 2. Block by block, each thread for some samples n.
        tiles = self.row_ranges(triangular=False, work=width * n**2)
        for data, some, _ in self._windows(self._blocks(index), ""):
            for block in some:
                packed = data.pack(block.features)
                Z = SCRATCH.take("margins", packed[0].shape, self.dtype)
                self.workers.map(partial(fill, packed, Z), tiles)
                found[:, block.answer] = Z[: self.n_samples]
                SCRATCH.give("margins", Z)
        return found

    def _of_tiles(self, Q: Tiles, weight: NDArray | None = None, *, index: Part | None) -> NDArray:
        """`margins` under Q, which comes a few rows at a time; with weights, their sum."""
        wanted = np.arange(self.n_features)[slice(None) if index is None else index]
        n_tasks, size = -(-len(Q.tiles) // TILES_PER_TASK), TILES_PER_TASK
        shape = (self.n_samples if weight is None else n_tasks, len(wanted))
        found = np.zeros(shape, self.dtype if weight is None else float)

        def work(some: "InMemory", R: NDArray, answer: slice, task: int) -> None:
            gap, cap = some.rule(slice(0, some.n_features))
            for rows in Q.tiles[task * size : (task + 1) * size]:
                # 2. Probabilities of a few samples, from all features that have a weight.
                P, near = Q.probabilities(rows)
                A, P = padded(some.X[rows]), P.astype(self.dtype, copy=False)
                # 3. Their margin vectors: some features of the samples against the references.
                Z = np.empty(A.shape, A.dtype)
                if gap is None:
                    places = np.array([(place.start, place.stop) for place in near])
                    tile_margins(A, R, gap, cap, places, P, None, Z)
                else:
                    balance, places = balance_of(P, some.scaling), np.array([(0, P.shape[1])])
                    tile_margins(A, picked(R, near), gap, cap, places, P, balance, Z)
                # 4. Kept, or added up over the samples of a task first.
                if weight is None:
                    found[rows, answer] = Z[: len(rows)]
                else:
                    found[task, answer] += weight[rows] @ Z[: len(rows)].astype(float)

        # 1. As many features as may be in memory at once; R holds the references, one per column.
        label = self.label("margins" if weight is None else "gradient", len(wanted))
        for k in range(0, len(wanted), sizes.TILE_COLUMNS):
            answer = slice(k, min(k + sizes.TILE_COLUMNS, len(wanted)))
            some = self.columns(wanted[answer])
            R = np.ascontiguousarray(some.X[Q.references].T)
            self.workers.map(partial(work, some, R, answer), range(n_tasks), label)
        return found if weight is None else found.sum(axis=0)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""

        def find(data: "InMemory", block: Block) -> bytes:
            values, gap, cap = data.pack(block.features)
            found = blake2b(values.data, digest_size=16)
            for differences in (gap, cap):
                found.update(b"" if differences is None else differences.tobytes())
            return found.digest()

        found: list[bytes] = []
        for data, some, label in self._windows(self._blocks(index), "fingerprint"):
            found += self.workers.map(partial(find, data), some, label)
        return b"".join(found)

    def label(self, name: str, n_features: int) -> str:
        """`name` if a pass over so many features is long enough to be announced."""
        return name if n_features > sizes.GROUP_BLOCKS * self.block_size else ""

    def row_ranges(self, *, triangular: bool, work: int) -> list[tuple[int, int]]:
        """Ranges of rows, multiples of four, of about the same work each."""
        if work < sizes.SERIAL or self.workers.n_threads == 1:
            return [(0, self.n_padded)]
        share = np.linspace(0, 1, sizes.N_TILES + 1)
        if triangular:  # row n has n_padded - n pairs
            share = 1 - np.sqrt(1 - share)
        edges = np.unique(np.rint(share * self.n_padded / 4).astype(int) * 4)
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))

    def _width(self, index: Part | None) -> int:
        return self.n_features if index is None else width_of(index)

    def _blocks(self, index: Part | None) -> list[Block]:
        """The blocks of some features, ascending, or of all."""
        blocks, n = [], self._width(index)
        for k in range(0, n, self.block_size):
            answer = slice(k, min(k + self.block_size, n))
            part: Part = answer
            if isinstance(index, slice):
                part = slice(index.start + answer.start, index.start + answer.stop)
            elif index is not None:
                part = index[answer]
                if part[-1] - part[0] + 1 == len(part):  # without gaps: no gather is needed
                    part = slice(int(part[0]), int(part[-1]) + 1)
            blocks.append(Block(answer, part))
        return blocks

    def _folded(self, S: NDArray) -> NDArray:
        """S and its transpose right of the diagonal, padded, in the working precision.

        What is left out there is below the rounding error of a sum, all of it together.
        """
        upper = np.empty((self.n_padded, self.n_padded), self.dtype)
        tiles = self.row_ranges(triangular=True, work=self.n_padded**2)

        def largest(tile: tuple[int, int]) -> float:
            rows = S[slice(*tile)]
            return max(float(rows.max(initial=0.0)), -float(rows.min(initial=0.0)))

        def fold(tile: tuple[int, int]) -> None:
            fold_upper(S, negligible, *tile, upper)

        most = max(self.workers.map(largest, tiles))
        negligible = float(np.finfo(self.dtype).eps) * most / self.n_samples**2
        self.workers.map(fold, tiles)
        return upper


def add_by_column(block: NDArray, matrices: list[NDArray], totals: NDArray) -> None:
    """Sums of differences of numbers by `column_sums`, for each of several weights, two at once.

    Parameters
    ----------
    block : ndarray
        A packed block; features of zeros make their number a multiple of four.
    matrices : list of ndarray
        Weights of the pairs.
    totals : ndarray of shape (n_matrices, n_features)
        To which the sums are added.
    """
    n_samples, width = block.shape
    columns = np.zeros((width + -width % 4, n_samples), block.dtype)
    columns[:width] = block.T
    found = np.zeros((len(matrices), len(columns)))
    for k in range(0, len(matrices) - 1, 2):
        column_sums_two(columns, *matrices[k : k + 2], *found[k : k + 2])
    if len(matrices) % 2:
        column_sums(columns, matrices[-1], found[-1])
    totals += found[:, :width]


def width_of(part: Part) -> int:
    """Number of features of a part."""
    return part.stop - part.start if isinstance(part, slice) else len(part)


def working_dtype(dtype: np.dtype) -> np.dtype:
    """float32 where it holds every value of `dtype`, else float64."""
    return np.dtype(np.float32 if np.can_cast(dtype, np.float32) else np.float64)
