"""Sources of data that are not in memory as an array: on disk, compressed or sparse.

A kind of storage is recognized by the name of its type, so that no library is loaded for data
that do not come from it.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import scipy.sparse

from hitmiss.data.sources.source import Source

# (package, type) -> module here and the class in it that reads such an object.
_KINDS = {
    ("numpy", "memmap"): ("mapped", "MappedSource"),
    ("h5py", "Dataset"): ("chunked", "ChunkedSource"),
    ("zarr", "Array"): ("chunked", "ChunkedSource"),
    ("dask", "Array"): ("lazy", "DaskSource"),
    ("pyarrow", "ParquetFile"): ("parquet", "ParquetSource"),
    ("anndata", "AnnData"): ("annotated", "annotated_source"),
    ("anndata", "BaseCompressedSparseDataset"): ("annotated", "CompressedSource"),
}


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
        return _reader("sparse", "SparseSource")(X)
    for kind in type(X).__mro__:
        key = (kind.__module__.partition(".")[0], kind.__name__)
        if key in _KINDS:
            return _reader(*_KINDS[key])(X)
    return None


def _reader(module: str, name: str) -> Callable[[Any], Source]:
    return getattr(import_module(f"hitmiss.data.sources.{module}"), name)


__all__ = ["Source", "as_source"]
