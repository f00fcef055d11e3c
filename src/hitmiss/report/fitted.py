"""Weights, ranking and selection of a fitted selector of any method."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.alignment import columns
from hitmiss._util.any_estimator import feature_weights
from hitmiss._util.text import clean, distinct
from hitmiss.plotting._rounding import is_constant, is_rounding

CHUNK = 1024  # features converted to floats at a time: 8 MB for 1,000 samples


class Fitted(NamedTuple):
    """Weights, tie-breaking scores, selected features and all features best first."""

    weights: NDArray
    scores: NDArray | None
    support: NDArray
    ranking: NDArray
    marks: NDArray | None = None  # the classes that each feature is selected for, as text

    @property
    def selected(self) -> NDArray:
        """Indices of the selected features, best first."""
        return self.ranking[self.support[self.ranking]]


class Names(NamedTuple):
    """Names of features, samples and classes, or of other groups of the samples."""

    features: list[str]
    samples: list[str]
    classes: list[str]
    by: str = "class"  # what the groups are made of


def read_fitted(estimator: Any) -> Fitted:
    """Weights, ranking and selection of a fitted selector.

    Parameters
    ----------
    estimator : object
        Fitted, with `get_support`, and with weights or scores.

    Returns
    -------
    Fitted
    """
    check_is_fitted(estimator)
    if not hasattr(estimator, "get_support"):
        raise ValueError(
            f"{type(estimator).__name__} selects no features; wrap it in Ensemble or in "
            "scikit-learn's SelectFromModel."
        )
    support = np.asarray(estimator.get_support(), bool)
    scores = getattr(estimator, "scores_", None)
    weights = _weights(estimator, scores, len(support))
    return Fitted(weights, scores, support, _ranking(estimator, weights), marked_classes(estimator))


def marked_classes(estimator: Any) -> NDArray | None:
    """The classes that each feature is selected for, as text; None if it is not by class."""
    if not hasattr(estimator, "class_support_"):
        return None
    names, chosen = class_names(estimator.classes_), estimator.class_support_
    texts = [", ".join(names[c] for c in np.flatnonzero(column)) for column in chosen.T]
    return np.array(texts, dtype=object)


def column_names(given: ArrayLike | None, estimator: Any, n_features: int) -> list[str]:
    """Names of the features: those given, those seen in fit, or x0, x1, ...

    Parameters
    ----------
    given : array-like of str or None
        Names that the caller has given.
    estimator : object
        Fitted; its `feature_names_in_` are used if it has them.
    n_features : int
        Number of features.

    Returns
    -------
    list of str
    """
    names = getattr(estimator, "feature_names_in_", None) if given is None else given
    return _names("feature_names", names, n_features) or [f"x{j}" for j in range(n_features)]


def row_names(given: ArrayLike | None, n_samples: int) -> list[str]:
    """Names of the samples: those given, or their numbers from 0."""
    return _names("sample_names", given, n_samples) or [str(n) for n in range(n_samples)]


def class_names(labels: Iterable[Any]) -> list[str]:
    """Names of the classes, as text that can be printed, all different."""
    return distinct(clean(label) for label in labels)


def class_means(X: Any, codes: NDArray, index: NDArray) -> NDArray:
    """Mean of some features in each class, shape (n_classes, n_index).

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    codes : ndarray of shape (n_samples,)
        Class of each sample as an integer from 0.
    index : ndarray
        Positions of the features.

    Returns
    -------
    ndarray
    """
    member = codes == np.arange(codes.max() + 1)[:, None]
    shares = member / member.sum(axis=1, keepdims=True)
    chunks = np.array_split(index, max(1, len(index) // CHUNK))
    return np.hstack([_means(shares, columns(X, chunk)) for chunk in chunks])


def rank_correlations(X: Any, scale: NDArray, index: NDArray) -> NDArray:
    """Spearman's correlation of some features with a number per sample, over what is observed.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    scale : ndarray of shape (n_samples,)
        The numbers.
    index : ndarray
        Positions of the features.

    Returns
    -------
    ndarray of shape (n_index,)
        NaN where the feature or the number is constant but for rounding.
    """
    if is_constant(scale):
        return np.full(len(index), np.nan)
    chunks = np.array_split(index, max(1, len(index) // CHUNK))
    return np.concatenate([_spearman(columns(X, chunk), scale) for chunk in chunks])


def _spearman(values: NDArray, scale: NDArray) -> NDArray:
    found = np.empty(values.shape[1])
    whole = ~np.isnan(values).any(axis=0)
    found[whole] = _pearson(rankdata(values[:, whole], axis=0), rankdata(scale))
    for j in np.flatnonzero(~whole):
        seen = ~np.isnan(values[:, j])
        ranks = rankdata(values[seen, j])[:, None]
        found[j] = _pearson(ranks, rankdata(scale[seen]))[0]
    found[is_constant(values, axis=0)] = np.nan
    return found


def _pearson(A: NDArray, b: NDArray) -> NDArray:
    """Correlation of every column of A with b; NaN for constant columns, or without rows."""
    if not len(b):
        return np.full(A.shape[1], np.nan)
    A, b = A - A.mean(axis=0), b - b.mean()
    size = np.sqrt((A**2).sum(axis=0) * (b**2).sum())
    return np.divide(b @ A, size, out=np.full(len(size), np.nan), where=size > 0).clip(-1, 1)


def _means(shares: NDArray, values: NDArray) -> NDArray:
    """Means under shares of the samples, over what is observed; NaN over nothing.

    A mean of values that cancel but for rounding is 0.
    """
    seen = ~np.isnan(values)
    means = shares @ np.where(seen, values, 0.0)
    if not seen.all():
        weight = shares @ seen
        means = np.divide(means, weight, out=np.full_like(means, np.nan), where=weight > 0)
    means[is_rounding(means, np.fmax.reduce(np.abs(values), axis=0))] = 0.0
    return means


def _weights(estimator: Any, scores: NDArray | None, n_features: int) -> NDArray:
    try:
        weights = feature_weights(estimator)
    except ValueError:
        if scores is None:
            raise
        weights = np.asarray(scores, float)
    if len(weights) != n_features:
        raise ValueError(
            f"{type(estimator).__name__} has {len(weights)} weights for {n_features} features."
        )
    return weights


def _ranking(estimator: Any, weights: NDArray) -> NDArray:
    """`ranking_` if it lists all features best first, as here, else by weight."""
    ranking = np.asarray(getattr(estimator, "ranking_", []))
    if ranking.shape == weights.shape and (np.sort(ranking) == np.arange(len(ranking))).all():
        return ranking
    return np.argsort(-weights, kind="stable")


def _names(parameter: str, names: Any, n: int) -> list[str] | None:
    if names is None:
        return None
    texts = [str(name) for name in names]
    if len(texts) != n:
        raise ValueError(f"{parameter} must hold {n} names; got {len(texts)}.")
    return texts
