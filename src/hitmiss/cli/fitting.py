"""A method fitted to a table, with its time, its warnings and its progress."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.cli.cluster import spread
from hitmiss.cli.show import note
from hitmiss.cli.waiting import shows_progress
from hitmiss.estimators.validation import works_out_of_core
from hitmiss.io import Table


@dataclass(frozen=True)
class Fitted:
    """A fitted estimator and how the fit went."""

    estimator: Any
    seconds: float
    warnings: list[str]


def fit(
    estimator: Any, table: Table, y: NDArray, *, client: Any | None = None, quiet: bool
) -> Fitted:
    """Fit the estimator in place; warnings become lines on standard error.

    With a client of a Dask cluster, a method that can work there does.
    """
    remote = client is not None and works_out_of_core(estimator)
    watched = {"verbose"} & estimator.get_params(deep=False).keys()
    began = time.perf_counter()
    with collected_warnings(quiet) as messages:
        estimator.set_params(**dict.fromkeys(watched, shows_progress(quiet)))
        estimator.fit(spread(table.X, client) if remote else table.X, y)
    seconds = time.perf_counter() - began
    estimator.set_params(**dict.fromkeys(watched, False))
    estimator.feature_names_in_ = np.array(table.feature_names, dtype=object)
    return Fitted(estimator, seconds, messages)


@contextmanager
def collected_warnings(quiet: bool) -> Iterator[list[str]]:
    """Messages of the warnings inside, each once; shown at the end, unless it shall be quiet."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    messages.extend(dict.fromkeys(str(warning.message) for warning in caught))
    for message in messages:
        note(f"Warning: {message}", quiet=quiet)
