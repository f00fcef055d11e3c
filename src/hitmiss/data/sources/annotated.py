"""AnnData objects that are backed by a file, dense or sparse."""

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.sources.chunked import ChunkedSource
from hitmiss.data.sources.source import Source
from hitmiss.data.sources.sparse import SparseSource


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


class CompressedSource(Source):
    """A sparse matrix on disk, compressed by rows or by columns.

    Parameters
    ----------
    X : anndata.abc.CSRDataset or anndata.abc.CSCDataset
        By columns is much quicker: by rows, every read goes through the whole file.
    """

    def __init__(self, X: Any):
        super().__init__(X.shape, X.dtype, chunk=sizes.SOURCE_COLUMNS)
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
        size = max(1, sizes.ROW_BYTES // (self.dtype.itemsize * max(1, self.shape[1])))
        for n in range(0, self.shape[0], size):
            out[n : n + size] = self._X[n : n + size][:, part].toarray()
        return out
