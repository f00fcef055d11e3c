"""Any fitted estimator as a list of features: what it selects, and all features, best first."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss._util.any_estimator import feature_weights
from hitmiss._util.checks import check_count
from hitmiss._util.ties import comparable


class ImportanceSelector(SelectorMixin, BaseEstimator):
    """Any estimator with `coef_` or `feature_importances_`, or any selector, with a ranking.

    It is for comparisons: lists of any length can be taken from the top of `ranking_`.

    Parameters
    ----------
    estimator : estimator
        Cloned. Of a pipeline the last step counts, and steps before it must keep the features.
    max_features : int, default=None
        Number of features to select; None takes what a selector selects, or the features of more
        than mean importance, as ``SelectFromModel`` of scikit-learn does.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator.
    feature_importances_ : ndarray of shape (n_features,)
        One number per feature, the larger the better.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hitmiss import datasets
    >>> from hitmiss.metrics import ImportanceSelector
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=80, random_state=0, return_X_y=True)
    >>> forest = ImportanceSelector(RandomForestClassifier(random_state=0), max_features=5)
    >>> bool((forest.fit(X, y).get_support(indices=True) < 20).all())
    True
    """

    def __init__(self, estimator: Any, max_features: int | None = None):
        self.estimator = estimator
        self.max_features = max_features

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the estimator, and rank the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self : object
            The fitted selector.
        """
        if self.max_features is not None:
            check_count("max_features", self.max_features)
        data, labels = validate_data(self, X, y, dtype="numeric")
        self.classes_ = np.unique(labels)
        self.estimator_ = clone(self.estimator).fit(data, labels)
        self.feature_importances_ = importances_of(self.estimator_)
        self.ranking_ = ranking_of(self.estimator_)
        return self

    def _get_support_mask(self) -> NDArray:
        check_is_fitted(self)
        if self.max_features is None:
            return support_of(self.estimator_)
        mask = np.zeros(self.n_features_in_, bool)
        mask[self.ranking_[: self.max_features]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def importances_of(fitted: Any) -> NDArray:
    """One number per feature, the larger the better.

    Parameters
    ----------
    fitted : estimator
        With `weights_`, `feature_importances_`, `coef_` or `scores_`, or with ranks as RFE has; a
        pipeline whose last step has one of them.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    fitted = _last_step(fitted)
    try:
        return feature_weights(fitted)
    except ValueError:
        if hasattr(fitted, "scores_"):
            return np.nan_to_num(np.asarray(fitted.scores_, float), posinf=np.finfo(float).max)
        if _has_ranks(fitted):
            return 1.0 / np.asarray(fitted.ranking_)
        if hasattr(fitted, "get_support"):
            return fitted.get_support().astype(float)
        raise ValueError(
            f"{type(fitted).__name__} has no coef_, feature_importances_, scores_ or get_support "
            "after fit; give an estimator that has one of them."
        ) from None


def ranking_of(fitted: Any) -> NDArray:
    """All features, best first: in the estimator's own order where it has one.

    Parameters
    ----------
    fitted : estimator
        As for `importances_of`.
    """
    fitted = _last_step(fitted)
    if hasattr(fitted, "ranking_") and not _has_ranks(fitted):
        return fitted.ranking_
    importances = comparable(importances_of(fitted))
    if _has_ranks(fitted):
        return np.lexsort((-importances, fitted.ranking_))
    return np.argsort(-importances, kind="stable")


def support_of(fitted: Any) -> NDArray:
    """Mask of selected features: by the selector's own rule, or above the mean importance.

    Parameters
    ----------
    fitted : estimator
        As for `importances_of`.
    """
    fitted = _last_step(fitted)
    if hasattr(fitted, "get_support"):
        return fitted.get_support()
    importances = importances_of(fitted)
    return importances > importances.mean()


def _last_step(fitted: Any) -> Any:
    while isinstance(fitted, Pipeline) or hasattr(fitted, "best_estimator_"):
        fitted = fitted[-1] if isinstance(fitted, Pipeline) else fitted.best_estimator_
    return fitted


def _has_ranks(fitted: Any) -> bool:
    """Whether `ranking_` holds a rank per feature, 1 the best, as in scikit-learn's RFE.

    Here it lists all features, best first, and 0 is one of them.
    """
    ranking = np.asarray(getattr(fitted, "ranking_", [0]))
    return bool(ranking.size > 0 and ranking.min() > 0)
