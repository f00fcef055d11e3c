"""A source: reads some of the features of data that are not in memory."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray


class Source(ABC):
    """Samples by features, read by features.

    A subclass implements `_span`, and `_take` where it has a better way than spans.

    Parameters
    ----------
    shape : tuple of int
        Number of samples and of features.
    dtype : dtype
        Of what is read; real numbers.
    chunk : int
        Features that are stored together: reading one of them costs as much as all.
    names : ndarray of str, optional
        Names of the features.
    """

    may_be_distributed = False  # whether the values may be on a cluster
    overhead = 0  # bytes that reading takes besides the values
    nominal: NDArray | None = None  # which features hold codes of levels, if that is declared

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype,
        chunk: int = 1,
        names: NDArray | None = None,
    ):
        if len(shape) != 2:
            raise ValueError(f"Expected 2D array, got {len(shape)}D data instead.")
        if np.dtype(dtype).kind == "c":
            raise ValueError("Complex data not supported; X must hold real numbers.")
        if np.dtype(dtype).kind not in "biuf":
            raise ValueError(f"X must hold numbers; it holds {dtype}.")
        self.shape, self.dtype = (int(shape[0]), int(shape[1])), np.dtype(dtype)
        self.chunk, self.names = int(chunk), names

    def read(self, part: slice | NDArray) -> NDArray:
        """The features of a slice, or at ascending places, as a new array (n_samples, width)."""
        if isinstance(part, slice):
            return self._span(part.start, part.stop)
        return self._take(part)

    @abstractmethod
    def _span(self, start: int, stop: int) -> NDArray:
        """The features start, ..., stop - 1."""

    def _take(self, index: NDArray) -> NDArray:
        """The features at `index`; those of one chunk, or without a gap, are read together."""
        out = np.empty((self.shape[0], len(index)), self.dtype)
        step = 1 if self.chunk == 1 else 0  # from one chunk to the next that is in the same span
        edges = np.flatnonzero(np.diff(index // self.chunk) > step) + 1
        for places in np.split(np.arange(len(index)), edges):
            if len(places):
                start = int(index[places[0]])
                span = self._span(start, int(index[places[-1]]) + 1)
                out[:, places] = span[:, index[places] - start]
        return out
