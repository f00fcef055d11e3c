"""Lines on the reliability of a selection: its error, its certificate and its stability."""

from collections.abc import Iterator
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.result import Result
from hitmiss.cli._shared.task import are_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN = 20  # attributable discoveries that are named in a line


def check_folds(n_folds: int, y: "NDArray") -> None:
    """Raise an error if no class has a sample for every fold."""
    import numpy as np

    if not are_classes(y):
        if n_folds > len(y) // 2:
            raise InputError(f"--cv {n_folds} is too many folds for {len(y)} samples.")
        return
    largest = int(np.unique(y, return_counts=True)[1].max())
    if n_folds > largest:
        raise InputError(
            f"--cv {n_folds} is too many folds: the largest class has {largest} samples."
        )


def attribution_lines(result: Result) -> Iterator[str]:
    """A line that names the attributable discoveries, and one on what that means and costs."""
    from hitmiss.report.certainty import ATTRIBUTABLE

    test, found = result.measured.test, result.measured.attribution
    if test is None or found is None or not len(test.selected(found.fdr)):
        return
    names, of = result.names(result.attributable), f"{len(test.selected(found.fdr)):,} with"
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    named = f": {', '.join(names[:SHOWN])}{more}" if names else ""
    yield f"Attributable: {len(names) or 'none'} of {of} q ≤ {found.fdr:g}{named}."
    yield f"{ATTRIBUTABLE}."


def reliability_lines(result: Result) -> Iterator[str]:
    """Lines on the measurements and on the method's own certificate, each with its limits."""
    from hitmiss.report.certainty import OVERLAP

    estimator, measured = result.fitted.estimator, result.measured
    if result.cross_validation is not None:
        yield _error_line(result, result.cross_validation)
    stability = nan if measured.stability is None else measured.stability.nogueira.stability
    if isfinite(stability):  # not where nothing, or everything, is selected each time
        yield f"Stability: {stability:.2f}; 1 is perfect, but {OVERLAP}."
    if len(result.selected) and not are_classes(result.y):
        yield from _own_score_lines(result)
    elif len(result.selected):
        yield from _own_error_lines(result, getattr(estimator, "loo_error_", None))
    if hasattr(estimator, "optimality_gap_"):
        yield _certificate_line(estimator.optimality_gap_)
    if measured.remark is not None:
        yield measured.remark


def _error_line(result: Result, found: dict[str, Any]) -> str:
    from sklearn.base import is_classifier

    from hitmiss.metrics import guessing_error

    if "score" in found:
        by = "" if hasattr(result.fitted.estimator, "predict") else " of 3 nearest neighbors"
        better = "better" if found["better_than_guessing"] else "not clearly better"
        return (
            f"Cross-validated {found['measure']}{by}: {found['score']:.2f} in {found['n_folds']} "
            f"folds, {better} than guessing ({found['guessing']:g})."
        )

    by = "" if is_classifier(result.fitted.estimator) else " of 3 nearest neighbors"
    better = "better" if found["better_than_guessing"] else "not clearly better"
    return (
        f"Cross-validated error{by}: {found['error']:.1%} in {found['n_folds']} folds, {better} "
        f"than guessing the largest class ({guessing_error(result.y):.1%})."
    )


def _own_error_lines(result: Result, loo_error: float | None) -> Iterator[str]:
    from hitmiss.metrics import guessing_error
    from hitmiss.report.quality import TOO_LOW

    known = "Error: not measured"
    if loo_error is not None:
        known = f"Leave-one-out error: {loo_error:.1%}, {TOO_LOW}"
    if result.cross_validation is None:
        guessing = f"guessing the largest class: {guessing_error(result.y):.1%}"
        yield f"{known} ({guessing}; --cv 5 measures it honestly)."
    elif loo_error is not None:
        yield f"{known}."


def _own_score_lines(result: Result) -> Iterator[str]:
    from hitmiss.report.quality import TOO_HIGH, own_score

    found = own_score(result.fitted.estimator)
    if found is not None:
        honest = "" if result.cross_validation else " (--cv 5 measures it honestly)"
        yield f"Leave-one-out {found['measure']}: {found['score']:.2f}, {TOO_HIGH}{honest}."


def _certificate_line(gap: float) -> str:
    from hitmiss.estimators.local_learning import CERTIFIED

    if not gap <= CERTIFIED:
        return f"Certificate: none; the optimality gap is {gap:.0e}."
    return (
        f"Certificate: the weights are exact over all features (optimality gap {gap:.0e}), which "
        "does not say that the features are the true ones."
    )
