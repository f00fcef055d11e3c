"""Arguments of figures: numbers or a fitted selector, positions or names of features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.any_estimator import feature_weights
from hitmiss._util.text import suggestion


def is_estimator(given: Any) -> bool:
    """Whether it is an estimator rather than numbers."""
    return hasattr(given, "fit")


def attribute_of(given: Any, name: str) -> Any:
    """The fitted attribute of an estimator; anything else is returned unchanged."""
    if not is_estimator(given):
        return given
    check_is_fitted(given)
    if not hasattr(given, name):
        raise TypeError(f"{type(given).__name__} has no {name}, which this figure shows.")
    return getattr(given, name)


def weights_of(given: Any) -> NDArray:
    """Weights of a fitted estimator, its scores if it has none, or the numbers given.

    Examples
    --------
    >>> weights_of([1, 0.5])
    array([1. , 0.5])
    """
    if is_estimator(given):
        check_is_fitted(given)
        return _estimated(given)
    try:
        return np.asarray(given, float)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "weights must be a fitted selector, or hold a number per feature; got "
            f"{type(given).__name__}."
        ) from error


def feature_names(names: ArrayLike | None, *givers: Any) -> NDArray | None:
    """Names of all features: those given, else of the first that knows them, else None.

    Parameters
    ----------
    names : array-like of str or None
        What the caller has said.
    *givers : object
        Estimators fitted on a data frame, and data frames.

    Returns
    -------
    ndarray or None
    """
    if names is not None:
        return np.asarray(names, object)
    for giver in givers:
        for attribute in ("feature_names_in_", "columns"):
            if hasattr(giver, attribute):
                return np.asarray(getattr(giver, attribute), object)
    return None


def feature_positions(features: Any, names: NDArray | None) -> NDArray:
    """Positions of features that are given as positions, as names or as a mask.

    Parameters
    ----------
    features : array-like of int, str or bool, or estimator
        A fitted selector stands for the features it selects, best first.
    names : ndarray or None
        Names of all features.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> feature_positions(["b", "a"], np.array(["a", "b"], object))
    array([1, 0])
    """
    if is_estimator(features):
        return _selected(features)
    index = np.atleast_1d(np.asarray(features))
    if not index.size or index.dtype.kind in "iu":
        return index.astype(int)
    if index.dtype.kind == "b":
        return np.flatnonzero(index)
    if names is None or index.dtype.kind == "f":
        raise TypeError(
            "features must be positions of columns, such as ranking_[:20], or names of columns "
            f"where X is a data frame or names are given; got {index.flat[0]!s:.40}."
        )
    places = {str(name): j for j, name in enumerate(names)}
    return np.array([_place(str(name), places) for name in index])


def _estimated(estimator: Any) -> NDArray:
    try:
        return feature_weights(estimator)
    except ValueError:
        if not hasattr(estimator, "scores_"):
            raise
        return np.asarray(estimator.scores_, float)


def _selected(estimator: Any) -> NDArray:
    check_is_fitted(estimator)
    if not hasattr(estimator, "get_support"):
        raise TypeError(
            f"{type(estimator).__name__} selects no features; name the features to show."
        )
    support, ranking = estimator.get_support(), np.asarray(getattr(estimator, "ranking_", []))
    if ranking.shape == support.shape and ranking.min(initial=1) == 0:  # best first, as here
        return ranking[support[ranking]]
    selected = np.flatnonzero(support)
    return selected[np.argsort(-_estimated(estimator)[selected], kind="stable")]


def _place(name: str, places: dict[str, int]) -> int:
    if name not in places:
        hint = suggestion(name, places, "see the columns of X.")
        raise ValueError(f"There is no feature {name!r}; {hint}")
    return places[name]
