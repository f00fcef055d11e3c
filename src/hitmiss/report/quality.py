"""What a fit says of how good its answer is."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hitmiss.metrics import guessing_error

CLEAR = 2  # standard errors by which an error must be below that of guessing
SAID = ("optimality_gap", "converged", "n_iter", "objective", "loo_error")  # as attributes
TOO_LOW = "too low: the features were chosen with the same samples"


def facts(estimator: Any, y: ArrayLike) -> dict[str, Any]:
    """What the estimator says, with what it takes to judge its leave-one-out error.

    Parameters
    ----------
    estimator : object
        Fitted.
    y : array-like of shape (n_samples,)
        The class labels it was fitted on.

    Returns
    -------
    dict
        What the method knows of "optimality_gap", "converged", "n_iter", "objective" and
        "loo_error", the last with a "loo_error_note"; "guessing_error", of always guessing the
        commonest class.
    """
    found = {name: getattr(estimator, f"{name}_", None) for name in SAID}
    known = {name: value for name, value in found.items() if value is not None}
    note = {"loo_error_note": TOO_LOW} if "loo_error" in known else {}
    return {**known, **note, "guessing_error": guessing_error(y)}


def judged(error: float, n_folds: int, y: ArrayLike) -> dict[str, Any]:
    """A cross-validated error, with what it takes to judge it.

    Parameters
    ----------
    error : float
        As by `hitmiss.metrics.cross_validated_error`.
    n_folds : int
        Number of folds.
    y : array-like of shape (n_samples,)
        All class labels.

    Returns
    -------
    dict
        "error", its "standard_error", "n_folds", and whether it is "better_than_guessing" the
        commonest class, by two standard errors.
    """
    margin = float(np.sqrt(error * (1 - error) / np.size(y)))
    better = guessing_error(y) - error > CLEAR * margin
    return {
        "error": error,
        "standard_error": margin,
        "n_folds": n_folds,
        "better_than_guessing": bool(better),
    }
