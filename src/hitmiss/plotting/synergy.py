"""Figure of which features work together."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._rounding import is_rounding
from hitmiss.plotting._style import axes_for, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = 0.6  # share of the strongest color that is used: black numbers stand out by 5.7 to 1


class SynergyCells(NamedTuple):
    """Positions of features; the color of every cell from -1 to 1, and the number in it."""

    features: NDArray
    colors: NDArray
    texts: list[list[str]]


def synergy_cells(found: Any, n_features: int = 20) -> SynergyCells:
    """Colors and numbers of the cells of a matrix of synergies.

    Parameters
    ----------
    found : Synergy
        What `hitmiss.metrics.synergy` returns.
    n_features : int, default=20
        Number of features at most, the first ones.

    Returns
    -------
    SynergyCells
        `features`; `colors`, the synergies over the largest in size, NaN on the diagonal; and
        `texts`, with a sign outside the diagonal.

    Examples
    --------
    >>> from hitmiss.metrics import Synergy
    >>> from hitmiss.plotting import synergy_cells
    >>> matrix = np.array([[12.0, -2.5], [-2.5, 0.04]])
    >>> synergy_cells(Synergy(np.array([7, 3]), np.array(["a", "b"]), matrix, 50.0)).texts
    [['12', '-2.5'], ['-2.5', '0']]
    """
    matrix = np.array(found.matrix[:n_features, :n_features], float)
    # Features that work independently have a synergy of pure rounding, which has no color.
    matrix[is_rounding(matrix, np.abs(matrix).max(initial=0.0))] = 0.0
    own = np.eye(len(matrix), dtype=bool)
    largest = np.abs(matrix[~own]).max(initial=0.0)
    colors = np.where(own, np.nan, matrix / (largest or 1.0))
    texts = [
        [number(value, signed=i != j) for j, value in enumerate(row)]
        for i, row in enumerate(matrix.tolist())
    ]
    return SynergyCells(found.features[:n_features], colors, texts)


def number(value: float, *, signed: bool) -> str:
    """A number of at most five characters, or six from 1e100 on.

    Examples
    --------
    >>> [number(v, signed=True) for v in (0.04, 3.14, -12.3, 1234.0, 1e6)]
    ['0', '+3.1', '-12', '+1k', '+1e06']
    """
    sign = "+" if signed else ""
    if abs(value) >= 999_500:
        return f"{value:{sign}.0e}".replace("e+", "e")
    if abs(value) >= 999.5:
        return f"{value / 1000:{sign}.0f}k"
    if abs(value) >= 9.95:
        return f"{value:{sign}.0f}"
    return f"{value:{sign}.1f}" if abs(value) >= 0.05 else "0"


def plot_synergy(found: Any, *, n_features: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Draw which features work together, as a matrix with a number in every cell.

    Parameters
    ----------
    found : Synergy
        What `hitmiss.metrics.synergy` returns.
    n_features : int, default=20
        Number of features to show at most, the first ones.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    features, colors, texts = synergy_cells(found, n_features)
    n = len(features)
    ax = axes_for(ax, 2.6 + 0.42 * max(n, 6), 1.6 + 0.34 * max(n, 5))
    ax.imshow(PALE * np.nan_to_num(colors), cmap="RdBu_r", vmin=-1, vmax=1)
    for i in range(n):
        ax.fill_between([i - 0.5, i + 0.5], i - 0.5, i + 0.5, color="0.85", linewidth=0)
        for j in range(n):
            ax.text(j, i, texts[i][j], ha="center", va="center", fontsize="x-small")
    names = [label(name, 20) for name in found.names[:n]]
    ax.set_yticks(np.arange(n), names)
    ax.set_xticks(np.arange(n), names, rotation=90)
    ax.set_title(
        "red, above 0: more together than apart\nblue, below 0: redundant\n"
        "grey: what each explains alone",
        fontsize="small",
    )
    return ax
