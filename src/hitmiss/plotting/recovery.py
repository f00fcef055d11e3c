"""Figure of the recovery of the relevant features."""

from typing import TYPE_CHECKING, Any

from sklearn.metrics import auc

from hitmiss.plotting._style import axes_for, curves_by_name, label, line_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def recovery_areas(curves: Any) -> dict[str, float]:
    """Area under each curve.

    Parameters
    ----------
    curves : RecoveryCurve or dict of RecoveryCurve
        What `hitmiss.metrics.recovery_curve` returns, or several by name.

    Returns
    -------
    dict of float
        A single curve has the name "".

    Examples
    --------
    >>> from hitmiss.metrics import recovery_curve
    >>> from hitmiss.plotting import recovery_areas
    >>> recovery_areas(recovery_curve([0.9, 0.1, 0.5, 0.2], relevant=[0, 3]))
    {'': 0.75}
    """
    named = curves_by_name(curves)
    return {name: float(auc(curve.irrelevant, curve.relevant)) for name, curve in named.items()}


def plot_recovery(curves: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the share of the relevant against that of the irrelevant features taken.

    Parameters
    ----------
    curves : RecoveryCurve or dict of RecoveryCurve
        What `hitmiss.metrics.recovery_curve` returns, or several by name.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    ax = axes_for(ax, 4.4, 4.2)
    areas = recovery_areas(curves)
    ax.plot([0, 1], [0, 1], color="0.8", linewidth=0.8, zorder=0)
    for k, (name, curve) in enumerate(curves_by_name(curves).items()):
        text = f"{label(name)}: {areas[name]:.3f}" if name else f"{areas[name]:.3f}"
        ax.plot(curve.irrelevant, curve.relevant, label=text, clip_on=False, **line_style(k))
    ax.set(
        xlabel="share of the irrelevant features taken",
        ylabel="share of the relevant features taken",
        xlim=(0, 1),
        ylim=(0, 1),
        aspect="equal",
    )
    if areas:
        ax.legend(title="area under the curve", frameon=False, loc="lower right")
    return ax
