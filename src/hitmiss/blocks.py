"""The data as blocks of features, and the questions asked of them: distances, sums, columns.

With far more features than samples the data is cut along features. A block is packed when it is
needed: columns shifted and scaled, rows padded to a multiple of four, contiguous. So X itself is
never copied as a whole, whatever its memory layout, and dividing by the range costs nothing.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.kernels.distances import add_pair_distances, mirror_upper
from hitmiss.kernels.margins import (
    difference_moments,
    difference_sums,
    difference_sums_two,
    fold_upper,
    margin_vectors,
)
from hitmiss.kernels.packing import pack
from hitmiss.kernels.sparse_margins import count_pairs, list_pairs, pair_sums
from hitmiss.workers import Workers

BLOCK_BYTES = 1 << 20  # a packed block stays in the second-level cache
GROUP_BLOCKS = 8  # blocks packed at once before the row tiles run over them
LANE_ROWS = 256  # up to which samples are too few to be cut into row tiles
N_LANES = 8  # sums of distances kept apart then; a fixed number, like that of the tiles
N_TILES = 24  # row tiles; how they are cut changes no bit of a result
NEGLIGIBLE = 0.01  # probability of a neighbor left out, in units of the rounding error
SERIAL = 1_000_000  # pair-elements below which threads cost more than they save


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

    def __init__(
        self,
        X: NDArray,
        workers: Workers,
        center: NDArray | None = None,
        factor: NDArray | None = None,
    ):
        self.X, self.workers, self.center, self.factor = X, workers, center, factor
        self.n_samples, self.n_features = X.shape
        self.dtype = working_dtype(X.dtype)
        self.epsilon = float(np.finfo(self.dtype).eps)
        self.n_padded = -(-self.n_samples // 4) * 4
        self._side_by_side = X.dtype == self.dtype and X.strides[1] == X.itemsize
        size = BLOCK_BYTES // (self.dtype.itemsize * self.n_padded)
        self.block_size = min(max(size // 64 * 64, 64), 1024)

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        if self.n_padded <= LANE_ROWS:
            return self._lane_distances(w)
        D = np.zeros((self.n_padded, self.n_padded))
        support = np.flatnonzero(w)
        tiles = self._tiles(triangular=True, work=len(support) * self.n_padded**2 // 2)
        parts = _ranges(support, self.block_size)

        def add(group: list[slice | NDArray]) -> None:
            packed = self.workers.map(lambda part: self._pack(part, w[part]), group)

            def add_tile(tile: tuple[int, int]) -> None:
                for block in packed:
                    add_pair_distances(block, *tile, D)

            self.workers.map(add_tile, tiles)

        groups = [parts[k : k + GROUP_BLOCKS] for k in range(0, len(parts), GROUP_BLOCKS)]
        self.workers.each(add, groups, self._label("distances"))
        mirror_upper(D)
        return D[: self.n_samples, : self.n_samples]

    def margins(self, Q: NDArray) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        Q = self._padded(np.where(np.abs(Q) > NEGLIGIBLE * self.epsilon, Q, 0.0))
        tiles = self._tiles(triangular=False, work=self.n_features * self.n_padded**2)

        def vectors(part: slice) -> NDArray:
            block = self._pack(part)
            Z = np.empty_like(block)
            self.workers.map(lambda tile: margin_vectors(block, Q, *tile, Z), tiles)
            return Z[: self.n_samples]

        return np.hstack([vectors(part) for part in self._parts()])

    def difference_sums(self, matrices: Sequence[NDArray]) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every S and feature j, one row per S."""
        uppers = [np.empty((self.n_padded, self.n_padded), self.dtype) for _ in matrices]
        for S, upper in zip(matrices, uppers, strict=True):
            fold_upper(S, self.epsilon, upper)
        totals = np.zeros((len(uppers), self.n_features))

        def add(part: slice) -> None:
            block = self._pack(part)
            sums = np.empty((2, block.shape[1]), self.dtype)
            for k in range(0, len(uppers) - 1, 2):
                two = (totals[k, part], totals[k + 1, part])
                difference_sums_two(block, *uppers[k : k + 2], sums, *two)
            if len(uppers) % 2:
                difference_sums(block, uppers[-1], sums[0], totals[-1, part])

        self.workers.map(add, self._parts(), self._label("gradient"))
        return totals

    def squared_sums(self, Q: NDArray, weights: NDArray) -> NDArray:
        """``sum_n weights_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
        Q = self._padded(np.where(np.abs(Q) > NEGLIGIBLE * self.epsilon, Q, 0.0))
        total = np.empty(self.n_features)

        def find(part: slice) -> None:
            block = self._pack(part)
            Z = np.empty_like(block)
            margin_vectors(block, Q, 0, self.n_padded, Z)
            total[part] = np.einsum("n,nj->j", weights, Z[: self.n_samples] ** 2)

        self.workers.map(find, self._parts(), self._label("curvature"))
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
            difference_moments(X, Q, *tile, scratch, miss, hit, second)

        self.workers.map(find, tiles)
        return miss, hit, second

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "Blocks":
        """The features at `index`, packed."""
        packed = np.empty((self.n_padded, len(index)), dtype or self.dtype)
        self._pack_into(packed, index)
        return Blocks(packed[: self.n_samples], self.workers)

    def _label(self, name: str) -> str:
        """`name` if a pass over the features is long enough to be announced."""
        return name if self.n_features > GROUP_BLOCKS * self.block_size else ""

    def _parts(self) -> Iterator[slice]:
        for k in range(0, self.n_features, self.block_size):
            yield slice(k, min(k + self.block_size, self.n_features))

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

    def _pack(self, part: slice | NDArray, weights: NDArray | None = None) -> NDArray:
        width = part.stop - part.start if isinstance(part, slice) else len(part)
        block = np.empty((self.n_padded, width), self.dtype)
        self._pack_into(block, part, weights)
        return block

    def _pack_into(
        self, block: NDArray, part: slice | NDArray, weights: NDArray | None = None
    ) -> None:
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
    def _of(values: NDArray | None, part: slice | NDArray) -> NDArray | None:
        return None if values is None else values[part]

    def _lane_distances(self, w: NDArray) -> NDArray:
        """`distances` of few samples: a block is used up while it is in the cache."""
        parts = _ranges(np.flatnonzero(w), self.block_size)
        lanes = np.zeros((max(min(N_LANES, len(parts)), 1), self.n_padded, self.n_padded))

        def add(k: int) -> None:
            for part in parts[k :: len(lanes)]:
                add_pair_distances(self._pack(part, w[part]), 0, self.n_padded, lanes[k])

        self.workers.map(add, range(len(lanes)), self._label("distances"))
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

        def add(part: slice) -> None:
            block = self._pack(part)
            row_sum = np.empty(block.shape[1], self.dtype)
            pair_sums(block, first, partner, weight, row_sum, total[part])

        self.workers.map(add, self._parts(), self._label("margins"))
        return total


def _ranges(index: NDArray, size: int) -> list[slice | NDArray]:
    """`index` in pieces of at most `size`, those without gaps as slices: these need no gather."""
    pieces = (index[k : k + size] for k in range(0, len(index), size))
    return [slice(int(p[0]), int(p[-1]) + 1) if p[-1] - p[0] + 1 == len(p) else p for p in pieces]


def working_dtype(dtype: np.dtype) -> np.dtype:
    """float32 where it holds every value of `dtype`, else float64."""
    return np.dtype(np.float32 if np.can_cast(dtype, np.float32) else np.float64)
