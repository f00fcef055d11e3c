"""Arrays that are not in memory, or sparse: memory maps, HDF5, Zarr, AnnData, SciPy, Dask."""

import mmap
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from hitmiss.data.sources import Source

SOURCE_COLUMNS = 512  # features read together though only some are wanted: a read takes long
ROW_BYTES = 1 << 26  # samples read at once from a matrix that is compressed by rows
FAULT_BYTES = 1 << 17  # what Linux may read ahead for one value of a memory map
MAPPED_BYTES = 1 << 25  # of a map that may be in memory before they are given back


class ChunkedSource(Source):
    """An array that is read by slicing it.

    Parameters
    ----------
    X : h5py.Dataset or zarr.Array
        Of shape (n_samples, n_features). Chunks that span all samples are the quickest.
    """

    def __init__(self, X: Any):
        chunks = getattr(X, "chunks", None)
        super().__init__(X.shape, X.dtype, chunks[-1] if chunks else SOURCE_COLUMNS)
        self._X = X

    def _span(self, start: int, stop: int) -> NDArray:
        return np.ascontiguousarray(self._X[:, start:stop])


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
        size = max(1, MAPPED_BYTES // max(1, FAULT_BYTES * len(index)))
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


class SparseSource(Source):
    """A SciPy sparse matrix or array.

    Parameters
    ----------
    X : sparse matrix or sparse array of shape (n_samples, n_features)
        CSC is the quickest to read by features; what is neither CSR nor CSC is made CSC first.
    """

    def __init__(self, X: Any):
        super().__init__(X.shape, X.dtype)
        self._X = X if X.format in ("csr", "csc") else X.tocsc()

    def _span(self, start: int, stop: int) -> NDArray:
        return self._X[:, start:stop].toarray(order="C")

    def _take(self, index: NDArray) -> NDArray:
        return self._X[:, index].toarray(order="C")


class CompressedSource(Source):
    """A sparse matrix on disk, compressed by rows or by columns.

    Parameters
    ----------
    X : anndata.abc.CSRDataset or anndata.abc.CSCDataset
        By columns is much quicker: by rows, every read goes through the whole file.
    """

    def __init__(self, X: Any):
        super().__init__(X.shape, X.dtype, chunk=SOURCE_COLUMNS)
        self._X = X

    def _span(self, start: int, stop: int) -> NDArray:
        if self._X.format == "csc":
            return self._X[:, start:stop].toarray(order="C")
        return self._by_rows(slice(start, stop), stop - start)

    def _take(self, index: NDArray) -> NDArray:
        if self._X.format == "csc":
            return super()._take(index)
        return self._by_rows(index, len(index))

    def _by_rows(self, part: slice | NDArray, width: int) -> NDArray:
        out = np.empty((self.shape[0], width), self.dtype)
        size = max(1, ROW_BYTES // (self.dtype.itemsize * max(1, self.shape[1])))
        for n in range(0, self.shape[0], size):
            out[n : n + size] = self._X[n : n + size][:, part].toarray()
        return out


def annotated_source(adata: Any) -> Source:
    """The source that reads ``adata.X``, with the names of its variables.

    Those whose values are codes of levels may be declared in ``adata.var["categorical"]``.

    Parameters
    ----------
    adata : anndata.AnnData
        Backed or in memory.

    Returns
    -------
    Source
    """
    X = adata.X
    if X is None:
        raise ValueError("adata.X is None; hand in a layer instead.")
    if scipy.sparse.issparse(X):
        source: Source = SparseSource(X)
    elif hasattr(X, "format"):
        source = CompressedSource(X)
    else:
        source = ChunkedSource(X)
    source.names = np.array(adata.var_names, dtype=object)
    declared = adata.var.get("categorical")
    if declared is not None and declared.dtype == bool:
        source.nominal = declared.to_numpy()
    return source


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
