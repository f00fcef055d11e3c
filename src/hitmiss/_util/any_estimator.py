"""Questions to any estimator, ours or not: what its fit takes, and its weights of the features."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from hitmiss._util.ties import ZERO, comparable

PER_SAMPLE = ("sample_weight", "groups", "strata", "covariates")


def given(**values: Any) -> dict[str, Any]:
    """The values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def takes(estimator: Any, name: str) -> bool:
    """Whether the fit of an estimator takes values of the samples by this name.

    An estimator around another has an attribute `fit_takes`: it passes on what that one takes.
    """
    if hasattr(estimator, "fit_takes"):
        return name in estimator.fit_takes
    return has_fit_parameter(estimator, name)


def taken(estimator: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that the fit of an estimator takes."""
    return {name: value for name, value in values.items() if takes(estimator, name)}


def some_of(values: Mapping[str, Any], rows: NDArray) -> dict[str, Any]:
    """The values of some samples."""
    return {name: np.asarray(value)[rows] for name, value in values.items()}


def check_taken(estimator: Any, values: Mapping[str, Any]) -> None:
    """An error that names a value that the fit of an estimator does not take."""
    for name in values:
        if not takes(estimator, name):
            raise ValueError(
                f"The fit of {type(estimator).__name__} takes no {name}; leave it out, or use a "
                "selector that takes it."
            )


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
