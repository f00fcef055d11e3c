"""Figure of which features could take the place of the selected ones."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hitmiss.plotting._rounding import drawable, is_rounding
from hitmiss.plotting._style import COLORS, GREY, axes_for, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class SubstituteBar(NamedTuple):
    """The rise of the objective with a substitute, or without any."""

    feature: int  # position of the selected feature
    substitute: int | None  # position of what takes its place
    rise: float


def substitute_bars(
    found: Any, n_features: int = 10, n_substitutes: int = 3
) -> list[SubstituteBar]:
    """The rises that a figure of substitutes shows, from top to bottom.

    Parameters
    ----------
    found : Substitutes
        What `hitmiss.metrics.substitutes` returns.
    n_features : int, default=10
        Number of selected features at most, best first.
    n_substitutes : int, default=3
        Number of substitutes at most of each.

    Returns
    -------
    list of SubstituteBar
        Each selected feature, first without a substitute, then with the best ones.
    """

    def exact(rise: Any) -> float:
        """The rise, 0 if it is the rounding of the two objectives that it lies between."""
        return 0.0 if is_rounding(rise, found.objective) else float(rise)

    rows = zip(found.features, found.without, found.candidates, found.rises, strict=True)
    bars = []
    for feature, without, candidates, rises in list(rows)[:n_features]:
        bars.append(SubstituteBar(int(feature), None, exact(without)))
        best = list(zip(candidates, rises, strict=True))[:n_substitutes]
        bars += [SubstituteBar(int(feature), int(j), exact(rise)) for j, rise in best]
    return bars


def plot_substitutes(
    found: Any,
    *,
    n_features: int = 10,
    n_substitutes: int = 3,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw how much worse the fit is without each selected feature, and with another instead.

    Parameters
    ----------
    found : Substitutes
        What `hitmiss.metrics.substitutes` returns.
    n_features : int, default=10
        Number of selected features to show at most, best first.
    n_substitutes : int, default=3
        Number of substitutes to show at most of each.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    bars = substitute_bars(found, n_features, n_substitutes)
    names = dict(zip(found.features.tolist(), found.names, strict=True))
    for features, some in zip(found.candidates, found.candidate_names, strict=True):
        names |= dict(zip(features.tolist(), some, strict=True))
    ax = axes_for(ax, height=1.2 + 0.2 * max(len(bars), 4))
    places = np.arange(len(bars))
    ax.barh(
        places,
        drawable([bar.rise for bar in bars]),
        color=[GREY if bar.substitute is None else COLORS[0] for bar in bars],
        height=0.7,
    )
    ax.set_yticks(places, [row_label(bar, names) for bar in bars])
    ax.axvline(0, color="0.4", linewidth=0.8)
    ax.invert_yaxis()
    ax.set_xlabel("rise of the objective: near 0, the fit is as good")
    return ax


def row_label(bar: SubstituteBar, names: dict[int, str]) -> str:
    """Label of an exchange of two features."""
    if bar.substitute is None:
        return label(f"without {names[bar.feature]}")
    return label(f"with {names[bar.substitute]} instead")
