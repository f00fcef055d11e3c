"""Axes, colors and labels of all figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.text import clean
from hitmiss.plotting._rounding import ROUNDING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# The colors of Okabe and Ito, distinguishable by color-blind readers, without yellow, which is too
# pale on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
GREY = "0.6"
# Dashes of a line that runs over others. One period for all, so that each shows beside the next.
OVER = ((9, 7), (5, 11), (2, 14))
LINES = ("-", "--", "-.", ":")


def axes_for(ax: Axes | None, width: float = 6.0, height: float = 3.6) -> Axes:
    """`ax`, or the axes of a new figure.

    Parameters
    ----------
    ax : Axes or None
        Given axes.
    width, height : float
        Size of a new figure in inches.

    Returns
    -------
    Axes
    """
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError(
                'Plots need matplotlib; install it with pip install "hitmiss[plot]".'
            ) from error
        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def line_style(k: int) -> dict[str, Any]:
    """Color and dashes of the k-th line; they differ for the first 28."""
    return {"color": COLORS[k % len(COLORS)], "linestyle": LINES[k // len(COLORS) % len(LINES)]}


def over_style(level: int) -> dict[str, Any]:
    """Dashes of a line over `level` others, that leave them in sight."""
    return {"linestyle": (0, OVER[level - 1])} if level else {}


def cover_levels(lines: Sequence[Sequence[tuple[float, float]]], near: float) -> list[int]:
    """Number of lines below each line that it would hide.

    A line hides an earlier one where two points in a row are `near` its points of the same x.

    Parameters
    ----------
    lines : sequence of sequences of (x, y)
        Points of the lines, in the order in which they are drawn.
    near : float
        Difference in y that the width of a line covers.

    Returns
    -------
    list of int
        Each at most `len(OVER)`, the number of dashes through which the lower ones are seen.

    Examples
    --------
    >>> cover_levels([[(1, 0.5), (2, 0.4)], [(1, 0.5), (2, 0.4)], [(1, 0.9), (2, 0.8)]], 0.01)
    [0, 1, 0]
    """
    levels: list[int] = []
    for k, line in enumerate(lines):
        below = [levels[i] for i in range(k) if _hides(line, dict(lines[i]), near)]
        levels.append(min(1 + max(below, default=-1), len(OVER)))
    return levels


def _hides(line: Sequence[tuple[float, float]], other: dict[float, float], near: float) -> bool:
    near *= 1 + ROUNDING  # exactly that far counts, whatever the last bit
    close = [abs(other.get(x, np.inf) - y) <= near for x, y in line]
    return any(both == (True, True) for both in pairwise(close))


def label(name: Any, longest: int = 28) -> str:
    r"""`name`, escaped so that matplotlib shows it unchanged, also in a legend.

    Examples
    --------
    >>> print(label("cost in $"))
    cost in \$
    """
    text = clean(name, longest).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def names_of(index: Sequence[int] | Any, names: Sequence[Any] | Any | None) -> list[str]:
    """Labels of the features at `index`: their names, or their numbers without names."""
    return [label(j if names is None else names[j]) for j in index]


def spread_out(places: ArrayLike, gap: float, low: float, high: float) -> NDArray:
    """Ascending places moved until they are `gap` apart, between `low` and `high` if there is room.

    Parameters
    ----------
    places : array-like
        Where labels would like to be, ascending.
    gap : float
        Smallest distance; less where `high - low` has no room for that.
    low, high : float
        Ends of the axis.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> spread_out([1, 1.5, 9.8], 2, 0, 10)
    array([1. , 3. , 9.8])
    """
    wanted = np.asarray(places, float)
    steps = np.arange(len(wanted)) * min(gap, (high - low) / max(len(wanted) - 1, 1))
    moved = np.maximum.accumulate(np.maximum(wanted, low) - steps)
    return np.minimum(moved, high - steps[-1:]) + steps


def log_axis(ax: Axes, name: str, values: NDArray) -> None:
    """Make the axis "x" or "y" logarithmic, at least a decade long around the positive values."""
    positive = values[values > 0]
    if len(positive) and positive.max() <= positive.min() * (1 + ROUNDING):
        # matplotlib warns of an axis without a length; these limits leave those of other lines.
        ends = positive[0] * np.array([10**-0.5, 10**0.5])
        ax.update_datalim(np.column_stack([ends, ends]), name == "x", name == "y")
    ax.set(**{f"{name}scale": "log"})


def whole_numbers(axis: Axis) -> None:
    """Put the ticks of an axis at whole numbers only, even if there is only one."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def note(ax: Axes, text: str) -> None:
    """Write a sentence in the middle of axes that have nothing to show."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color="0.4")
    ax.set(xticks=[], yticks=[])


def curves_by_name(curves: Any) -> dict[str, Any]:
    """Several curves by name, or a single one under the name ""."""
    named = curves if isinstance(curves, Mapping) else {"": curves}
    return {str(name): curve for name, curve in named.items()}
