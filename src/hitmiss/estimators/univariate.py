"""FisherScore and KolmogorovSmirnov: methods that look at one feature at a time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss.data.features import Features
from hitmiss.estimators.selector import Selector, Weighed
from hitmiss.targets.target import Target

SCORED_TOGETHER = 512  # features of a univariate method: a thread's share, which fits its cache


@dataclass(eq=False, repr=False, kw_only=True)
class Univariate(Selector):
    """Base of univariate selectors."""

    missing: str = "skip"
    threshold: float = 0.01

    scale = "range"  # changes no score, and keeps the numbers in range
    _missing_rules = ("skip", "error")
    fit_takes = ()

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # type: ignore[override]
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return super().fit(X, y)

    @abstractmethod
    def _score(self, features: Features, index: NDArray, y: NDArray) -> NDArray:
        """Scores of a few features; missing values are NaN."""

    def _weigh(self, features: Features, target: Target) -> Weighed:
        w, n_features = np.empty(features.n_features), features.n_features

        def fill(start: int) -> None:
            index = np.arange(start, min(start + SCORED_TOGETHER, n_features))
            w[index] = self._score(features, index, target.classes.codes)

        features.workers.map(fill, range(0, n_features, SCORED_TOGETHER))
        return Weighed(w)


class FisherScore(Univariate):
    r"""Fisher score: how far apart the class means are, feature by feature.

    .. math:: w_j = \frac{\sum_c n_c (\mu_{cj} - \mu_j)^2}{\sum_c n_c \sigma_{cj}^2}

    A feature that is constant within every class but not over all would have an infinite score;
    it gets the largest that rounding can tell apart. Interactions go unseen.

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
        Fisher scores; 0 for constant features.
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
    R. O. Duda, P. E. Hart, D. G. Stork (2001). Pattern classification, 2nd edition. Wiley.

    Examples
    --------
    >>> from hitmiss import FisherScore
    >>> X = [[0, 1], [2, 5], [4, 1], [6, 5]]
    >>> FisherScore().fit(X, ["a", "a", "b", "b"]).weights_.round(6)
    array([4., 0.])
    """

    def _score(self, features: Features, index: NDArray, y: NDArray) -> NDArray:
        return fisher_scores(features.columns(index, float).X, y)


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

    def _score(self, features: Features, index: NDArray, y: NDArray) -> NDArray:
        # Values as they are: scaling may round different ones to equal ones.
        return largest_gaps(features.raw_values(index), y)


def fisher_scores(X: NDArray, y: NDArray) -> NDArray:
    """Spread between the classes over spread within them, of every feature."""
    if np.isnan(X).any():
        return _scores_of_observed(X, y)
    X = X - X.mean(axis=0)
    between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for c in range(y.max() + 1):
        members = X[y == c]
        mean = members.mean(axis=0)
        between += len(members) * mean**2
        within += ((members - mean) ** 2).sum(axis=0)
    eps = np.finfo(float).eps
    between[between <= (len(y) * eps) ** 2 * within] = 0.0  # means that differ by rounding
    return between / np.where(between > 0, np.maximum(within, eps * between), 1.0)


def _scores_of_observed(X: NDArray, y: NDArray) -> NDArray:
    """The scores of features one by one, each without its missing values."""
    scores = np.zeros(X.shape[1])
    for j, x in enumerate(X.T):
        seen = ~np.isnan(x)
        if seen.any():
            codes = np.unique(y[seen], return_inverse=True)[1]
            scores[j] = fisher_scores(x[seen, None], codes)[0]
    return scores


def largest_gaps(X: NDArray, y: NDArray) -> NDArray:
    """Largest gap between the distribution functions of the classes, of every feature."""
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
