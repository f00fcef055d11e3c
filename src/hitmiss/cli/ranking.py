"""Methods that rank all features and do not say where the list ends."""

from collections.abc import Iterable, Mapping
from typing import Any

from hitmiss.cli.show import note

# Methods that end their list themselves: by a penalty that sets weights to zero, or by a number.
ENDING = frozenset({"LOFE", "LOFECV", "OnlineLOFE", "BackwardElimination"})


def only_ranks(estimator: Any) -> bool:
    """Whether the method, with these parameters, weighs all features and ends its list nowhere."""
    parameters = estimator.get_params(deep=False)
    if parameters.get("max_features") is not None or type(estimator).__name__ in ENDING:
        return False
    if type(estimator).__name__ == "Ensemble" and parameters["base"] is not None:
        return only_ranks(parameters["base"])
    return parameters.get("penalty") != "l1"


def note_ranking(
    estimators: Mapping[str, Any], settings: Iterable[str] = (), *, quiet: bool
) -> None:
    """Say which methods only rank, unless a threshold is among the settings.

    Parameters
    ----------
    estimators : mapping
        From the names of the methods to the methods.
    settings : iterable of str
        What the user set, as name=value.
    quiet : bool
        Whether to say nothing.
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
