"""Sources of data that are not in memory as an array: on disk, compressed or sparse.

A kind of storage is recognized by the name of its type, so that no library is loaded for data
that do not come from it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

# (package, type) -> module here and the class in it that reads such an object.
_KINDS = {
    ("numpy", "memmap"): ("array_sources", "MappedSource"),
    ("h5py", "Dataset"): ("array_sources", "ChunkedSource"),
    ("zarr", "Array"): ("array_sources", "ChunkedSource"),
    ("dask", "Array"): ("array_sources", "DaskSource"),
    ("pyarrow", "ParquetFile"): ("parquet", "ParquetSource"),
    ("anndata", "AnnData"): ("array_sources", "annotated_source"),
    ("anndata", "BaseCompressedSparseDataset"): ("array_sources", "CompressedSource"),
}


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


def as_source(X: Any) -> Source | None:
    """The source that reads X, or None if X is none of the known kinds.

    Parameters
    ----------
    X : object
        A NumPy memmap, an HDF5 dataset (h5py), a Zarr or Dask array, a
        `pyarrow.parquet.ParquetFile`, a backed AnnData object, a SciPy sparse matrix or array, or
        a `Source`.

    Returns
    -------
    Source or None

    Examples
    --------
    >>> source = as_source(scipy.sparse.eye_array(3, format="csr"))
    >>> source.read(slice(1, 3))
    array([[0., 0.],
           [1., 0.],
           [0., 1.]])
    >>> as_source([[1.0, 2.0]]) is None
    True
    """
    if isinstance(X, Source):
        return X
    if scipy.sparse.issparse(X):
        return _reader("array_sources", "SparseSource")(X)
    for kind in type(X).__mro__:
        key = (kind.__module__.partition(".")[0], kind.__name__)
        if key in _KINDS:
            return _reader(*_KINDS[key])(X)
    return None


def _reader(module: str, name: str) -> Callable[[Any], Source]:
    return getattr(import_module(f"hitmiss.data.sources.{module}"), name)
