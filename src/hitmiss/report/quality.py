"""Measures of the quality of a fit."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hitmiss.inference.verdict import clearly_below, standard_error
from hitmiss.metrics import Score, guessing_error

# Attributes of an estimator that are reported, without their trailing underscore.
REPORTED = ("optimality_gap", "converged", "n_iter", "objective", "loo_error")
# For numbers and times, instead of an error: the attribute, the measure, its value for guessing.
SCORES = {"loo_r2": ("R²", 0.0), "loo_concordance": ("concordance", 0.5)}
TOO_LOW = "too low: the features were chosen with the same samples"
TOO_HIGH = "too high: the features were chosen with the same samples"


def facts(estimator: Any, y: ArrayLike) -> dict[str, Any]:
    """Quality that the estimator reports, and the error of guessing to compare with.

    Parameters
    ----------
    estimator : object
        Fitted.
    y : array-like of shape (n_samples,)
        The class labels it was fitted on.

    Returns
    -------
    dict
        Those of "optimality_gap", "converged", "n_iter", "objective" and "loo_error" that the
        method computes, the last with a "loo_error_note"; and "guessing_error", the error of always
        guessing the commonest class. Of numbers and times, "loo_r2" or "loo_concordance" instead.
    """
    found = {name: getattr(estimator, f"{name}_", None) for name in (*REPORTED, *SCORES)}
    known = {name: value for name, value in found.items() if value is not None}
    note: dict[str, Any] = {"loo_error_note": TOO_LOW} if "loo_error" in known else {}
    if getattr(estimator, "explains", "classes") == "classes":
        note["guessing_error"] = guessing_error(y)
    return {**known, **note}


def own_score(estimator: Any) -> dict[str, Any] | None:
    """R² or concordance by leaving every sample out, of a selector that has one.

    Parameters
    ----------
    estimator : object
        Fitted.

    Returns
    -------
    dict or None
        "measure", "score" and the score of "guessing".
    """
    for name, (measure, guessing) in SCORES.items():
        score = getattr(estimator, f"{name}_", None)
        if score is not None:
            return {"measure": measure, "score": score, "guessing": guessing}
    return None


def judged(error: float, n_folds: int, y: ArrayLike) -> dict[str, Any]:
    """A cross-validated error, compared with that of guessing.

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
        "error", its binomial "standard_error", "n_folds", and "better_than_guessing": whether it is
        more than two standard errors below the error of always guessing the commonest class.
    """
    margin = standard_error(error, np.size(y))
    return {
        "error": error,
        "standard_error": margin,
        "n_folds": n_folds,
        "better_than_guessing": clearly_below(error, margin, guessing_error(y)),
    }


def judged_score(score: Score, n_folds: int) -> dict[str, Any]:
    """A cross-validated score of numbers or times, compared with that of guessing.

    Parameters
    ----------
    score : Score
        As by `hitmiss.metrics.cross_validated_score`.
    n_folds : int
        Number of folds.

    Returns
    -------
    dict
        "measure", "score", "guessing", "standard_error", "n_folds", and "better_than_guessing":
        whether the score is more than two standard errors above that of guessing.
    """
    better = clearly_below(1 - score.score, score.standard_error, 1 - score.guessing)
    return {**score._asdict(), "n_folds": n_folds, "better_than_guessing": better}
