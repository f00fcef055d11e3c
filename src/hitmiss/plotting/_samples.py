"""Samples scaled by learned weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.columns import as_matrix, columns


def scaled_support(X: ArrayLike, weights: ArrayLike, scale: str | None) -> NDArray:
    """Features of nonzero weight, each multiplied by its weight and divided by its range.

    The Manhattan distances of these rows are the weighted distances of the samples.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    weights : array-like of shape (n_features,)
        Weights of at least 0.
    scale : {"range", None}
        Whether each feature is divided by its range.

    Returns
    -------
    ndarray of shape (n_samples, n_nonzero)
    """
    w = np.asarray(weights, float)
    shape = as_matrix(X).shape
    if len(shape) != 2 or shape[1:] != w.shape:
        raise ValueError(f"{w.size} weights do not fit X of shape {shape}.")
    support = np.flatnonzero(w)
    A = columns(X, support)
    if scale == "range":
        # Half of the range, since the range itself may overflow.
        half = A.max(axis=0) / 2 - A.min(axis=0) / 2
        A = A / np.where(half > 0, half, 1.0) / 2
    return A * w[support]
