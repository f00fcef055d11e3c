"""Figure of selected features by class and sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import columns
from hitmiss.plotting._given import feature_names, feature_positions
from hitmiss.plotting._rounding import in_largest, is_constant
from hitmiss.plotting._style import GREY, axes_for, label, names_of, note, spread_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLIP = 2.5  # standard deviations at which the colors end; of normal values, 1 % lie beyond
LETTER = 6.5  # points that a letter of a class name is wide
SLANTED_LINE = 15.0  # points from one slanted name to the next: a line of text at 45 degrees
MAP_SHARE = 0.7  # of the axes' first width, left by the color bar and the names of the features
NAMED_SAMPLES = 40  # up to which samples are named: the names of more would overlap


class HeatBlocks(NamedTuple):
    """Standardized values by feature and sample, the order of the samples, and the classes."""

    values: NDArray
    samples: NDArray
    classes: NDArray
    edges: NDArray


def heat_blocks(X: ArrayLike, y: ArrayLike, features: Any) -> HeatBlocks:
    """Standardized features, with the samples ordered by class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    features : array-like of int, str or bool, or fitted selector
        Features to show, such as ``ranking_[:20]``; names need a data frame. Of a selector, those
        that it selects, best first.

    Returns
    -------
    HeatBlocks
        `values` of shape (len(features), n_samples), each row of mean 0 and deviation 1, or zero
        if the feature is constant but for rounding; `samples`, the order of the samples;
        `classes`; and `edges`, where each class begins and where the last one ends.

    Examples
    --------
    >>> from hitmiss.plotting import heat_blocks
    >>> heat_blocks([[3.0], [1.0], [3.0], [1.0]], [1, 0, 1, 0], [0]).values
    array([[-1., -1.,  1.,  1.]])
    """
    classes, codes, counts = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
    samples = np.argsort(codes, kind="stable")
    values = columns(X, feature_positions(features, feature_names(None, X)))[samples].T
    values = in_largest(values, axis=1)  # so that squares and sums neither overflow nor underflow
    holes = np.isnan(values)
    if holes.any():  # at the mean, which is zero in the end
        total = np.where(holes, 0.0, values).sum(axis=1, keepdims=True)
        mean = total / np.maximum((~holes).sum(axis=1, keepdims=True), 1)
        values = np.where(holes, mean, values)
    spread = values.std(axis=1, keepdims=True)
    spread[is_constant(values, axis=1)] = np.inf  # so that they become zero
    values = (values - values.mean(axis=1, keepdims=True)) / spread
    return HeatBlocks(values, samples, classes, np.concatenate([[0], np.cumsum(counts)]))


def plot_heatmap(
    X: ArrayLike,
    y: ArrayLike,
    features: Any,
    *,
    names: ArrayLike | None = None,
    sample_names: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw features by sample, with the samples ordered by class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    features : array-like of int, str or bool, or fitted selector
        Features to show: positions, such as ``ranking_[:20]``, or names. Of a selector, those that
        it selects, best first.
    names, sample_names : array-like of str, default=None
        Names of all features and samples. None takes the columns of a data frame, or the names
        that the selector was fitted with; without names of samples, or for more than 40 samples,
        these have no ticks.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    known = feature_names(names, X, features)
    index = feature_positions(features, known)
    values, samples, classes, edges = heat_blocks(X, y, index)
    ax = axes_for(ax, 7.0, 1.4 + 0.2 * max(len(values), 8))
    if not len(values):
        note(ax, "No feature is selected.")
        return ax
    image = ax.imshow(
        values, cmap="RdBu_r", vmin=-CLIP, vmax=CLIP, aspect="auto", interpolation="none"
    )
    ax.set_yticks(np.arange(len(values)), names_of(index, known))
    for edge in edges[1:-1]:
        ax.axvline(edge - 0.5, color="black", linewidth=1.2)
    _name_classes(ax, [label(c, 16) for c in classes], edges)
    if sample_names is not None and len(samples) <= NAMED_SAMPLES:
        ax.set_xticks(np.arange(len(samples)), names_of(samples, sample_names), rotation=90)
    else:
        ax.set(xticks=[], xlabel=f"{len(samples):,} samples")
    ax.figure.colorbar(image, ax=ax, label="standard deviations\nfrom the mean", extend="both")
    return ax


def _name_classes(ax: Axes, names: list[str], edges: NDArray) -> None:
    """Write the classes above their blocks, slanted and led to them where they are too narrow."""
    centers, n_samples = (edges[1:] + edges[:-1] - 1) / 2, int(edges[-1])
    upper = ax.secondary_xaxis("top")
    upper.tick_params(length=0)
    points = MAP_SHARE * ax.get_window_extent().width * 72 / ax.figure.dpi
    point = n_samples / points  # one point in samples
    needed = LETTER * point * np.array([len(name) for name in names])
    if (needed <= np.diff(edges)).all():
        upper.set_xticks(centers, names)
        return
    places = spread_out(centers, SLANTED_LINE * point, -0.5, n_samples - 0.5)
    upper.set_xticks(places, names, rotation=-45, ha="right", rotation_mode="anchor")
    upper.tick_params(pad=12)
    for center, place in zip(centers, places, strict=True):
        lead = ax.plot([center, place], [1.005, 1.04], color=GREY, linewidth=0.8, clip_on=False)
        lead[0].set_transform(ax.get_xaxis_transform())
