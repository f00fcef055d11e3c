"""A method fitted to a table, with its time and its warnings."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hitmiss._util.progress import elapsed
from hitmiss.cli._shared.dask_cluster import spread
from hitmiss.cli._shared.interrupts import insistent_interrupts
from hitmiss.cli._shared.nominal_features import keep_levels, told
from hitmiss.cli._shared.progress_bar import shows_progress
from hitmiss.cli._shared.terminal import note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table


@dataclass(frozen=True)
class Fitted:
    """A fitted estimator, the time of its fit and the warnings during it."""

    estimator: Any
    seconds: float
    warnings: list[str]


def fit(
    estimator: Any, table: "Table", y: "NDArray", *, client: Any | None = None, quiet: bool
) -> Fitted:
    """Fit the estimator in place; warnings become lines on standard error.

    Parameters
    ----------
    estimator : estimator
        The method with its settings.
    table : Table
        The samples and the names of their features.
    y : array of shape (n_samples,)
        Class labels.
    client : distributed.Client, optional
        Of a Dask cluster; a method that can work there does.
    quiet : bool
        Whether to show neither progress nor warnings.

    Returns
    -------
    Fitted
    """
    import numpy as np

    told(estimator, table)
    remote = client is not None and getattr(estimator, "_out_of_core", False)
    verbose = {"verbose"} & estimator.get_params(deep=False).keys()  # not every method has it
    began = time.perf_counter()
    label = f"fitting {type(estimator).__name__}"
    with (
        collected_warnings(quiet) as messages,
        elapsed(
            label, shown=shows_progress(quiet) and not verbose
        ),  # otherwise the fit itself shows it
        insistent_interrupts(),
    ):
        estimator.set_params(**dict.fromkeys(verbose, shows_progress(quiet)))
        estimator.fit(spread(table.X, client) if remote else table.X, y, **table.design)
    seconds = time.perf_counter() - began
    estimator.set_params(**dict.fromkeys(verbose, False))
    estimator.feature_names_in_ = np.array(table.feature_names, dtype=object)
    keep_levels(estimator, table)
    return Fitted(estimator, seconds, messages)


@contextmanager
def collected_warnings(quiet: bool, during: str = "") -> Iterator[list[str]]:
    """Messages of the warnings inside, each once; printed at the end unless `quiet`.

    `during` names a measurement of many fits: of its warnings, which are much alike, the first is
    printed.
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    messages.extend(dict.fromkeys(str(warning.message) for warning in caught))
    for message in messages[:1] if during else messages:
        others = f", with {len(messages) - 1} others" if len(messages) > 1 else ""
        more = f" (In the {during}{others}.)" if during else ""
        note(f"Warning: {message}{more}", quiet=quiet)
