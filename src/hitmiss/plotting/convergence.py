"""Figure of the convergence of an iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._given import attribute_of
from hitmiss.plotting._rounding import ROUNDING, drawable, is_rounding
from hitmiss.plotting._style import axes_for, label, line_style, log_axis, note, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOG_RATIO = 20  # of objectives: above, the smaller ones lie on the axis of a linear figure
DEFAULT_VALUES = ("objective", "step")  # the first one that a history has is shown


class ConvergenceLines(NamedTuple):
    """Name of a quantity, and its values by the name of the start."""

    value: str
    lines: dict[str, NDArray]

    @property
    def log(self) -> bool:
        """Whether a logarithmic axis is better: the largest value is far above the smallest."""
        values = np.concatenate([*self.lines.values(), np.empty(0)])
        values = values[np.isfinite(values)]
        positive = values[(values > 0) & ~is_rounding(values, values.max(initial=0.0))]
        if self.value == "objective":
            ratio = LOG_RATIO * (1 + ROUNDING)  # a ratio of exactly 20 is not above it
            return 0 < len(positive) == len(values) and positive.max() / ratio > positive.min()
        return len(positive) > 0


def convergence_lines(history: Any, value: str | None = None) -> ConvergenceLines:
    """One quantity of a history, separately for each start.

    Parameters
    ----------
    history : fitted selector or iterable of dict
        A selector, or its `history_`: a row per iteration, with the start if there are several.
    value : str, default=None
        What to show, such as "objective", "gap" or "step"; None is the first of "objective" and
        "step" that the history has.

    Returns
    -------
    ConvergenceLines
        `value`, and `lines` by the name of the start.

    Examples
    --------
    >>> from hitmiss.plotting import convergence_lines
    >>> convergence_lines([{"step": 0.5}, {"step": 0.1}])
    ConvergenceLines(value='step', lines={'': array([0.5, 0.1])})
    """
    rows: list[Mapping[str, Any]] = list(attribute_of(history, "history_"))
    known = dict.fromkeys(key for row in rows for key in row)
    if value is None:
        value = next((name for name in DEFAULT_VALUES if name in known), "objective")
    elif rows and value not in known:
        raise ValueError(f"The history has no {value!r}; it has {', '.join(map(repr, known))}.")
    lines: dict[str, list[float]] = {}
    for row in rows:
        if value in row:
            lines.setdefault(str(row.get("start", "")), []).append(float(row[value]))
    return ConvergenceLines(value, {start: np.array(line) for start, line in lines.items()})


def plot_convergence(
    history: Any,
    *,
    value: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one quantity of the history against the iteration, a line for every start.

    Parameters
    ----------
    history : fitted selector or iterable of dict
        A selector, or its `history_`.
    value : str, default=None
        What to show; see `convergence_lines`.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    found = convergence_lines(history, value)
    value, lines = found
    ax = axes_for(ax)
    ax.set(xlabel="iteration", ylabel=value)
    if not lines:
        note(ax, "The history is empty.")
        return ax
    for k, (start, line) in enumerate(lines.items()):
        style = line_style(k)
        ax.plot(
            np.arange(1, len(line) + 1), drawable(line), marker=".", label=label(start), **style
        )
    if found.log:
        log_axis(ax, "y", drawable(np.concatenate(list(lines.values()))))
    whole_numbers(ax.xaxis)
    if len(lines) > 1:
        ax.legend(title="start", frameon=False)
    return ax
