"""Shared parts of `synergy` and `substitutes`: choice of the features, and threads."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.errors import warn
from hitmiss._util.progress import Progress
from hitmiss._util.text import suggestion
from hitmiss._util.workers import Workers
from hitmiss.estimators.lofe import LocalLearner
from hitmiss.lofe import Fit

SHOWN_AFTER = 2.0  # seconds after which a user wants to see the progress


def check_local_learner(caller: str, estimator: Any) -> None:
    """Raise an error if the estimator has no objective on a subset of the features."""
    if not isinstance(estimator, LocalLearner):
        raise TypeError(
            f"{caller} compares fixed points, so it needs a fitted LOFE or LOFECV; got "
            f"{type(estimator).__name__}."
        )
    check_is_fitted(estimator)


def selected_features(estimator: Any) -> NDArray:
    """Positions of the selected features, best first; raise an error if there are none."""
    ranking = estimator.ranking_
    found = ranking[estimator.get_support()[ranking]]
    if not len(found):
        raise ValueError("No feature is selected; fit with a smaller alpha.")
    return found


def names_at(estimator: Any, index: NDArray) -> NDArray:
    """Names of the features at `index`: those seen in fit, or x0, x1, ..."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        return names[index]
    return np.array([f"x{j}" for j in index.flat], dtype=object).reshape(index.shape)


def positions(features: ArrayLike, estimator: Any) -> NDArray:
    """Positions of features that are given by position or by name.

    Parameters
    ----------
    features : array-like of int or of str
        The features, each once.
    estimator : object
        Fitted; it has seen `n_features_in_` features, perhaps with names.

    Returns
    -------
    ndarray of int
    """
    given, n_features = np.asarray(features), estimator.n_features_in_
    if given.ndim != 1 or not given.size:
        raise ValueError("features must be a list of names or positions, and not empty.")
    if given.dtype.kind in "UO":
        given = _by_name(given.tolist(), names_at(estimator, np.arange(n_features)))
    if given.dtype.kind not in "iu":
        raise ValueError(f"features must be names or positions; got {given[0].item()!r}.")
    outside = given[(given < 0) | (given >= n_features)]
    if len(outside):
        raise ValueError(
            f"features must be positions from 0 to {n_features - 1}; got {outside[0]}."
        )
    if len(np.unique(given)) < len(given):
        raise ValueError("features must differ from each other; one is given twice.")
    return given.astype(int)


def workers_of(estimator: Any, *, verbose: bool) -> Workers:
    """Worker threads, as many as the estimator uses; long work shows its progress."""
    return Workers(estimator.n_jobs, Progress(after=SHOWN_AFTER) if verbose else None)


def check_reached(found: Iterable[Fit]) -> None:
    """Warn if a fixed point was not reached."""
    n_missed = sum(not fit.converged for fit in found)
    if n_missed:
        warn(
            f"The iteration did not converge to {n_missed} of the fixed points, so that numbers "
            "are not exact; increase sigma, max_iter or tol of the estimator.",
            ConvergenceWarning,
        )


def _by_name(wanted: list[Any], names: NDArray) -> NDArray:
    place = dict(zip(names.tolist(), range(len(names)), strict=True))
    for name in wanted:
        if name not in place:
            hint = suggestion(str(name), place, "use the names seen in fit, or positions.")
            raise ValueError(f"There is no feature {name!r}; {hint}")
    return np.array([place[name] for name in wanted])
