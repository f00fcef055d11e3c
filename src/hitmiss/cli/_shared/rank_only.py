"""Methods that rank all features and do not say how many to select."""

from collections.abc import Iterable, Mapping
from typing import Any

from hitmiss.cli._shared.terminal import note

# Methods that choose the number of features: by a penalty that sets weights to zero, by a test, or
# as a parameter.
CHOOSES_NUMBER = frozenset(
    {
        "LOFE",
        "LOFECV",
        "LOFERegressor",
        "LOFESurvival",
        "OnlineLOFE",
        "FDRSelector",
        "BackwardElimination",
        "ImportanceSelector",
    }
)


def only_ranks(estimator: Any) -> bool:
    """Whether the method, with these parameters, does not choose the number of features."""
    parameters = estimator.get_params(deep=False)
    if parameters.get("max_features") is not None or type(estimator).__name__ in CHOOSES_NUMBER:
        return False
    if parameters.get("n_features_per_class") is not None:
        return False
    if type(estimator).__name__ in ("Ensemble", "Markers") and parameters["base"] is not None:
        return only_ranks(parameters["base"])
    return parameters.get("penalty") != "l1"


def note_rank_only(
    estimators: Mapping[str, Any], settings: Iterable[str] = (), *, quiet: bool
) -> None:
    """Print which methods only rank, unless a threshold is among the settings.

    Parameters
    ----------
    estimators : mapping
        From the names of the methods to the methods.
    settings : iterable of str
        Parameters given on the command line, as name=value.
    quiet : bool
        Whether to print nothing.
    """
    names = [name for name, estimator in estimators.items() if only_ranks(estimator)]
    if not names or any(text.partition("=")[0].strip() == "threshold" for text in settings):
        return
    what = "ranks the features and does" if len(names) == 1 else "rank the features and do"
    note(
        f"{', '.join(names)} {what} not say where to stop: all above 1 % of the largest weight are "
        "selected; --top 10 keeps the best 10.",
        quiet=quiet,
    )
