"""The `--explain` option: which features interact, and which are interchangeable."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.fit import Fitted, collected_warnings
from hitmiss.cli._shared.progress_bar import shows_progress
from hitmiss.cli._shared.terminal import note

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN_PAIRS = 3  # of each kind that are printed: the strongest
SMALLEST = 0.05  # synergy that is printed: below, it would read 0.0
SHOWN_FEATURES = 10  # whose substitutes are printed
Explanation = dict[str, Any]


def check_explainable(estimator: Any) -> None:
    """Raise an error if the method has no fixed points to compare."""
    from hitmiss.estimators.lofe import LocalLearner

    if not isinstance(estimator, LocalLearner):
        raise InputError("--explain needs --method lofe or lofecv.")


def explained(fitted: Fitted, X: "NDArray", y: "NDArray", *, quiet: bool) -> Explanation:
    """Synergy of the selected features, and their substitutes if other features exist.

    On Ctrl-C what is known is returned.

    Parameters
    ----------
    fitted : Fitted
        The fitted method.
    X : array of shape (n_samples, n_features)
        The samples.
    y : array of shape (n_samples,)
        Class labels.
    quiet : bool
        Whether to show neither progress nor warnings.

    Returns
    -------
    dict
        "synergy" and "substitutes", as far as they are known.
    """
    from hitmiss.metrics import substitutes, synergy

    found: Explanation = {}
    verbose, support = shows_progress(quiet), fitted.estimator.get_support()
    try:
        with collected_warnings(quiet):
            if support.any():
                found["synergy"] = synergy(fitted.estimator, X, y, verbose=verbose)
            if support.any() and not support.all():
                found["substitutes"] = substitutes(fitted.estimator, X, y, verbose=verbose)
    except KeyboardInterrupt:
        note("Interrupted: the explanation is missing or incomplete.", quiet=quiet)
    return found


def explanation_lines(known: Explanation) -> Iterator[str]:
    """The strongest pairs of either kind, and the best substitute of each of the best features."""
    if "synergy" in known:
        pairs = _pairs(known["synergy"])
        yield from _pair_line("More together than apart", [p for p in pairs if p[0] > 0][::-1])
        yield from _pair_line("Partly redundant", [p for p in pairs if p[0] < 0])
    if "substitutes" in known:
        found = known["substitutes"]
        rows = zip(found.names, found.candidate_names, found.rises, strict=True)
        best = [(a, names[0], rises[0]) for a, names, rises in rows if len(names)]
        for a, b, rise in best[:SHOWN_FEATURES]:
            yield f"Instead of {a}: {b} (objective {rise:+.2g})."
        if not best:
            yield "No other feature could replace a selected one."


def explanation_facts(known: Explanation) -> dict[str, Any]:
    """The explanation by names, for a record."""
    facts: dict[str, Any] = {}
    if "synergy" in known:
        found = known["synergy"]
        facts["synergy"] = {"features": found.names, "matrix": found.matrix}
    if "substitutes" in known:
        found = known["substitutes"]
        rows = zip(found.names, found.without, found.candidate_names, found.rises, strict=True)
        facts["substitutes"] = [
            {"feature": name, "without": without, "substitutes": others, "rises": rises}
            for name, without, others, rises in rows
        ]
    return facts


def _pairs(found: Any) -> list[tuple[float, str, str]]:
    """Synergy and names of every two features, from the lowest to the highest."""
    names, n = found.names, len(found.names)
    pairs = [(float(found.matrix[i, j]), names[i], names[j]) for i in range(n) for j in range(i)]
    return sorted((p for p in pairs if abs(p[0]) >= SMALLEST), key=lambda pair: pair[0])


def _pair_line(what: str, pairs: list[tuple[float, str, str]]) -> Iterator[str]:
    if pairs:
        shown = (f"{b} and {a} ({value:+.1f})" for value, a, b in pairs[:SHOWN_PAIRS])
        yield f"{what}: {', '.join(shown)}."
