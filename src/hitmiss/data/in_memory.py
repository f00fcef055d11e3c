"""Features of an array in memory."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH, page_aligned
from hitmiss.data.blockwise import Block, Blockwise, Window, width_of
from hitmiss.data.scaling import (
    UNSCALED,
    Extremes,
    Part,
    Rule,
    Scaling,
    extremes_of,
    joined_extremes,
)
from hitmiss.kernels.distances import pack, pack_some

RANGE_COLUMNS = 4096  # features whose range is found at once: long runs in either memory order


class InMemory(Blockwise):
    """Features of an array.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Real numbers in any memory layout, finite but for NaN where the scaling has a `gap`.
    workers : Workers
        Where the work runs.
    scaling : Scaling, optional
        In the working precision. Without it X is taken as it is.

    Examples
    --------
    >>> features = InMemory(np.array([[0.0, 1.0], [3.0, 5.0]]), Workers(1))
    >>> features.distances(np.array([1.0, 0.5]))
    array([[0., 5.],
           [5., 0.]])
    """

    is_in_memory = True

    def __init__(self, X: NDArray, workers: Workers, scaling: Scaling = UNSCALED):
        super().__init__(X.shape, X.dtype, workers, scaling)
        self.X = X
        self._side_by_side = X.dtype == self.dtype and X.strides[1] == X.itemsize
        self._packed: NDArray | None = None  # X as one block, where it was made as such

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        n = max(self.n_features, 1)
        size = n if self.X.size <= sizes.FEW_VALUES else RANGE_COLUMNS
        found = self.workers.map(lambda k: extremes_of(self.X[:, k : k + size]), range(0, n, size))
        return joined_extremes(found).astype(self.dtype)

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "InMemory":
        """Some features, scaled, in memory."""
        packed = page_aligned((self.n_padded, len(index)), dtype or self.dtype)
        self._pack_into(packed, index)
        scaling = self.scaling.at(index).of_scaled()
        found = InMemory(packed[: self.n_samples], self.workers, scaling)
        if packed.dtype == found.dtype:
            found._packed = packed
        return found

    def in_single_precision(self) -> "InMemory":
        """The features, scaled, in single precision, where a copy is small: kernels take half."""
        n_bytes = 4 * self.n_samples * self.n_features
        if self.dtype == np.float32 or n_bytes > sizes.SINGLE_BYTES:
            return self
        return self.columns(np.arange(self.n_features), dtype=np.float32)

    def raw_values(self, part: Part | None = None) -> NDArray:
        """The values before any scaling."""
        return self.X if part is None else self.X[:, part]

    @property
    def values(self) -> NDArray:
        """All features, scaled; X itself if there is nothing to scale."""
        if self.scaling.leaves_values:
            return self.X
        return self.columns(np.arange(self.n_features)).X

    def pack(self, part: Part, weights: NDArray | None = None, *, keep: bool = True) -> NDArray:
        """Some features, scaled and times weights, with rows of zeros up to a multiple of four.

        Parameters
        ----------
        part : slice or ndarray
            The features.
        weights : ndarray of shape (n_kept,), optional
            Of these features.
        keep : bool, default=True
            Whether the block may be kept; otherwise it is valid until this thread packs another.
        """
        shape = self.n_padded, width_of(part)
        packed = self._packed if weights is None and self.scaling.leaves_values else None
        if packed is not None and shape[1] == self.n_features:
            return packed
        block = (
            page_aligned(shape, self.dtype) if keep else SCRATCH.array("block", shape, self.dtype)
        )
        self._pack_into(block, part, weights)
        return block

    def rule(self, part: Part, weights: NDArray | None = None) -> Rule | None:
        """Differences of missing and nominal values of some features; None if there are none.

        Parameters
        ----------
        part : slice or ndarray
            The features.
        weights : ndarray of shape (n_kept,), optional
            Of these features.
        """
        if self.scaling.of_numbers or (rule := self.scaling.rule(part)) is None:
            return None
        rule = rule.astype(self.dtype)
        return rule if weights is None else rule.weighted(weights)

    def _windows(self, places: list[Block], name: str) -> Iterator[Window]:
        if self.workers.progress is None:  # nothing to announce, and no width to find for it
            yield Window(self, places, "")
            return
        n_features = sum(width_of(place.features) for place in places)
        yield Window(self, places, self.label(name, n_features))

    def _pack_into(self, block: NDArray, part: Part, weights: NDArray | None = None) -> None:
        center, factor = self.scaling.at(part)[:2]
        if weights is not None:
            weights = weights.astype(self.dtype, copy=False)
            factor = weights if factor is None else factor * weights
        if self._side_by_side and block.dtype == self.dtype:
            width = block.shape[1]
            center = np.zeros(width, self.dtype) if center is None else center
            factor = np.ones(width, self.dtype) if factor is None else factor
            if isinstance(part, slice):
                pack(self.X, part.start, center, factor, block)
            else:
                pack_some(self.X, part, center, factor, block)
            return
        rows = block[: self.n_samples]
        block[self.n_samples :] = 0
        if center is None:
            rows[:] = self.X[:, part]
        else:
            np.subtract(self.X[:, part], center, out=rows)
        if factor is not None:
            rows *= factor
