"""The numbers that figures with a panel for each feature show."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.alignment import columns
from hitmiss._util.text import clean
from hitmiss.plotting._rounding import LARGEST_DRAWN, on_grid
from hitmiss.report.figure_data import evenly
from hitmiss.report.json_values import rounded, rounded_within
from hitmiss.targets.survival import kaplan_meier

N_PANELS = 6  # features that have one: what a screen shows
MOST_DOTS = 250  # of a panel: more would cover each other
MOST_STEPS = 80  # of a curve, about one per two pixels


def strip_data(X: Any, y: NDArray, features: NDArray, names: list[str]) -> dict[str, Any] | None:
    """Features against numbers, over samples taken evenly from small to large numbers.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : ndarray of shape (n_samples,)
        Their numbers.
    features : ndarray
        Positions of the features, best first.
    names : list of str
        Names of all features.

    Returns
    -------
    dict or None
        `names`, and a list of values and one of numbers for each of the features that are drawn;
        None if there are none.
    """
    panels = []
    for j, x in _drawable(X, features) if np.abs(y).max() <= LARGEST_DRAWN else ():
        known = np.flatnonzero(~np.isnan(x))
        known = known[np.argsort(on_grid(y[known]), kind="stable")][evenly(len(known), MOST_DOTS)]
        xs, ys = rounded_within(x[known], x[known]), rounded_within(y[known], y)
        panels.append((clean(names[j]), xs, ys))
        if len(panels) == N_PANELS:
            break
    if not panels:
        return None
    shown, values, numbers = map(list, zip(*panels, strict=True))
    return {"names": shown, "values": values, "numbers": numbers, "n_features": len(features)}


def half_data(
    X: Any, times: tuple[NDArray, NDArray], features: NDArray, names: list[str]
) -> dict[str, Any] | None:
    """Kaplan-Meier curves of the samples in the lower and in the upper half of features.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    times : tuple of (time, event)
        Their times, and whether these are of events.
    features : ndarray
        Positions of the features, best first.
    names : list of str
        Names of all features.

    Returns
    -------
    dict or None
        `names`; `medians`, where each is divided; and `curves`, two for each, of times, the shares
        without an event from then on, and the number of samples. None if there are none.
    """
    panels = []
    for j, x in _drawable(X, features):
        known, steps = ~np.isnan(x), on_grid(x)  # values equal up to rounding stay in the same half
        median, middle = np.median(x[known]), np.median(steps[known])
        upper = steps > middle if (steps > middle).any() else steps >= middle
        halves = [known & ~upper, known & upper]
        if all(half.any() for half in halves):
            curves = [_curve(times[0][half], times[1][half]) for half in halves]
            (cut,) = rounded_within([median], x[known])
            panels.append((clean(names[j]), cut, curves))
        if len(panels) == N_PANELS:
            break
    if not panels:
        return None
    shown, medians, curves = map(list, zip(*panels, strict=True))
    return {"names": shown, "medians": medians, "curves": curves, "n_features": len(features)}


def _drawable(X: Any, features: NDArray) -> Iterator[tuple[int, NDArray]]:
    """Features and their values, without constant features and values no axis could show."""
    for j in features.tolist():
        x = columns(X, np.array([j]))[:, 0]
        if np.count_nonzero(~np.isnan(x)) > 1 and np.nanmax(np.abs(x)) <= LARGEST_DRAWN:
            yield j, x


def _curve(time: NDArray, event: NDArray) -> dict[str, Any]:
    """Times at which a Kaplan-Meier curve steps down, and its end."""
    ends, first = np.unique(time, return_index=True)
    shares = kaplan_meier(time, event)[first]
    steps = np.flatnonzero(np.diff(shares, prepend=1.0))
    steps = steps[evenly(len(steps), MOST_STEPS)]
    at = np.union1d(steps, [len(ends) - 1])
    return {
        "times": [0, *rounded_within(ends[at], time)],
        "shares": [1, *rounded(shares[at], 4)],
        "n_samples": len(time),
    }
