"""Features of an array in memory, and the door to features of any data."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH, page_aligned
from hitmiss.data.blockwise import Block, Blockwise, Packed, Window, width_of
from hitmiss.data.features import Features
from hitmiss.data.scaling import (
    NUMBERS,
    UNSCALED,
    Extremes,
    Part,
    Rule,
    Scaling,
    extremes_of,
    joined_extremes,
)
from hitmiss.data.sources import Source
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
        parts = [self.X[:, k : k + size] for k in range(0, n, size)]
        found = joined_extremes(self.workers.map(extremes_of, parts))
        return found._replace(
            lowest=found.lowest.astype(self.dtype, copy=False),
            highest=found.highest.astype(self.dtype, copy=False),
        )

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "InMemory":
        """Some features, scaled, in memory."""
        packed = page_aligned((self.n_padded, len(index)), dtype or self.dtype)
        self.pack(index, block=packed)
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

    def pack(
        self, part: Part, weights: NDArray | None = None, block: NDArray | None = None
    ) -> Packed:
        """Some features, scaled and times weights, with rows of zeros up to a multiple of four.

        Parameters
        ----------
        part : slice or ndarray
            The features.
        weights : ndarray of shape (n_kept,), optional
            Of these features.
        block : ndarray of shape (n_padded, n_kept), optional
            Where they go; by default to memory that is valid until this thread packs another block.

        Returns
        -------
        block, gap, cap
            As kernels take them.
        """
        width = width_of(part)
        gap, cap = self.rule(part, weights)
        if block is None:
            made = self._packed if weights is None and self.scaling.leaves_values else None
            if made is not None and width == self.n_features:
                return made, gap, cap
            block = SCRATCH.array("block", (self.n_padded, width), self.dtype)
        # 1. (x - center) * factor, the weight being part of the factor; None leaves that step out.
        center, factor, _, _ = self.scaling.at(part)
        if weights is not None:
            weights = weights.astype(self.dtype, copy=False)
            factor = weights if factor is None else factor * weights
        # 2. Rows that lie side by side, in the precision of the work: in one pass.
        if self._side_by_side and block.dtype == self.dtype:
            center = np.zeros(width, self.dtype) if center is None else center
            factor = np.ones(width, self.dtype) if factor is None else factor
            if isinstance(part, slice):
                pack(self.X, part.start, center, factor, block)
            else:
                pack_some(self.X, part, center, factor, block)
            return block, gap, cap
        # 3. Other types and memory layouts: step by step.
        rows = block[: self.n_samples]
        block[self.n_samples :] = 0
        if center is None:
            rows[:] = self.X[:, part]
        else:
            np.subtract(self.X[:, part], center, out=rows)
        if factor is not None:
            rows *= factor
        return block, gap, cap

    def rule(self, part: Part, weights: NDArray | None = None) -> Rule:
        """Differences of missing and nominal values of some features.

        Parameters
        ----------
        part : slice or ndarray
            The features.
        weights : ndarray of shape (n_kept,), optional
            Of these features.
        """
        if self.scaling.gap is None and self.scaling.cap is None:
            return NUMBERS
        rule = self.scaling.rule(part).astype(self.dtype)
        return rule if weights is None else rule.weighted(weights)

    def _windows(self, blocks: list[Block], name: str) -> Iterator[Window]:
        width = blocks[-1].answer.stop if blocks else 0
        yield Window(self, blocks, self.label(name, width))


def open_features(
    X: Any, workers: Workers, memory: int | None = None, matrices: int = sizes.MATRICES
) -> Features:
    """Features of X: in memory, read from a source, or on the current Dask cluster.

    Parameters
    ----------
    X : ndarray or Source
        The data.
    workers : Workers
        Where the work runs.
    memory : int, optional
        Bytes that a fit may use.
    matrices : int
        Numbers per pair of samples that it holds.

    Returns
    -------
    Features
    """
    if not isinstance(X, Source):
        return InMemory(X, workers)
    from hitmiss.data.stored import Stored

    if X.may_be_distributed:  # Dask is loaded for its own data only
        from hitmiss.data.cluster import current_client
        from hitmiss.data.dask import Distributed

        client = current_client()
        if client is not None:
            return Distributed(cast(Any, X), workers, client)
    return Stored(X, workers, memory, matrices)
