"""Measurements of a selection: its error, a test by permuted labels, its stability."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import first_line
from hitmiss.cli._shared.attributing import Attributed, attributed_to
from hitmiss.cli._shared.fit import collected_warnings
from hitmiss.cli._shared.measuring_bar import MeasuringBar
from hitmiss.cli._shared.nominal_features import told
from hitmiss.cli._shared.plan import PARTS, Plan
from hitmiss.cli._shared.progress_bar import shows_progress
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.task import are_classes
from hitmiss.cli._shared.terminal import note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss._util.progress import ProgressLike
    from hitmiss.inference import PermutationTest
    from hitmiss.io import Table
    from hitmiss.metrics import Score, StabilityReport


@dataclass(frozen=True)
class Measured:
    """Measurements of a selection; None for those not made."""

    error: "float | Score | None" = None
    test: "PermutationTest | None" = None
    attribution: Attributed | None = None
    stability: "StabilityReport | None" = None
    interruption: str | None = None  # where the measuring was interrupted, in a sentence
    remark: str | None = None  # what was left out, in a sentence


def measured(
    request: Request,
    plan: Plan,
    table: "Table",
    y: "NDArray",
    fitted: Any,
    *,
    required: set[str],
    quiet: bool,
) -> Measured:
    """Make the planned measurements, until Ctrl-C.

    Parameters
    ----------
    request : Request
        The method, with the numbers of the plan.
    plan : Plan
        What to measure.
    table : Table
        The samples, and what is known of them.
    y : array of shape (n_samples,)
        Class labels.
    fitted : estimator
        The method, fitted to all samples.
    required : set of str
        Parts of the plan that must not fail; another one that fails is left out, with a note.
    quiet : bool
        Whether to show neither progress nor warnings.
    """
    found: dict[str, Any] = {}
    interruption = None
    bar = MeasuringBar(plan.seconds) if shows_progress(quiet) else None
    for name in (part for part in PARTS if plan.numbers[part]):
        try:
            with collected_warnings(quiet, during=name):
                if name == "attribution":  # of what the test before it has found
                    found[name] = attributed_to(
                        fitted,
                        table,
                        y,
                        found["permutations"],
                        fdr=request.fdr,
                        seed=request.seed,
                        verbose=bar or False,
                    )
                else:
                    found[name] = MEASURE[name](request, table, y, bar or False)
        except KeyboardInterrupt:
            pass
        except ValueError as error:
            if name in required:
                raise
            note(f"Not measured: {name} ({first_line(error)}).", quiet=quiet)
            continue
        interruption = interrupted_at(name, _n_done(name, found.get(name)), plan.numbers[name])
        if interruption:
            break
    if bar is not None:
        bar.close()
    return Measured(
        found.get("cross-validation"),
        found.get("permutations"),
        found.get("attribution"),
        found.get("subsamples"),
        interruption,
        plan.remark,
    )


def own_test(estimator: Any) -> "PermutationTest | None":
    """Permutation test that the fitted estimator has made itself, if any."""
    from hitmiss.inference import PermutationTest

    if not hasattr(estimator, "p_value_"):
        return None
    return PermutationTest(
        estimator.weights_,
        getattr(estimator, "association_", estimator.q_values_),
        estimator.p_values_,
        estimator.p_value_,
        estimator.n_permutations,
    )


def own_attribution(estimator: Any, fdr: float) -> Attributed | None:
    """Attribution that the fitted estimator has computed itself, if any."""
    if not hasattr(estimator, "attribution_"):
        return None
    return Attributed(estimator.attribution_, estimator.q_values_, fdr)


def cross_validated(
    request: Request, table: "Table", y: "NDArray", verbose: "bool | ProgressLike"
) -> "float | Score":
    """Cross-validated error of the method with its settings; its score if there are no classes.

    Parameters
    ----------
    request : Request
        The method and the number of folds.
    table : Table
        The samples, and what is known of them.
    y : array of shape (n_samples,)
        Class labels.
    verbose : bool or ProgressLike
        Whether to show the progress, or what shows it.
    """
    from hitmiss.metrics import cross_validated_error, cross_validated_score

    measure = cross_validated_error if are_classes(y) else cross_validated_score
    return measure(
        told(request.estimator(), table),
        table.X,
        y,
        request.n_folds,
        random_state=request.seed,
        verbose=verbose,
        **table.design,
    )


def permuted(
    request: Request, table: "Table", y: "NDArray", verbose: "bool | ProgressLike"
) -> "PermutationTest":
    """The test of the method with its settings; on Ctrl-C with the permutations that are done.

    Parameters
    ----------
    request : Request
        The method and the number of permutations.
    table : Table
        The samples, and what is known of them.
    y : array of shape (n_samples,)
        Class labels.
    verbose : bool or ProgressLike
        Whether to show the progress, or what shows it.
    """
    from hitmiss.inference import permutation_test

    return permutation_test(
        told(request.estimator(), table),
        table.X,
        y,
        n_permutations=request.n_permutations,
        random_state=request.seed,
        verbose=verbose,
        interruptible=True,
        **table.design,
    )


def subsampled(
    request: Request, table: "Table", y: "NDArray", verbose: "bool | ProgressLike"
) -> "StabilityReport":
    """Stability over random subsamples of nine tenths of every class.

    On Ctrl-C it is that of the subsamples which are done, if there are two.

    Parameters
    ----------
    request : Request
        The method and the number of subsamples.
    table : Table
        The samples, and what is known of them.
    y : array of shape (n_samples,)
        Class labels.
    verbose : bool or ProgressLike
        Whether to show the progress, or what shows it.
    """
    from hitmiss.metrics import stability_report

    return stability_report(
        told(request.estimator(), table),
        table.X,
        y,
        request.n_subsamples,
        stratify=True,
        random_state=request.seed,
        verbose=verbose,
        interruptible=True,
        **table.design,
    )


MEASURE: dict[str, Callable[..., Any]] = {
    "cross-validation": cross_validated,
    "permutations": permuted,
    "subsamples": subsampled,
}


def _n_done(name: str, result: Any) -> int | None:
    """Number of pieces a result is based on; None for all."""
    if result is None:
        return 0
    if name == "permutations":
        return int(result.n_permutations)
    return len(result.supports) if name == "subsamples" else None


def interrupted_at(name: str, done: int | None, n: int) -> str | None:
    """The sentence that says where a measurement was interrupted; None if it was not.

    Parameters
    ----------
    name : str
        What is measured.
    done : int or None
        Number of pieces that are done; None for all.
    n : int
        Number of pieces that were requested.
    """
    if done is None or done == n:
        return None
    if name in ("cross-validation", "attribution"):
        return f"Interrupted during the {name}."
    return f"Interrupted after {done} of {n} {name}."
