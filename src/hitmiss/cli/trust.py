"""How far an answer can be trusted, in lines for the terminal."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from hitmiss._util.errors import InputError
from hitmiss.cli.asking import Answer, Question
from hitmiss.cli.fitting import collected_warnings
from hitmiss.cli.waiting import shows_progress
from hitmiss.estimators.local_learner import CERTIFIED
from hitmiss.metrics import cross_validated_error, guessing_error
from hitmiss.report.certainty import OVERLAP
from hitmiss.report.quality import TOO_LOW


def check_folds(n_folds: int, y: NDArray) -> None:
    """An error if no class has a sample for every fold."""
    largest = int(np.unique(y, return_counts=True)[1].max())
    if n_folds > largest:
        raise InputError(f"--cv {n_folds} is too much: the largest class has {largest} samples.")


def cv_error(question: Question, X: NDArray, y: NDArray, *, quiet: bool) -> float:
    """The cross-validated error of the method with its settings."""
    with collected_warnings(quiet):
        return cross_validated_error(
            question.estimator(),
            X,
            y,
            question.n_folds,
            random_state=question.seed,
            verbose=shows_progress(quiet),
        )


def trust_lines(answer: Answer) -> Iterator[str]:
    """Errors, certificate and stability, each with what it does not say."""
    estimator = answer.fitted.estimator
    if answer.selected or answer.cv_error is not None:
        yield from _errors(answer, getattr(estimator, "loo_error_", None))
    if hasattr(estimator, "optimality_gap_"):
        yield _certificate(estimator.optimality_gap_)
    if answer.stability is not None:
        yield (
            f"Stability: {answer.stability.nogueira.stability:.2f}; 1 is perfect, but {OVERLAP}."
        )


def _errors(answer: Answer, loo_error: float | None) -> Iterator[str]:
    guessing = guessing_error(answer.y)
    known = "Error: not measured"
    if loo_error is not None:
        known = f"Leave-one-out error: {loo_error:.1%}, {TOO_LOW}"
    found = answer.cross_validation
    if found is None:
        yield f"{known} (guessing the largest class: {guessing:.1%}; --cv 5 measures it honestly)."
        return
    if loo_error is not None:
        yield f"{known}."
    by = "" if is_classifier(answer.fitted.estimator) else " of 3 nearest neighbors"
    better = "better" if found["better_than_guessing"] else "not clearly better"
    yield (
        f"Cross-validated error{by}: {found['error']:.1%} in {found['n_folds']} folds, {better} "
        f"than guessing the largest class ({guessing:.1%})."
    )


def _certificate(gap: float) -> str:
    if not gap <= CERTIFIED:
        return f"Certificate: none; the optimality gap is {gap:.0e}."
    return (
        f"Certificate: the weights are exact over all features (optimality gap {gap:.0e}), which "
        "does not say that the features are the true ones."
    )
