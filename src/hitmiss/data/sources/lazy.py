"""Dask arrays, computed a few features at a time."""

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from hitmiss.data.sources.source import Source


class DaskSource(Source):
    """A Dask array, computed some features at a time by the scheduler that is current.

    Parameters
    ----------
    X : dask.array.Array of shape (n_samples, n_features)
        Cut along the features; if the samples are cut as well, they are put together. Chunks may
        be sparse matrices of SciPy; these stay so until they are read.
    """

    may_be_distributed = True

    def __init__(self, X: Any):
        if any(np.isnan(length) for length in X.shape):
            raise ValueError(
                "The chunks of X are of unknown sizes; call X.compute_chunk_sizes() first."
            )
        super().__init__(X.shape, X.dtype)
        widths = tuple(width for width in X.chunks[1] if width)  # a chunk may be empty
        if widths:
            self.chunk = widths[0]
            X = X.rechunk((-1, widths))
        self.array = X

    def _span(self, start: int, stop: int) -> NDArray:
        return np.ascontiguousarray(dense(self.array[:, start:stop].compute()))

    def _take(self, index: NDArray) -> NDArray:
        return np.ascontiguousarray(dense(self.array[:, index].compute()))


def dense(chunk: Any) -> NDArray:
    """A chunk as an array."""
    return chunk.toarray() if scipy.sparse.issparse(chunk) else chunk
