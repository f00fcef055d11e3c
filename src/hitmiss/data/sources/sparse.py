"""Sparse matrices, made dense a few features at a time."""

from typing import Any

from numpy.typing import NDArray

from hitmiss.data.sources.source import Source


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
