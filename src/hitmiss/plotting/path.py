"""Figure of the weights along a path of penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.ties import comparable
from hitmiss.plotting._rounding import drawable
from hitmiss.plotting._style import GREY, axes_for, line_style, log_axis, names_of, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 500  # of features without a name: more are not visible, and slow to draw


class PathLines(NamedTuple):
    """Penalties in ascending order, weights, and the features with and without a name."""

    alphas: NDArray
    weights: NDArray
    named: NDArray
    others: NDArray


def path_lines(alphas: Any, weights: ArrayLike | None = None, n_named: int = 8) -> PathLines:
    """Data of a figure of a regularization path.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), or the result of `LOFE.path`
        Strengths of the penalty, in any order.
    weights : array-like of shape (n_alphas, n_features), default=None
        Weights at each; None takes those of the path.
    n_named : int, default=8
        Number of features to name: those with the largest weight anywhere on the path.

    Returns
    -------
    PathLines
        `alphas` ascending, `weights` in that order, the features `named`, largest first, and at
        most 500 `others` with a nonzero weight anywhere.

    Examples
    --------
    >>> from hitmiss.plotting import path_lines
    >>> path = path_lines([1, 0.1], [[0, 2, 0], [1, 3, 0]], n_named=1)
    >>> path.alphas, path.named, path.others
    (array([0.1, 1. ]), array([1]), array([0]))
    """
    if weights is None:
        alphas, weights = alphas.alphas, alphas.weights
    alphas, W = np.asarray(alphas, float), np.asarray(weights, float)
    if W.ndim != 2 or len(W) != len(alphas):
        raise ValueError(
            f"weights must have a row for each of the {len(alphas)} alphas; got shape {W.shape}."
        )
    order = np.argsort(alphas, kind="stable")
    largest = np.abs(W).max(axis=0, initial=0.0)
    ranked = np.argsort(-comparable(largest), kind="stable")
    ever = ranked[largest[ranked] > 0]
    return PathLines(alphas[order], W[order], ever[:n_named], ever[n_named : n_named + MOST_LINES])


def plot_path(
    alphas: Any,
    weights: ArrayLike | None = None,
    *,
    names: ArrayLike | None = None,
    n_named: int = 8,
    ax: Axes | None = None,
) -> Axes:
    """Draw the weights against the strength of the penalty, and name the largest.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), or the result of `LOFE.path`
        Strengths of the penalty, in any order.
    weights : array-like of shape (n_alphas, n_features), default=None
        Weights at each; None takes those of the path.
    names : array-like of str, default=None
        Names of the features; None shows their numbers.
    n_named : int, default=8
        Number of features to name.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    path = path_lines(alphas, weights, n_named)
    ax = axes_for(ax, 8.0)
    ax.set(xlabel="alpha", ylabel="weight")
    if not len(path.named):
        note(ax, "All weights are zero.")
        return ax
    alphas, weights = drawable(path.alphas), drawable(path.weights)
    if (alphas > 0).any():
        log_axis(ax, "x", alphas)
    ax.plot(alphas, weights[:, path.others], color=GREY, linewidth=0.5, alpha=0.6)
    for k, (j, name) in enumerate(zip(path.named, names_of(path.named, names), strict=True)):
        ax.plot(alphas, weights[:, j], marker=".", label=name, **line_style(k))
    ax.legend(title="feature", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax
