"""A target of times until an event, of which some are only known to be later: survival."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hitmiss.targets.numbers import check_finite_rows, tenths
from hitmiss.targets.target import PairTarget, Target, at, weight_bytes

FIELDS = [("event", bool), ("time", float)]  # as in scikit-survival


class Survival(PairTarget):
    r"""The time of every sample, and whether it is that of an event or of censoring.

    On the scale r = 1 - KM(t), KM the Kaplan-Meier estimate of surviving t, samples are alike by
    ``exp(-d / tau)`` with d the difference of two events, and of an event at t_n and a sample
    censored at t_i >= t_n the expected difference ``(1 + r_i) / 2 - r_n``, since that one's own
    event is somewhere in (r_i, 1). Others may not be compared.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of bool, shape (n_samples,)
        Whether the event was observed at that time.
    tau : float
        How far likeness reaches.
    ranks : ndarray of shape (n_samples,), optional
        The scale r, by default found from the times.
    sample_weight : ndarray of shape (n_samples,), optional
        Weights of the samples in a loss or an average.

    Examples
    --------
    >>> target = Survival(np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, True]))
    >>> target.ranks
    array([0.25 , 0.25 , 0.625, 1.   ])
    >>> target.comparability(np.array([1]), np.arange(4))
    array([[1., 0., 0., 0.]])
    """

    def __init__(
        self,
        time: NDArray,
        event: NDArray,
        tau: float = 0.3,
        *,
        ranks: NDArray | None = None,
        sample_weight: NDArray | None = None,
    ):
        self.time, self.event, self.tau = time, event, tau
        self.ranks = 1 - kaplan_meier(time, event) if ranks is None else ranks
        self.weights = sample_weight

    def __len__(self) -> int:
        return len(self.time)

    @property
    def answers(self) -> NDArray:
        """Event and time of every sample, as `fit` takes them."""
        found = np.empty(len(self), FIELDS)
        found["event"], found["time"] = self.event, self.time
        return found

    @cached_property
    def expected_ranks(self) -> NDArray:
        """The scale at which the event of each sample is expected."""
        return np.where(self.event, self.ranks, (1 + self.ranks) / 2)

    @cached_property
    def kinds(self) -> NDArray:
        """Tenths of the times of events, and of censored ones."""
        both = tenths(np.maximum(self.ranks, 0.01)) * 2 + ~self.event
        return np.unique(both, return_inverse=True)[1]

    def of(self, rows: NDArray) -> Survival:
        """The times of some samples, alike as they are among all."""
        return self._at(rows, at(self.weights, rows))

    def relabeled(self, order: NDArray) -> Survival:
        """Times and events in another order; weights of samples stay in place."""
        return self._at(order, self.weights)

    def digest(self) -> bytes:
        """Bytes that differ for other times, events, likeness or weights."""
        parts = (self.time, self.ranks, self.event.astype(float), [self.tau])
        return np.concatenate(parts).tobytes() + weight_bytes(self.weights)

    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """Likeness of the samples `rows` and the samples `cols`, in [0, 1]."""
        far = np.abs(self.expected_ranks[rows][:, None] - self.expected_ranks[cols])
        return np.exp(far / -self.tau)

    def comparability(self, rows: NDArray, cols: NDArray) -> NDArray:
        """1 for two events, and for an event and a sample censored no earlier; else 0."""
        event, others = self.event[rows][:, None], self.event[cols]
        later = self.time[rows][:, None] <= self.time[cols]
        earlier = self.time[rows][:, None] >= self.time[cols]
        return ((event & (others | later)) | (others & earlier)).astype(float)

    def _at(self, rows: NDArray, sample_weight: NDArray | None) -> Survival:
        return Survival(
            self.time[rows],
            self.event[rows],
            self.tau,
            ranks=self.ranks[rows],
            sample_weight=sample_weight,
        )


def survival_of(target: Target) -> Survival:
    """The times themselves of a target of times, whoever may be compared."""
    return cast(Survival, target.alone)


def kaplan_meier(time: NDArray, event: NDArray) -> NDArray:
    """Probability of surviving each of the times, estimated from all of them.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times.
    event : ndarray of bool, shape (n_samples,)
        Whether the event was observed; censoring at the same time comes after it.

    Returns
    -------
    ndarray of shape (n_samples,)
        At the time of every sample.

    Examples
    --------
    >>> kaplan_meier(np.array([1.0, 1.0, 2.0, 3.0]), np.array([True, False, True, False]))
    array([0.75 , 0.75 , 0.375, 0.375])
    """
    times, place = np.unique(time, return_inverse=True)
    events = np.bincount(place, event.astype(float), len(times))
    at_risk = len(time) - np.append(0, np.cumsum(np.bincount(place)))[:-1]
    return np.cumprod(1 - events / at_risk)[place]


def checked_survival(y: Any) -> NDArray:
    """Events and times as an array of the fields event and time, or an error of one sentence.

    Parameters
    ----------
    y : array-like
        An array with two fields, or anything with two columns: event (true or false, 1 or 0) and
        time. A field or column is recognized by its type (boolean) or its name; otherwise the event
        comes first, as in scikit-survival.

    Returns
    -------
    ndarray of shape (n_samples,)
        With the fields event and time.

    Examples
    --------
    >>> checked_survival([[1, 2.5], [0, 4]])["time"]
    array([2.5, 4. ])
    """
    event, time = _event_and_time(y)
    found = np.empty(len(time), FIELDS)
    found["time"], found["event"] = _numbers(time, "time"), _flags(event)
    check_finite_rows(found["time"], "The time in y", "leave such samples out")
    if (found["time"] < 0).any():
        row = int((found["time"] < 0).argmax())
        raise ValueError(
            f"y holds a negative time in row {row} ({found['time'][row]:g}); times are counted "
            "from the start of the observation of a sample."
        )
    if len(found) and not found["event"].any():
        raise ValueError(
            "y holds no event at all, every time is censored; at least two events are needed."
        )
    return found


def check_different_times(time: NDArray) -> None:
    """An error if all times are equal."""
    if len(time) > 1 and (time == time[0]).all():
        raise ValueError(
            f"The time in y is {time[0]:g} for all samples, so there is nothing to explain; give "
            "the time until the event, or until the end of the observation, of every sample."
        )


def _event_and_time(y: Any) -> tuple[Any, Any]:
    """The two columns of y."""
    fields = getattr(getattr(y, "dtype", None), "names", None)
    names = list(getattr(y, "columns", ())) if fields is None else list(fields)
    if names:
        columns = [np.asarray(y[name]) for name in names]
    else:
        A = np.asarray(y)
        columns = list(A.T) if A.ndim == 2 else [A]
    if len(columns) != 2:
        raise ValueError(
            "y must hold two columns, event and time, as an array of scikit-survival or a data "
            f"frame does; it holds {len(columns)}."
        )
    swapped = _says_event(columns[1], names[1:]) and not _says_event(columns[0], names[:1])
    return (columns[1], columns[0]) if swapped else (columns[0], columns[1])


def _says_event(column: NDArray, name: list[Any]) -> bool:
    named = [str(each).lower() for each in name]
    return column.dtype.kind == "b" or named == ["event"] or named == ["status"]


def _flags(event: NDArray) -> NDArray:
    """Whether there was an event, from booleans or from 1 and 0."""
    values = _numbers(event, "event")
    strange = ~np.isin(values, (0.0, 1.0))
    if strange.any():
        row = int(strange.argmax())
        raise ValueError(
            f"The event in y must be true or false, or 1 or 0; it is {event[row]!r} in row {row}, "
            "and the first of two columns is taken for the event if no name or type says otherwise."
        )
    return values == 1


def _numbers(column: NDArray, what: str) -> NDArray:
    try:
        return np.asarray(column, float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The {what} in y must be numbers; it holds {column[0]!r}.") from error
