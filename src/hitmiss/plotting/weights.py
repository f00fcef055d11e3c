"""Figure of the weights of all features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.ties import comparable
from hitmiss.plotting._given import feature_names, weights_of
from hitmiss.plotting._rounding import LARGEST_DRAWN, TINIEST
from hitmiss.plotting._style import COLORS, GREY, axes_for, names_of, note, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEMS = 1000  # weights up to which each gets a stem; more would form a solid area
RISES = (0, 10, -10, 20, -20, 30, -30)  # points by which a name may be moved, in order of trial


class WeightPeaks(NamedTuple):
    """Features with a positive weight, their weights, and the largest, largest first."""

    features: NDArray
    values: NDArray
    peaks: NDArray


def weight_peaks(weights: Any, n_peaks: int = 10) -> WeightPeaks:
    """Data of a figure of the weights.

    Parameters
    ----------
    weights : fitted selector or array-like of shape (n_features,)
        Weights of the features.
    n_peaks : int, default=10
        Number of features to name.

    Returns
    -------
    WeightPeaks
        The `features` with a positive weight, their `values`, and the `peaks` among them.

    Examples
    --------
    >>> from hitmiss.plotting import weight_peaks
    >>> weight_peaks([0.1, 0.0, 5.0, -1.0], n_peaks=1)
    WeightPeaks(features=array([0, 2]), values=array([0.1, 5. ]), peaks=array([2]))
    """
    w = weights_of(weights)
    index = np.flatnonzero(w > 0)
    best = np.argsort(-comparable(w[index]), kind="stable")[:n_peaks]
    return WeightPeaks(index, w[index], index[best])


def plot_weights(
    weights: Any,
    *,
    names: ArrayLike | None = None,
    n_peaks: int = 10,
    ax: Axes | None = None,
) -> Axes:
    """Draw the positive weights on a logarithmic axis and name the largest.

    A name that would overlap others in every position is left out.

    Parameters
    ----------
    weights : fitted selector or array-like of shape (n_features,)
        A selector, for its weights and the names it was fitted with, or the weights themselves.
    names : array-like of str, default=None
        Names of the features; None takes those of the selector, else shows numbers.
    n_peaks : int, default=10
        Number of features to name.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    w = weights_of(weights)
    index, values, peaks = weight_peaks(w, n_peaks)
    ax = axes_for(ax)
    ax.set(xlabel=f"feature ({len(index):,} of {len(w):,} have a positive weight)", ylabel="weight")
    if not len(index):
        note(ax, "No feature has a positive weight.")
        return ax
    w = np.clip(w, TINIEST, LARGEST_DRAWN)  # otherwise the ends of the axis would overflow
    values = w[index]
    lowest, highest = _decades(values)
    margin = max(0.5, 0.02 * len(w))
    ax.set(yscale="log", ylim=(lowest, highest), xlim=(-margin, len(w) - 1 + margin))
    if len(index) <= STEMS:
        ax.vlines(index, lowest, values, color=GREY, linewidth=0.8)
    ax.plot(index, values, ".", color=GREY, markersize=4 if len(index) <= STEMS else 2)
    ax.plot(peaks, w[peaks], "o", color=COLORS[1], markersize=4)
    _name_peaks(
        ax, np.column_stack([peaks, w[peaks]]), names_of(peaks, feature_names(names, weights))
    )
    whole_numbers(ax.xaxis)
    return ax


def _decades(values: NDArray) -> tuple[float, float]:
    """Powers of ten around the values, with some margin."""
    low, high = np.log10(values.min()) - 0.2, np.log10(values.max()) + 0.2
    return 10.0 ** np.floor(low), 10.0 ** np.ceil(high)


def _name_peaks(ax: Axes, points: NDArray, texts: list[str]) -> None:
    """Write names next to their points, moved up or down where they would overlap."""
    frame, unit = ax.get_window_extent(), ax.figure.dpi / 72
    taken: list[NDArray] = []
    for point, (left, middle), text in zip(
        points, ax.transData.transform(points), texts, strict=True
    ):
        reach = 5 * len(text) * unit  # letters are about 5 points wide
        side = -1 if left + reach > frame.x1 else 1
        for rise in RISES:
            box = np.array([left + side * reach / 2, middle + rise * unit, reach, 10 * unit])
            if all(_apart(box, other) for other in taken):
                taken.append(box)
                _annotate(ax, text, point, (5 * side, rise))
                break


def _apart(box: NDArray, other: NDArray) -> bool:
    """Whether two boxes, each (center x, center y, width, height), do not overlap."""
    return bool((np.abs(box[:2] - other[:2]) >= (box[2:] + other[2:]) / 2).any())


def _annotate(ax: Axes, text: str, point: NDArray, offset: tuple[float, float]) -> None:
    ax.annotate(
        text,
        tuple(point),
        xytext=offset,
        textcoords="offset points",
        ha="left" if offset[0] > 0 else "right",
        va="center",
        fontsize=8,
        bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
    )
