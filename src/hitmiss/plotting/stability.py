"""Figure of the selection frequency of features from subsamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss.plotting._given import attribute_of, feature_names, is_estimator
from hitmiss.plotting._style import COLORS, axes_for, names_of, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class MostSelected(NamedTuple):
    """Features selected most often, in descending order, and the shares of the runs."""

    features: NDArray
    shares: NDArray


def most_selected(frequency: Any, n_features: int = 25) -> MostSelected:
    """The features that are selected most often.

    Parameters
    ----------
    frequency : Ensemble or array-like of shape (n_features,)
        How often each feature is selected: a fitted `Ensemble`, its `selection_frequency_`, or the
        mean of the `supports` of a `StabilityReport`.
    n_features : int, default=25
        Number of features at most; those never selected are left out.

    Returns
    -------
    MostSelected
        `features` and their `shares`.

    Examples
    --------
    >>> from hitmiss.plotting import most_selected
    >>> most_selected([0.5, 0.0, 1.0])
    MostSelected(features=array([2, 0]), shares=array([1. , 0.5]))
    """
    shares = np.asarray(attribute_of(frequency, "selection_frequency_"), float)
    order = np.argsort(-shares, kind="stable")[:n_features]
    order = order[shares[order] > 0]
    return MostSelected(order, shares[order])


def plot_stability(
    report: Any,
    *,
    names: ArrayLike | None = None,
    n_features: int = 25,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often the features are selected, those most often on top.

    Parameters
    ----------
    report : StabilityReport or Ensemble
        What `hitmiss.metrics.stability_report` returns, or a fitted ensemble.
    names : array-like of str, default=None
        Names of the features; None takes those the ensemble was fitted with, else shows numbers.
    n_features : int, default=25
        Number of features to show at most.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    frequency = report if is_estimator(report) else np.mean(report.supports, axis=0)
    features, shares = most_selected(frequency, n_features)
    ax = axes_for(ax, height=1.2 + 0.2 * max(len(features), 4))
    ax.set(xlabel=f"share of {_runs(report)} that select it", xlim=(0, 1))
    if not len(features):
        note(ax, "No feature was ever selected.")
        return ax
    places = np.arange(len(features))
    ax.barh(places, shares, color=COLORS[0], height=0.7)
    ax.set_yticks(places, names_of(features, feature_names(names, report)))
    ax.invert_yaxis()
    if not is_estimator(report):
        found = report.nogueira
        known = f"{found.stability:.2f} (95 %: {found.lower:.2f} to {found.upper:.2f})"
        text = known if np.isfinite(found.stability) else "not defined"
        ax.set_title(f"stability {text}", fontsize="medium")
    return ax


def _runs(report: Any) -> str:
    if is_estimator(report):
        return f"{len(report.member_weights_)} members"
    return f"{len(report.supports)} subsamples"
