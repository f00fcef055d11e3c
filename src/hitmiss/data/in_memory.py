"""The data as blocks of features, and the questions asked of them: distances, sums, columns.

With far more features than samples the data is cut along features. A block is packed when it is
needed: columns shifted and scaled, rows padded to a multiple of four, contiguous. So X itself is
never copied as a whole, whatever its memory layout, and dividing by the range costs nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from hashlib import blake2b
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.kernels.distances import add_pair_distances, mirror_upper
from hitmiss.kernels.margins import (
    difference_moments,
    difference_sums,
    difference_sums_two,
    fold_upper,
    margin_vectors,
)
from hitmiss.kernels.packing import pack
from hitmiss.kernels.pair_list import count_pairs, list_pairs, pair_sums
from hitmiss.neighbors import class_distances, soft_neighbors

BLOCK_BYTES = 1 << 20  # a packed block stays in the second-level cache
GROUP_BLOCKS = 8  # blocks packed at once before the row tiles run over them
LANE_ROWS = 256  # up to which samples are too few to be cut into row tiles
N_LANES = 8  # sums of distances kept apart then; a fixed number, like that of the tiles
N_TILES = 24  # row tiles; how they are cut changes no bit of a result
NEGLIGIBLE = 0.01  # probability of a neighbor left out, in units of the rounding error
SERIAL = 1_000_000  # pair-elements below which threads cost more than they save
RANGE_COLUMNS = 4096  # features whose range is found at once
FEW_VALUES = 4_000_000  # up to which one thread finds the ranges as quickly as several

Part = slice | NDArray  # some features
Run = tuple["Blocks", list[tuple[Part, Part]], str]


class Blocks:
    """Features in blocks, each feature as ``(x - center) * factor``.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Real numbers in any layout, finite.
    workers : Workers
        Where the work runs.
    center, factor : ndarray of shape (n_features,), optional
        In the working precision. Without them X is taken as it is.
    """

    cheap_moments = 32  # number of features whose moments may be asked for without a thought
    references: Any = slice(None)  # samples that may be neighbors

    def __init__(
        self,
        X: NDArray,
        workers: Workers,
        center: NDArray | None = None,
        factor: NDArray | None = None,
    ):
        self.X, self.workers, self.center, self.factor = X, workers, center, factor
        self._measure(X.shape, working_dtype(X.dtype))
        self._side_by_side = X.dtype == self.dtype and X.strides[1] == X.itemsize

    def _measure(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        """How large the data are, and so the blocks."""
        self.n_samples, self.n_features = shape
        self.dtype, self.epsilon = dtype, float(np.finfo(dtype).eps)
        self.n_padded = -(-self.n_samples // 4) * 4
        size = BLOCK_BYTES // (self.dtype.itemsize * self.n_padded)
        self.block_size = min(max(size // 64 * 64, 64), 1024)

    def transformed(self, center: NDArray | None, factor: NDArray | None) -> Self:
        """The same data, each feature as ``(x - center) * factor``."""
        twin = copy(self)
        twin.center, twin.factor = center, factor
        return twin

    def extremes(self) -> tuple[NDArray, NDArray]:
        """Lowest and highest value of every feature of X, NaN where it holds NaN."""
        lowest, highest = np.empty((2, self.n_features), self.dtype)

        def find(part: slice) -> None:
            lowest[part] = self.X[:, part].min(axis=0)
            highest[part] = self.X[:, part].max(axis=0)

        size = RANGE_COLUMNS if self.X.size > FEW_VALUES else self.n_features
        self.workers.map(lambda k: find(slice(k, k + size)), range(0, self.n_features, size))
        return lowest, highest

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        if self.n_padded <= LANE_ROWS:
            return self._lane_distances(w)
        D = np.zeros((self.n_padded, self.n_padded))
        support = np.flatnonzero(w)
        tiles = self._tiles(triangular=True, work=len(support) * self.n_padded**2 // 2)

        def add_run(window: Blocks, pairs: list[tuple[Part, Part]], label: str) -> None:
            def add(group: list[tuple[Part, Part]]) -> None:
                packed = self.workers.map(lambda pair: window._pack(pair[1], w[pair[0]]), group)

                def add_tile(tile: tuple[int, int]) -> None:
                    for block in packed:
                        add_pair_distances(block, *tile, D)

                self.workers.map(add_tile, tiles)

            groups = [pairs[k : k + GROUP_BLOCKS] for k in range(0, len(pairs), GROUP_BLOCKS)]
            self.workers.each(add, groups, label)

        for run in self._runs(_ranges(support, self.block_size), "distances"):
            add_run(*run)
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def soft_neighbors(self, w: NDArray, y: NDArray, sigma: float) -> Any:
        """Signed probabilities of being the nearest hit or miss under the weights w."""
        return soft_neighbors(self.distances(w), y, sigma, self.workers)

    def starting_neighbors(
        self, starts: Sequence[float | NDArray], y: NDArray, sigma: float
    ) -> Iterator[Any]:
        """Soft neighbors under every start; a number stands for uniform weights.

        All uniform starts share one pass over the data for the distances.
        """
        unit = np.empty(0)
        for start in starts:
            if np.ndim(start):
                yield self.soft_neighbors(np.asarray(start), y, sigma)
                continue
            if not len(unit):
                unit = self.distances(np.ones(self.n_features))
            yield soft_neighbors(unit * float(start), y, sigma, self.workers)

    def class_distances(self, w: NDArray, y: NDArray, sigma: float) -> NDArray:
        """Expected distance of every sample to the others of each class."""
        return class_distances(self.distances(w), y, sigma, leave_out=True)

    def thinned(self, y: NDArray) -> "tuple[Blocks, NDArray] | None":
        """Some samples, and which, if these are so many that a search begins with some of them."""
        return None

    def margins(self, Q: NDArray) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        Q = self._padded(np.where(np.abs(Q) > NEGLIGIBLE * self.epsilon, Q, 0.0))
        tiles = self._tiles(triangular=False, work=self.n_features * self.n_padded**2)

        def vectors(block: NDArray) -> NDArray:
            Z = np.empty_like(block)
            self.workers.map(lambda tile: margin_vectors(block, Q, *tile, Z), tiles)
            return Z[: self.n_samples]

        found = np.empty((self.n_samples, self.n_features), self.dtype)
        for window, pairs, _ in self._runs(self._parts(), ""):
            for part, place in pairs:
                found[:, part] = vectors(window._pack(place))
        return found

    def difference_sums(self, matrices: Sequence[NDArray]) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every S and feature j, one row per S."""
        uppers = [np.empty((self.n_padded, self.n_padded), self.dtype) for _ in matrices]
        for S, upper in zip(matrices, uppers, strict=True):
            fold_upper(S, self.epsilon, upper)
        totals = np.zeros((len(uppers), self.n_features))

        def add(block: NDArray, part: Part) -> None:
            sums = np.empty((2, block.shape[1]), self.dtype)
            for k in range(0, len(uppers) - 1, 2):
                two = (totals[k, part], totals[k + 1, part])
                difference_sums_two(block, *uppers[k : k + 2], sums, *two)
            if len(uppers) % 2:
                difference_sums(block, uppers[-1], sums[0], totals[-1, part])

        self._each_block(add, "gradient")
        return totals

    def pulled_sums(self, points: Iterable[tuple[Any, NDArray]]) -> NDArray:
        """``sum_n pull_n z_n(j)`` of every (Q, pull) and feature j, without the margin vectors."""
        return self.difference_sums([pull[:, None] * Q for Q, pull in points])

    def squared_sums(self, Q: NDArray, weights: NDArray) -> NDArray:
        """``sum_n weights_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
        Q = self._padded(np.where(np.abs(Q) > NEGLIGIBLE * self.epsilon, Q, 0.0))
        total = np.empty(self.n_features)

        def find(block: NDArray, part: Part) -> None:
            Z = np.empty_like(block)
            margin_vectors(block, Q, 0, self.n_padded, Z)
            total[part] = np.einsum("n,nj->j", weights, Z[: self.n_samples] ** 2)

        self._each_block(find, "curvature")
        return total

    def moments(self, Q: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Expected misses and hits of |x_n - x_i|, and second moments under Q, of few features."""
        X = self._pack(slice(0, self.n_features))[: self.n_samples]
        shape = X.shape
        miss, hit, second = np.empty(shape), np.empty(shape), np.empty((*shape, shape[1]))
        tiles = self._tiles(triangular=False, work=self.n_padded**2 * shape[1] ** 2)
        tiles = [(start, min(stop, self.n_samples)) for start, stop in tiles]

        def find(tile: tuple[int, int]) -> None:
            scratch = np.empty((shape[1] + 2, shape[0]))
            difference_moments(X, X, Q, *tile, scratch, miss, hit, second)

        self.workers.map(find, tiles)
        return miss, hit, second

    def moments_in_turn(self, Q: NDArray) -> Iterator[tuple[Any, NDArray, NDArray, NDArray]]:
        """The moments of some samples after the other: here of all at once."""
        yield slice(0, self.n_samples), *self.moments(Q)

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "Blocks":
        """The features at `index`, packed."""
        packed = np.empty((self.n_padded, len(index)), dtype or self.dtype)
        self._pack_into(packed, index)
        return Blocks(packed[: self.n_samples], self.workers)

    def digest(self) -> bytes:
        """A hash of the data as they are worked on."""
        found = [b""] * len(self._parts())

        def find(block: NDArray, part: Part) -> None:
            first = part.start if isinstance(part, slice) else part[0]
            found[first // self.block_size] = blake2b(block.data, digest_size=16).digest()

        self._each_block(find, "fingerprint")
        return b"".join(found)

    def part(self, part: Part) -> "Blocks":
        """The features of a part, as they are."""
        return Blocks(
            self.X[:, part], self.workers, self._of(self.center, part), self._of(self.factor, part)
        )

    def fits(self, n_bytes: int) -> bool:
        """Whether there is room for so much: where X is, there is room for as much again."""
        return True

    def _label(self, name: str) -> str:
        """`name` if a pass over the features is long enough to be announced."""
        return name if self.n_features > GROUP_BLOCKS * self.block_size else ""

    def _parts(self) -> list[Part]:
        size, end = self.block_size, self.n_features
        return [slice(k, min(k + size, end)) for k in range(0, end, size)]

    def _runs(self, parts: list[Part], name: str) -> Iterator[Run]:
        """Parts that are at hand together: whose blocks, their place here and there, a label.

        X is in memory, so that is all of them.
        """
        yield self, [(part, part) for part in parts], self._label(name)

    def _each_block(self, function: Callable[[NDArray, Part], None], name: str) -> None:
        """Call the function for every block, packed, and its place among the features."""

        def call_run(window: Blocks, pairs: list[tuple[Part, Part]], label: str) -> None:
            self.workers.map(lambda pair: function(window._pack(pair[1]), pair[0]), pairs, label)

        for run in self._runs(self._parts(), name):
            call_run(*run)

    def _tiles(self, *, triangular: bool, work: int) -> list[tuple[int, int]]:
        """Ranges of rows, multiples of four, of about the same work each."""
        if work < SERIAL or self.workers.n_threads == 1:
            return [(0, self.n_padded)]
        share = np.linspace(0, 1, N_TILES + 1)
        if triangular:  # row n has n_padded - n pairs
            share = 1 - np.sqrt(1 - share)
        edges = np.unique(np.rint(share * self.n_padded / 4).astype(int) * 4)
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))

    def _padded(self, S: NDArray) -> NDArray:
        out = np.zeros((self.n_padded, self.n_padded), self.dtype)
        out[: self.n_samples, : self.n_samples] = S
        return out

    def _pack(self, part: Part, weights: NDArray | None = None) -> NDArray:
        width = part.stop - part.start if isinstance(part, slice) else len(part)
        block = np.empty((self.n_padded, width), self.dtype)
        self._pack_into(block, part, weights)
        return block

    def _pack_into(self, block: NDArray, part: Part, weights: NDArray | None = None) -> None:
        """The columns `part`, minus the center, times factor and weights."""
        center = self._of(self.center, part)
        factor = self._of(self.factor, part)
        if weights is not None:
            weights = weights.astype(self.dtype, copy=False)
            factor = weights if factor is None else factor * weights
        if self._side_by_side and isinstance(part, slice) and block.dtype == self.dtype:
            width = block.shape[1]
            center = np.zeros(width, self.dtype) if center is None else center
            factor = np.ones(width, self.dtype) if factor is None else factor
            pack(self.X, part.start, center, factor, block)
            return
        rows = block[: self.n_samples]
        block[self.n_samples :] = 0
        if center is None:
            rows[:] = self.X[:, part]
        else:
            np.subtract(self.X[:, part], center, out=rows)
        if factor is not None:
            rows *= factor

    @staticmethod
    def _of(values: NDArray | None, part: Part) -> NDArray | None:
        return None if values is None else values[part]

    def _lane_distances(self, w: NDArray) -> NDArray:
        """`distances` of few samples: a block is used up while it is in the cache."""
        parts = _ranges(np.flatnonzero(w), self.block_size)
        lanes = np.zeros((max(min(N_LANES, len(parts)), 1), self.n_padded, self.n_padded))
        n_lanes, n_done = len(lanes), 0

        def add_run(window: Blocks, pairs: list[tuple[Part, Part]], label: str) -> None:
            def add(k: int) -> None:
                for part, place in pairs[(k - n_done) % n_lanes :: n_lanes]:
                    block = window._pack(place, w[part])
                    add_pair_distances(block, 0, self.n_padded, lanes[k])

            self.workers.map(add, range(n_lanes), label)

        for run in self._runs(parts, "distances"):
            add_run(*run)
            n_done += len(run[1])
        D = lanes.sum(axis=0)
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def pair_sums(self, Q: NDArray) -> NDArray:
        """``sum_{n,i} Q_ni |x_nj - x_ij|`` of every feature j, over the nonzero Q_ni only."""
        S = Q + Q.T
        first = np.empty(self.n_samples + 1, np.intp)
        count_pairs(S, first)
        partner, weight = np.empty(first[-1], np.int32), np.empty(first[-1], self.dtype)
        list_pairs(S, first, partner, weight)
        total = np.zeros(self.n_features)

        def add(block: NDArray, part: Part) -> None:
            row_sum = np.empty(block.shape[1], self.dtype)
            pair_sums(block, first, partner, weight, row_sum, total[part])

        self._each_block(add, "margins")
        return total


def _ranges(index: NDArray, size: int) -> list[Part]:
    """`index` in pieces of at most `size`, those without gaps as slices: these need no gather."""
    pieces = (index[k : k + size] for k in range(0, len(index), size))
    return [slice(int(p[0]), int(p[-1]) + 1) if p[-1] - p[0] + 1 == len(p) else p for p in pieces]


def working_dtype(dtype: np.dtype) -> np.dtype:
    """float32 where it holds every value of `dtype`, else float64."""
    return np.dtype(np.float32 if np.can_cast(dtype, np.float32) else np.float64)
