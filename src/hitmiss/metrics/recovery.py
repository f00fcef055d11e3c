"""Recovery of the relevant features, where they are known."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_auc_score, roc_curve


class RecoveryCurve(NamedTuple):
    """Shares of the features whose score is at least each threshold."""

    irrelevant: NDArray
    relevant: NDArray
    thresholds: NDArray


def recovery_curve(scores: ArrayLike, relevant: ArrayLike) -> RecoveryCurve:
    """ROC curve of the classification of features as relevant (I-RELIEF Fig. 6).

    Parameters
    ----------
    scores : array-like of shape (n_features,)
        Weights of the features, larger for better.
    relevant : array-like
        Indices of the relevant features, or a boolean mask of all features.

    Returns
    -------
    RecoveryCurve
        `irrelevant` and `relevant`: the shares of the irrelevant and of the relevant features
        whose score is at least each of the `thresholds`, from none to all.

    Examples
    --------
    >>> from hitmiss.metrics import recovery_curve
    >>> curve = recovery_curve([0.9, 0.1, 0.5, 0.2], relevant=[0, 3])
    >>> curve.irrelevant, curve.relevant
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """
    scores, mask = _checked(scores, relevant)
    return RecoveryCurve(*roc_curve(mask, scores, drop_intermediate=False))


def recovery_auc(scores: ArrayLike, relevant: ArrayLike) -> float:
    """Area under the `recovery_curve`.

    The probability that a relevant feature scores above an irrelevant one; equal scores count
    half.

    Parameters
    ----------
    scores : array-like of shape (n_features,)
        Weights of the features, larger for better.
    relevant : array-like
        Indices of the relevant features, or a boolean mask of all features.

    Returns
    -------
    float
        1 if every relevant feature scores above every irrelevant one, about 0.5 by chance.

    Examples
    --------
    >>> from hitmiss.metrics import recovery_auc
    >>> recovery_auc([0.9, 0.1, 0.5, 0.2], relevant=[0, 3])
    0.75
    """
    scores, mask = _checked(scores, relevant)
    return float(roc_auc_score(mask, scores))


def false_discovery_rate(selected: ArrayLike, relevant: ArrayLike, n_features: int) -> float:
    """Share of the irrelevant features that were selected: the FDR of the LOFE paper.

    Usually called the false positive rate; see `false_discovery_proportion`.

    Parameters
    ----------
    selected : array-like
        Indices of the selected features, or a boolean mask of all features.
    relevant : array-like
        Indices of the relevant features, or a boolean mask of all features.
    n_features : int
        Number of features.

    Returns
    -------
    float
        (irrelevant features selected) / (irrelevant features); 0 if there are none.

    Examples
    --------
    >>> from hitmiss.metrics import false_discovery_rate
    >>> false_discovery_rate([0, 1, 7], relevant=[0, 1], n_features=10)
    0.125
    """
    chosen, good = feature_mask(selected, n_features), feature_mask(relevant, n_features)
    return _share(np.sum(chosen & ~good), np.sum(~good))


def false_discovery_proportion(selected: ArrayLike, relevant: ArrayLike, n_features: int) -> float:
    """Share of the selected features that are irrelevant.

    Parameters
    ----------
    selected : array-like
        Indices of the selected features, or a boolean mask of all features.
    relevant : array-like
        Indices of the relevant features, or a boolean mask of all features.
    n_features : int
        Number of features.

    Returns
    -------
    float
        (irrelevant features selected) / (features selected); 0 if none is selected.

    Examples
    --------
    >>> from hitmiss.metrics import false_discovery_proportion
    >>> false_discovery_proportion([0, 1, 7, 8], relevant=[0, 1], n_features=10)
    0.5
    """
    chosen, good = feature_mask(selected, n_features), feature_mask(relevant, n_features)
    return _share(np.sum(chosen & ~good), np.sum(chosen))


def feature_mask(features: ArrayLike, n_features: int) -> NDArray:
    """Boolean mask of features that are given as indices or as a mask."""
    features = np.asarray(features)
    if features.dtype == bool:
        if features.shape != (n_features,):
            raise ValueError(f"A mask of {features.size} features for {n_features}.")
        return features
    casting: Literal["same_kind", "unsafe"] = "same_kind" if features.size else "unsafe"
    index = features.astype(np.intp, casting=casting)
    if not ((index >= 0) & (index < n_features)).all():
        raise ValueError(f"Features must be indices from 0 to {n_features - 1}.")
    mask = np.zeros(n_features, bool)
    mask[index] = True
    return mask


def _checked(scores: ArrayLike, relevant: ArrayLike) -> tuple[NDArray, NDArray]:
    values = np.asarray(scores, float)
    mask = feature_mask(relevant, len(values))
    if mask.all() or not mask.any():
        raise ValueError("Recovery needs at least one relevant and one irrelevant feature.")
    return values, mask


def _share(part: int, whole: int) -> float:
    return float(part / whole) if whole else 0.0
