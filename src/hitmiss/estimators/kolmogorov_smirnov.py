"""KolmogorovSmirnov: the largest gap between the classes' distribution functions."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.estimators.univariate import Univariate


class KolmogorovSmirnov(Univariate):
    r"""Kolmogorov-Smirnov statistic of every feature.

    .. math:: w_j = \max_t \bigl| F_{1j}(t) - F_{0j}(t) \bigr|

    with the empirical distribution functions of feature j in the two classes; with more classes
    the largest over each class against all others. Interactions go unseen.

    Parameters
    ----------
    missing : {"skip", "error"}, default="skip"
        Whether missing values, which are NaN, None or NA, are left out, feature by feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Statistics, between 0 and 1.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    F. J. Massey (1951). The Kolmogorov-Smirnov test for goodness of fit. Journal of the American
    Statistical Association 46(253), 68-78.

    Examples
    --------
    >>> from hitmiss import KolmogorovSmirnov
    >>> X = [[0, 1], [2, 5], [4, 1], [6, 5]]
    >>> KolmogorovSmirnov().fit(X, ["a", "a", "b", "b"]).weights_
    array([1., 0.])
    """

    def _columns(self, features: Features, index: NDArray) -> NDArray:
        # As they are: scaling may round different values to equal ones.
        return features.raw_values(index)

    def _score(self, X: NDArray, y: NDArray) -> NDArray:
        if X.dtype.kind == "f":
            X = np.where(np.isnan(X), np.inf, X)  # above all others, where it counts for no class
        order = X.argsort(axis=0)
        values, labels = np.take_along_axis(X, order, axis=0), y[order]
        labels = np.where(np.isfinite(values), labels, -1)
        # A distribution function has its value only after the last of equal samples.
        last = np.vstack([values[1:] > values[:-1], np.ones((1, X.shape[1]), bool)])
        below = (labels >= 0).cumsum(axis=0)
        largest = np.zeros(X.shape[1])
        for c in range(1, 2) if y.max() == 1 else range(y.max() + 1):
            inside = (labels == c).cumsum(axis=0)
            n_inside, n_outside = inside[-1], below[-1] - inside[-1]
            gap = inside / np.maximum(n_inside, 1) - (below - inside) / np.maximum(n_outside, 1)
            gap *= (n_inside > 0) & (n_outside > 0)
            largest = np.maximum(largest, np.abs(gap, where=last, out=np.zeros_like(gap)).max(0))
        return largest
