"""Times until an event from the cells of two columns, with errors that name column and sample."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.cells import is_number
from hitmiss.io.joining import name_of
from hitmiss.targets.survival import checked_survival

# Words for whether an event was observed. Of a code with its meaning, such as "1:DECEASED", the
# code decides.
OBSERVED = ("1", "true", "yes", "event", "dead", "died", "deceased")
NOT_OBSERVED = ("0", "false", "no", "censored", "alive", "living")


@dataclass(frozen=True)
class Cells:
    """The cells of a column and what errors call it.

    Parameters
    ----------
    name : str
        Of the column.
    values : sequence
        A cell per sample.
    samples : sequence of str
        Names of the samples.
    """

    name: str
    values: Sequence[Any]
    samples: Sequence[str]

    def check(self, good: Callable[[Any], bool], advice: str) -> None:
        """Raise an error that names the first invalid cell and how to correct it."""
        for cell, sample in zip(self.values, self.samples, strict=True):
            if not good(cell):
                raise InputError(
                    f"Column {self.name!r} is {name_of(cell)!r} for sample {sample!r}; {advice}."
                )


def events_and_times(events: Cells, times: Cells) -> NDArray:
    """Events and times from their cells, checked, as an array of the fields event and time.

    Parameters
    ----------
    events : Cells
        1 or 0, true or false, yes or no, dead or alive.
    times : Cells
        Numbers, at least 0.

    Examples
    --------
    >>> samples = ["p1", "p2"]
    >>> events = Cells("died", ["yes", "0:LIVING"], samples)
    >>> events_and_times(events, Cells("days", ["2.5", "4"], samples))["event"]
    array([ True, False])
    """
    events.check(
        lambda cell: _word(cell) in (*OBSERVED, *NOT_OBSERVED),
        "write 1 if the event was observed at that time, and 0 if not by then",
    )
    times.check(is_number, "times must be numbers")
    times.check(lambda cell: np.isfinite(float(cell)), "times must be finite")
    times.check(
        lambda cell: float(cell) >= 0,
        "times are counted from the start of the observation of a sample, so none is negative",
    )
    event = np.array([_word(cell) in OBSERVED for cell in events.values], float)
    time = np.array([float(cell) for cell in times.values])
    _check_informative(events.name, event, times.name, time)
    return checked_survival(np.column_stack([event, time]))


def _check_informative(events: str, event: NDArray, times: str, time: NDArray) -> None:
    """Raise an error if there is no event, or one time for all samples."""
    if not event.any():
        raise InputError(
            f"No sample has an event in column {events!r}; at least two events are needed."
        )
    if len(time) > 1 and (time == time[0]).all():
        raise InputError(
            f"Column {times!r} is {time[0]:g} for all samples, so there is nothing to explain; "
            "name another with --time."
        )


def _word(cell: Any) -> str:
    """A cell as in the lists of words; numbers without a fraction in one way, as 1.0 is 1."""
    word = name_of(cell).lower().partition(":")[0].strip()
    return f"{float(word):g}" if is_number(word) else word
