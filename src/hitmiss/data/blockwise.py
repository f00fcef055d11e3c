"""Answers from passes over blocks of features, wherever the blocks come from.

A block is packed when it is needed: columns shifted and scaled, rows padded to a multiple of
four, contiguous. So the data is never copied as a whole, whatever its memory layout, and dividing
by the range costs nothing.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH
from hitmiss.data.features import Features
from hitmiss.data.pair_weights import (
    Neighbors,
    PairList,
    PairWeights,
    WeightedTiles,
    grouped,
    is_matrix,
)
from hitmiss.data.row_tiles import padded_length, tiled_margins, tiled_sums
from hitmiss.data.scaling import Part, Rule, Scaling
from hitmiss.data.unlike import (
    add_by_column,
    add_distances,
    add_list_sums,
    add_sums,
    add_sums_two,
    balance_of,
    fill_margins,
)
from hitmiss.kernels.distances import mirror_upper
from hitmiss.kernels.margins import pad_weights
from hitmiss.kernels.sums import fold_upper

if TYPE_CHECKING:
    from hitmiss.data.in_memory import InMemory

LEAST_BLOCK = 64  # features: whole vectors and cache lines in either precision
LANE_ROWS = 256  # samples up to which a matrix of distances fits the cache, one for each lane
N_LANES = 8  # sums of distances kept apart then: as many threads may work, and the order is fixed
# Samples from which on differences are summed by column, whatever part of the features a window or
# a worker holds. With 3,000 x 2,000 values in single precision that takes 0.36 s of one core, by
# row 0.42; under two weights 0.73 and 1.05.
COLUMN_SAMPLES = 2000


class Block(NamedTuple):
    """A block: its place in the answer, and the features that it is made of."""

    answer: Part
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
    def _windows(self, places: list[Block], name: str) -> Iterator[Window]:
        """The blocks at some places, as many at once as there is room for."""

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        places = [Block(part, part) for part in _ranges(np.flatnonzero(w), self.block_size)]
        few = self.n_padded <= LANE_ROWS
        D = self._lane_distances(w, places) if few else self._tile_distances(w, places)
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        found = [self._sums(group, index) for group in grouped(weights)]
        return np.atleast_2d(found[0]) if len(found) == 1 else np.vstack(found)

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        if not is_matrix(Q):
            return tiled_margins(self, Q, index)  # type: ignore[arg-type]
        P, width = self._padded_weights(Q), self._width(index)
        tiles = self.row_ranges(triangular=False, work=width * self.n_padded**2)
        balance = balance_of(P, self.scaling)

        def fill(block: NDArray, rule: Rule | None, Z: NDArray) -> None:
            self.workers.map(lambda tile: fill_margins(block, rule, P, balance, *tile, Z), tiles)

        found = np.empty((self.n_samples, width), self.dtype)
        for window in self._windows(self._blocks(index), ""):
            for answer, part in window.blocks:
                block = window.data.pack(part, keep=False)
                Z = SCRATCH.take("margins", block.shape, block.dtype)
                fill(block, window.data.rule(part), Z)
                found[:, answer] = Z[: self.n_samples]
                SCRATCH.give("margins", Z)
        return found

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        found = [b""] * len(self._blocks(index))

        def find(block: NDArray, rule: Rule | None, answer: slice) -> None:
            digest = blake2b(block.data, digest_size=16)
            for values in rule or ():
                digest.update(b"" if values is None else values.tobytes())
            found[answer.start // self.block_size] = digest.digest()

        self._each_block(find, "fingerprint", index)
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
        """The blocks of some features, or of all."""
        if isinstance(index, np.ndarray):
            parts = _ranges(index, self.block_size)
        else:
            first, last = (0, self.n_features) if index is None else (index.start, index.stop)
            starts = range(first, last, self.block_size)
            parts = [slice(k, min(k + self.block_size, last)) for k in starts]
        edges = accumulate(map(width_of, parts), initial=0)
        return [
            Block(slice(*edge), part) for edge, part in zip(pairwise(edges), parts, strict=True)
        ]

    def _each_block(
        self, function: Callable[[NDArray, Rule | None, slice], None], name: str, index: Part | None
    ) -> None:
        """Call the function for every block, packed, its rule, and its place in the answer."""

        def call(window: Window, place: Block) -> None:
            block = window.data.pack(place.features, keep=False)
            function(block, window.data.rule(place.features), place.answer)  # type: ignore[arg-type]

        for window in self._windows(self._blocks(index), name):
            self.workers.map(partial(call, window), window.blocks, window.label)

    def _padded_weights(self, Q: NDArray) -> NDArray:
        """Q in the working precision, padded, without probabilities below the rounding error."""
        negligible = sizes.NEGLIGIBLE_SHARE * float(np.finfo(self.dtype).eps)
        out = np.empty((self.n_padded, self.n_padded), self.dtype)
        tiles = self.row_ranges(triangular=False, work=self.n_padded**2)
        self.workers.map(lambda tile: pad_weights(Q, negligible, *tile, out), tiles)
        return out

    def _sums(self, weights: list[Any], index: Part | None) -> NDArray:
        """`sums` of some matrices, some lists of pairs, or tiles."""
        if is_matrix(weights[0]):
            return self._matrix_sums(weights, index)
        return _SUMS[type(weights[0])](self, weights, index)

    def _tile_distances(self, w: NDArray, places: list[Block]) -> NDArray:
        """Distances of many samples: a group of blocks is packed, then row tiles share it."""
        D = np.zeros((self.n_padded, self.n_padded))
        work = int(np.count_nonzero(w)) * self.n_padded**2 // 2
        tiles = self.row_ranges(triangular=True, work=work)

        def add(data: "InMemory", group: Sequence[Block]) -> None:
            packed = self.workers.map(
                lambda place: data.pack(place.features, w[place.answer]), group
            )
            rules = [data.rule(place.features, w[place.answer]) for place in group]

            def add_tile(tile: tuple[int, int]) -> None:
                for block, rule in zip(packed, rules, strict=True):
                    add_distances(block, rule, *tile, D)

            self.workers.map(add_tile, tiles)

        size = sizes.GROUP_BLOCKS
        for data, some, label in self._windows(places, "distances"):
            groups = [some[k : k + size] for k in range(0, len(some), size)]
            self.workers.each(partial(add, data), groups, label)
        return D

    def _lane_distances(self, w: NDArray, places: list[Block]) -> NDArray:
        """Distances of few samples: a block is used up while it is in the cache."""
        n_lanes, n_done = max(min(N_LANES, len(places)), 1), 0
        lanes = SCRATCH.take("lanes", (n_lanes, self.n_padded, self.n_padded), np.dtype(float))
        lanes.fill(0)

        def add(data: "InMemory", some: Sequence[Block], n_before: int, k: int) -> None:
            for place in some[(k - n_before) % n_lanes :: n_lanes]:
                weights = w[place.answer]
                block = data.pack(place.features, weights, keep=False)
                rule = data.rule(place.features, weights)
                add_distances(block, rule, 0, self.n_padded, lanes[k])

        for data, some, label in self._windows(places, "distances"):
            self.workers.map(partial(add, data, some, n_done), range(n_lanes), label)
            n_done += len(some)
        D = lanes.sum(axis=0)
        SCRATCH.give("lanes", lanes)
        return D

    def _matrix_sums(self, matrices: list[NDArray], index: Part | None) -> NDArray:
        """`sums` of matrices, two at once: the differences are the larger part of the work."""
        uppers = [self._folded(S) for S in matrices]
        totals = np.zeros((len(uppers), self._width(index)))
        by_column = self.n_samples >= COLUMN_SAMPLES

        def add(block: NDArray, rule: Rule | None, answer: Part) -> None:
            if by_column and rule is None:
                add_by_column(block, uppers, totals[:, answer])
                return
            sums = SCRATCH.array("sums", (2, block.shape[1]), self.dtype)
            for k in range(0, len(uppers) - 1, 2):
                two = (totals[k, answer], totals[k + 1, answer])
                add_sums_two(block, rule, *uppers[k : k + 2], sums, *two)
            if len(uppers) % 2:
                add_sums(block, rule, uppers[-1], sums[0], totals[-1, answer])

        self._each_block(add, "gradient", index)
        return totals

    def _folded(self, S: NDArray) -> NDArray:
        """S and its transpose right of the diagonal, padded, in the working precision.

        What is left out there is below the rounding error of a sum, all of it together.
        """
        upper = np.empty((self.n_padded, self.n_padded), self.dtype)
        tiles = self.row_ranges(triangular=True, work=self.n_padded**2)

        def largest(tile: tuple[int, int]) -> float:
            rows = S[slice(*tile)]
            return max(float(rows.max(initial=0.0)), -float(rows.min(initial=0.0)))

        most = max(self.workers.map(largest, tiles))
        negligible = float(np.finfo(self.dtype).eps) * most / self.n_samples**2
        self.workers.map(lambda tile: fold_upper(S, negligible, *tile, upper), tiles)
        return upper

    def _list_sums(self, lists: list[PairList], index: Part | None) -> NDArray:
        """`sums` of lists of pairs: each block is packed once for all of them."""
        totals = np.zeros((len(lists), self._width(index)))
        weights = [pairs.weight.astype(self.dtype, copy=False) for pairs in lists]

        def add(block: NDArray, rule: Rule | None, answer: Part) -> None:
            row_sum = SCRATCH.array("sums", (block.shape[1],), self.dtype)
            for (first, partner, _), weight, total in zip(lists, weights, totals, strict=True):
                add_list_sums(block, rule, first, partner, weight, row_sum, total[answer])

        self._each_block(add, "margins", index)
        return totals

    def _tile_sums(self, weights: list[WeightedTiles], index: Part | None) -> NDArray:
        """`sums` of the one set of tiles that is worked on at a time."""
        ((tiles, weight),) = weights
        return tiled_sums(self, tiles, weight, index)


_SUMS: dict[type, Any] = {PairList: Blockwise._list_sums, WeightedTiles: Blockwise._tile_sums}


def _ranges(index: NDArray, size: int) -> list[Part]:
    """`index`, ascending, in pieces; those without gaps as slices, which need no gather."""
    pieces = (index[k : k + size] for k in range(0, len(index), size))
    return [slice(int(p[0]), int(p[-1]) + 1) if p[-1] - p[0] + 1 == len(p) else p for p in pieces]


def width_of(part: Part) -> int:
    """Number of features of a part."""
    return part.stop - part.start if isinstance(part, slice) else len(part)


def working_dtype(dtype: np.dtype) -> np.dtype:
    """float32 where it holds every value of `dtype`, else float64."""
    return np.dtype(np.float32 if np.can_cast(dtype, np.float32) else np.float64)
