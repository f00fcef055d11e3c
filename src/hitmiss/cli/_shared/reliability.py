"""How reliable a selection is: its error, its certificate and its stability."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.fit import collected_warnings
from hitmiss.cli._shared.progress_bar import shows_progress
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.metrics import StabilityReport


def check_folds(n_folds: int, y: "NDArray") -> None:
    """Raise an error if no class has a sample for every fold."""
    import numpy as np

    largest = int(np.unique(y, return_counts=True)[1].max())
    if n_folds > largest:
        raise InputError(f"--cv {n_folds} is too much: the largest class has {largest} samples.")


def measured_error(request: Request, X: "NDArray", y: "NDArray", *, quiet: bool) -> float:
    """The cross-validated error of the method with its settings.

    Parameters
    ----------
    request : Request
        The method and the number of folds.
    X : array of shape (n_samples, n_features)
        The samples.
    y : array of shape (n_samples,)
        Class labels.
    quiet : bool
        Whether to show neither progress nor warnings.

    Returns
    -------
    float
    """
    from hitmiss.metrics import cross_validated_error

    with collected_warnings(quiet):
        return cross_validated_error(
            request.estimator(),
            X,
            y,
            request.n_folds,
            random_state=request.seed,
            verbose=shows_progress(quiet),
        )


def measured_stability(
    request: Request, X: "NDArray", y: "NDArray", *, quiet: bool
) -> "StabilityReport":
    """Stability over random subsamples of nine tenths of every class.

    On Ctrl-C it is that of the subsamples which are done, if there are two.

    Parameters
    ----------
    request : Request
        The method and the number of subsamples.
    X : array of shape (n_samples, n_features)
        The samples.
    y : array of shape (n_samples,)
        Class labels.
    quiet : bool
        Whether to show neither progress nor warnings.

    Returns
    -------
    StabilityReport
    """
    from hitmiss.metrics import stability_report

    with collected_warnings(quiet):
        return stability_report(
            request.estimator(),
            X,
            y,
            request.n_subsamples,
            stratify=True,
            random_state=request.seed,
            verbose=shows_progress(quiet),
            interruptible=True,
        )


def reliability_lines(result: Result) -> Iterator[str]:
    """Lines on the error, the certificate and the stability, each with its limits."""
    from hitmiss.report.certainty import OVERLAP

    estimator = result.fitted.estimator
    if result.selected or result.cv_error is not None:
        yield from _error_lines(result, getattr(estimator, "loo_error_", None))
    if hasattr(estimator, "optimality_gap_"):
        yield _certificate_line(estimator.optimality_gap_)
    if result.stability is not None:
        stability = result.stability.nogueira.stability
        yield f"Stability: {stability:.2f}; 1 is perfect, but {OVERLAP}."


def _error_lines(result: Result, loo_error: float | None) -> Iterator[str]:
    from sklearn.base import is_classifier

    from hitmiss.metrics import guessing_error
    from hitmiss.report.quality import TOO_LOW

    guessing = guessing_error(result.y)
    known = "Error: not measured"
    if loo_error is not None:
        known = f"Leave-one-out error: {loo_error:.1%}, {TOO_LOW}"
    found = result.cross_validation
    if found is None:
        yield f"{known} (guessing the largest class: {guessing:.1%}; --cv 5 measures it honestly)."
        return
    if loo_error is not None:
        yield f"{known}."
    by = "" if is_classifier(result.fitted.estimator) else " of 3 nearest neighbors"
    better = "better" if found["better_than_guessing"] else "not clearly better"
    yield (
        f"Cross-validated error{by}: {found['error']:.1%} in {found['n_folds']} folds, {better} "
        f"than guessing the largest class ({guessing:.1%})."
    )


def _certificate_line(gap: float) -> str:
    from hitmiss.estimators.thresholds import CERTIFIED

    if not gap <= CERTIFIED:
        return f"Certificate: none; the optimality gap is {gap:.0e}."
    return (
        f"Certificate: the weights are exact over all features (optimality gap {gap:.0e}), which "
        "does not say that the features are the true ones."
    )
