"""Samples scaled by learned weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

from hitmiss._util.alignment import as_matrix, columns
from hitmiss.data.scaling import Scaling, mean_differences, share_unlike
from hitmiss.kernels.distances import cross_distances


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
        # As in the fit, so features constant there are constant here.
        scaling = Scaling.by_range(np.fmin.reduce(A, axis=0), np.fmax.reduce(A, axis=0))
        A = (A - scaling.center) * scaling.factor
    return A * w[support]


def support_distances(
    X: ArrayLike, weights: ArrayLike, scale: str | None, nominal: NDArray | None = None
) -> NDArray:
    """Weighted distances of all samples, also of those with missing or nominal values.

    Parameters
    ----------
    X, weights, scale
        As in `scaled_support`.
    nominal : ndarray of int, optional
        Features whose values are codes of levels.
    """
    A, w = scaled_support(X, weights, scale), np.asarray(weights, float)
    support = np.flatnonzero(w)
    codes = np.isin(support, [] if nominal is None else nominal)
    if not np.isnan(A).any() and not codes.any():
        return cdist(A, A, "cityblock")
    A[:, codes] = 2 * w[support][codes] * columns(X, support[codes])
    gap, cap = mean_differences(A), np.where(codes, w[support], np.inf)
    gap[codes] = [w[support[k]] * share_unlike(A[:, k]) for k in np.flatnonzero(codes)]
    D = np.empty((len(A), len(A)))
    cross_distances(A, A, gap, cap, D)
    np.fill_diagonal(D, 0.0)
    return D
