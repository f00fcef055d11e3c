"""Figure of the error against the number of features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._rounding import on_grid
from hitmiss.plotting._style import (
    axes_for,
    cover_levels,
    curves_by_name,
    label,
    line_style,
    note,
    over_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Number of features above which the axis is logarithmic: a linear one would squeeze the first ten,
# where curves fall, into less than a third of its length.
LOG_FROM = 30


COVERED = 0.006  # of the axis: what the width of a line covers, 1.5 of 250 points


class CurveLine(NamedTuple):
    """Numbers of features, ascending, the errors, and the index of the first smallest error."""

    n_features: NDArray
    errors: NDArray
    best: int


def curve_lines(curves: Any) -> dict[str, CurveLine]:
    """Error curves by name.

    Parameters
    ----------
    curves : ErrorCurve or dict of ErrorCurve
        What `hitmiss.metrics.error_curve` returns, or several by name.

    Returns
    -------
    dict of CurveLine
        A single curve has the name ""; one without a point is left out.

    Examples
    --------
    >>> from hitmiss.metrics import ErrorCurve
    >>> from hitmiss.plotting import curve_lines
    >>> curve_lines(ErrorCurve([2, 1], [0.1, 0.3], 0.1, 2))
    {'': CurveLine(n_features=array([1, 2]), errors=array([0.3, 0.1]), best=1)}
    """
    named = curves_by_name(curves)
    return {name: _line(curve) for name, curve in named.items() if len(curve.n_features)}


def plot_error_curve(curves: Any, *, ax: Axes | None = None) -> Axes:
    """Draw test errors against the number of features; a dot marks the smallest error.

    Parameters
    ----------
    curves : ErrorCurve or dict of ErrorCurve
        What `hitmiss.metrics.error_curve` returns, or several by name.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    lines = curve_lines(curves)
    ax = axes_for(ax)
    ax.set(xlabel="number of features", ylabel="error")
    if not lines:
        note(ax, "There is no curve.")
        return ax
    highest = max(float(line.errors.max()) for line in lines.values())
    points = [list(zip(line.n_features, line.errors, strict=True)) for line in lines.values()]
    levels = cover_levels(points, COVERED * highest)
    for k, (name, (sizes, errors, best)) in enumerate(lines.items()):
        found = f"{errors[best]:.1%} with {sizes[best]:,}"
        style = line_style(k) | over_style(levels[k])
        ax.plot(sizes, errors, label=f"{label(name)}: {found}" if name else found, **style)
        ax.plot(sizes[best], errors[best], "o", color=style["color"])
    if max(line.n_features[-1] for line in lines.values()) > LOG_FROM:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")
    ax.set_ylim(bottom=0)
    ax.legend(title="smallest error", frameon=False)
    return ax


def _line(curve: Any) -> CurveLine:
    sizes, errors = np.asarray(curve.n_features), np.asarray(curve.errors, float)
    order = np.argsort(sizes, kind="stable")
    return CurveLine(sizes[order], errors[order], int(on_grid(errors[order]).argmin()))
