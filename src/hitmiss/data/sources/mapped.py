"""Files that are mapped into memory by NumPy."""

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.sources.source import Source


class MappedSource(Source):
    """A NumPy memmap, of which no more stays in memory than what is being read.

    Parameters
    ----------
    X : numpy.memmap of shape (n_samples, n_features)
        In any memory layout.
    """

    def __init__(self, X: np.memmap):
        super().__init__(X.shape, X.dtype)
        # What was written to a copy-on-write map exists nowhere else, so it is never given back.
        self._map = None if X.mode == "c" else _map_below(X)
        self._X = np.asarray(X)

    def _span(self, start: int, stop: int) -> NDArray:
        out = np.array(self._X[:, start:stop], order="C")
        self._give_back()
        return out

    def _take(self, index: NDArray) -> NDArray:
        out = np.empty((self.shape[0], len(index)), self.dtype)
        size = max(1, sizes.MAPPED_BYTES // max(1, sizes.FAULT_BYTES * len(index)))
        for n in range(0, self.shape[0], size):
            out[n : n + size] = self._X[n : n + size, index]
            self._give_back()
        return out

    def _give_back(self) -> None:
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


def _map_below(X: Any) -> mmap.mmap | None:
    """The map that an array lies in."""
    while X is not None and not isinstance(X, mmap.mmap):
        X = getattr(X, "base", None)
    return X
