"""Weights of samples that reduce the variance of what is learned from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_X_y

from hitmiss._util.alignment import aligned
from hitmiss._util.checks import check_choice, check_count
from hitmiss._util.workers import Workers, one_blas_thread
from hitmiss.estimators.validation import scaled_features
from hitmiss.neighbors import nearest_neighbors
from hitmiss.targets.classes import encode_labels


def margin_sample_weights(
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_neighbors: int | None = None,
    scale: str | None = "range",
    n_jobs: int | None = None,
) -> NDArray:
    """Weight of each sample: the inverse of its mean distance to the others, as margin vectors.

    A sample whose margin vector lies far from all others moves the weights of features most, so
    it gets a small weight. For any estimator whose `fit` takes `sample_weight`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels of any type.
    n_neighbors : int, default=None
        Number of hits, and of misses of each other class, in a margin vector
        ``mean |x - miss| - mean |x - hit|``; None takes all.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.

    Returns
    -------
    sample_weight : ndarray of shape (n_samples,)
        Of mean 1. Samples alone in their class, which have no margin, get 0.

    References
    ----------
    Y. Han, L. Yu (2010). A variance reduction framework for stable feature selection. ICDM,
    206-215.

    Examples
    --------
    The last sample is an outlier, among misses:

    >>> from hitmiss import margin_sample_weights
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0], [8.5]]
    >>> margin_sample_weights(X, list("aaabbba")).round(2)
    array([1.17, 1.2 , 1.04, 1.16, 1.12, 1.03, 0.26])
    """
    check_choice("scale", scale, ("range", None))
    if n_neighbors is not None:
        check_count("n_neighbors", n_neighbors)
    X, y, _ = aligned(X, y)
    data, labels = check_X_y(X, y, dtype="numeric", ensure_all_finite=False)
    target, workers = encode_labels(labels), Workers(n_jobs)
    features = scaled_features(data, scale, workers)
    D = features.distances(np.ones(features.n_features))
    Q = nearest_neighbors(D, target, n_neighbors or len(target), workers, features.dtype)
    Z = features.margins(Q)
    weight = np.zeros(len(target))
    weight[target.has_hit] = _inverse_mean_distances(Z[target.has_hit])
    return weight


SMALLEST_SHARE = 1e-12  # of the largest mean distance of a sample: below, its inverse is noise


@one_blas_thread()
def _inverse_mean_distances(Z: NDArray) -> NDArray:
    """1 over the Euclidean distance of each row to the others on average, scaled to mean 1."""
    Z = Z.astype(float) - Z.mean(axis=0, dtype=float)
    square = np.einsum("nj,nj->n", Z, Z)
    distances = np.sqrt(np.maximum(square[:, None] + square - 2 * Z @ Z.T, 0.0))
    np.fill_diagonal(distances, 0.0)
    total = distances.sum(axis=1)
    if not total.any():  # all alike
        return np.ones(len(Z))
    inverse = 1 / np.maximum(total, SMALLEST_SHARE * total.max())
    return inverse / inverse.mean()
