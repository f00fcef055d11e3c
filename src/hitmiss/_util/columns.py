"""Selected columns of an array, a data frame or a sparse matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse


def as_matrix(X: Any) -> Any:
    """X itself if it is an array or a data frame, as CSC if it is sparse, else as an array."""
    return X.tocsc() if issparse(X) else X if hasattr(X, "shape") else np.asarray(X)


def columns(X: Any, index: NDArray) -> NDArray:
    """The columns at `index` as an array of floats.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    index : ndarray of int
        Positions of the columns.

    Returns
    -------
    ndarray of shape (n_samples, n_index)

    Examples
    --------
    >>> columns([[1, 2, 3], [4, 5, 6]], np.array([2, 0]))
    array([[3., 1.],
           [6., 4.]])
    """
    data = as_matrix(X)
    part = data.iloc[:, index] if hasattr(data, "iloc") else data[:, index]
    return part.toarray().astype(float) if issparse(part) else np.asarray(part, float)
