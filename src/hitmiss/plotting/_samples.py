"""Samples as the learned distance sees them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.columns import as_matrix, columns


def scaled_support(X: ArrayLike, weights: ArrayLike, scale: str | None) -> NDArray:
    """Features with a weight, each times its weight and over its range if `scale` is "range".

    The Manhattan distances of these rows are the weighted distances of the samples.
    """
    w = np.asarray(weights, float)
    shape = as_matrix(X).shape
    if len(shape) != 2 or shape[1:] != w.shape:
        raise ValueError(f"{w.size} weights do not fit X of shape {shape}.")
    support = np.flatnonzero(w)
    A = columns(X, support)
    if scale == "range":
        half = A.max(axis=0) / 2 - A.min(axis=0) / 2  # of the range, which may overflow
        A = A / np.where(half > 0, half, 1.0) / 2
    return A * w[support]
