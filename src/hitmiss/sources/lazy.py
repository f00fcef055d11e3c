"""Dask arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.sources.base import Source


class DaskSource(Source):
    """A Dask array, computed some features at a time by the scheduler that is current.

    Parameters
    ----------
    X : dask.array.Array of shape (n_samples, n_features)
        Cut along the features; if the samples are cut as well, they are put together.
    """

    def __init__(self, X: Any):
        if any(np.isnan(length) for length in X.shape):
            raise ValueError(
                "The chunks of X are of unknown sizes; call X.compute_chunk_sizes() first."
            )
        super().__init__(X.shape, X.dtype, X.chunks[-1][0] if X.shape[-1] else 1)
        self.array = X.rechunk({0: -1}) if len(X.chunks[0]) > 1 else X

    def _span(self, start: int, stop: int) -> NDArray:
        return np.ascontiguousarray(self.array[:, start:stop].compute())

    def _take(self, index: NDArray) -> NDArray:
        return np.ascontiguousarray(self.array[:, index].compute())
