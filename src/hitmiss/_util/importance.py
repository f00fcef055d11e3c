"""Weights of the features from any fitted estimator, whatever their attribute is called."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import ZERO, comparable

ImportanceGetter = str | Callable[[Any], NDArray]


def feature_weights(estimator: Any, getter: ImportanceGetter = "auto") -> NDArray:
    """One number per feature, the larger the better.

    Parameters
    ----------
    estimator : object
        Fitted.
    getter : str or callable, default="auto"
        "auto" takes `weights_`, else `feature_importances_`, else the absolute values of `coef_`,
        summed over classes. Another string is the path of an attribute, a callable is called with
        the estimator.

    Returns
    -------
    weights : ndarray of shape (n_features,)

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> feature_weights(LinearRegression().fit([[0, 0], [1, 0], [0, 1]], [0, 2, -3])).round(3)
    array([2., 3.])
    """
    if callable(getter):
        found = getter(estimator)
    elif getter != "auto":
        found = attrgetter(getter)(estimator)
    else:
        found = _usual(estimator)
    return np.array(found, dtype=float).ravel()


def _usual(estimator: Any) -> NDArray:
    for name in ("weights_", "feature_importances_"):
        if hasattr(estimator, name):
            return getattr(estimator, name)
    if hasattr(estimator, "coef_"):
        return np.abs(np.atleast_2d(estimator.coef_)).sum(axis=0)
    raise ValueError(
        f"{type(estimator).__name__} has neither weights_ nor feature_importances_ nor coef_ after "
        "fit; say where its weights are with importance_getter."
    )


def top_or_above(weights: NDArray, threshold: float, max_features: int | None) -> NDArray:
    """Which features are selected: the `max_features` largest, or those over the threshold.

    Parameters
    ----------
    weights : ndarray of shape (n_features,)
        Weights of the features.
    threshold : float
        A share of the largest weight.
    max_features : int or None
        Number of features to select, instead of `threshold`.
    """
    if max_features is None:
        largest = weights.max()
        return weights > (threshold + ZERO) * (largest if largest > 0 else 1.0)
    mask = np.zeros(len(weights), bool)
    mask[np.argsort(-comparable(weights), kind="stable")[:max_features]] = True
    return mask
