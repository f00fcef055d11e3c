"""HDF5 datasets and Zarr arrays, which are stored in chunks or in one piece."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.sources.source import Source


class ChunkedSource(Source):
    """An array that is read by slicing it.

    Parameters
    ----------
    X : h5py.Dataset or zarr.Array
        Of shape (n_samples, n_features). Chunks that span all samples are the quickest.
    """

    def __init__(self, X: Any):
        chunks = getattr(X, "chunks", None)
        super().__init__(X.shape, X.dtype, chunks[-1] if chunks else sizes.SOURCE_COLUMNS)
        self._X = X

    def _span(self, start: int, stop: int) -> NDArray:
        return np.ascontiguousarray(self._X[:, start:stop])
