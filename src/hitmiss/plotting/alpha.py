"""Figure of alpha, the strength of the penalty, while it is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._given import attribute_of
from hitmiss.plotting._rounding import drawable
from hitmiss.plotting._style import COLORS, axes_for, log_axis, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_STEPS = 2000  # points of a line, about as many as a screen has columns


class AlphaSteps(NamedTuple):
    """Steps, from 1, and the value of alpha after each."""

    steps: NDArray
    alphas: NDArray


def alpha_steps(alpha_path: Any) -> AlphaSteps:
    """The path of alpha, thinned to at most 2000 steps that include the last one.

    Parameters
    ----------
    alpha_path : fitted estimator or array-like of shape (n_steps,)
        An online estimator, or alpha after each step, such as its `alpha_path_`.

    Returns
    -------
    AlphaSteps
        `steps` and `alphas`.

    Examples
    --------
    >>> from hitmiss.plotting import alpha_steps
    >>> alpha_steps([1.0, 0.5])
    AlphaSteps(steps=array([1, 2]), alphas=array([1. , 0.5]))
    """
    path = np.asarray(attribute_of(alpha_path, "alpha_path_"), float).ravel()
    kept = np.unique(np.linspace(0, len(path) - 1, min(len(path), MOST_STEPS)).astype(int))
    return AlphaSteps(kept + 1, path[kept])


def plot_alpha(alpha_path: Any, *, ax: Axes | None = None) -> Axes:
    """Draw alpha against the step.

    Parameters
    ----------
    alpha_path : fitted estimator or array-like of shape (n_steps,)
        An online estimator, or alpha after each step.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    steps, alphas = alpha_steps(alpha_path)
    ax = axes_for(ax)
    ax.set(xlabel="step", ylabel="alpha")
    if not len(steps):
        note(ax, "No step was made.")
        return ax
    alphas = drawable(alphas)
    ax.plot(steps, alphas, color=COLORS[0], marker="." if len(steps) < 50 else "")
    if (alphas > 0).all():
        log_axis(ax, "y", alphas)
    return ax
