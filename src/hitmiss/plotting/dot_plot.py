"""Figure of the markers of each class: a dot per feature and class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import columns
from hitmiss.plotting._given import feature_names, feature_positions, is_estimator
from hitmiss.plotting._rounding import ROUNDING, in_largest, on_grid
from hitmiss.plotting._style import axes_for, label, names_of, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST_DOT = 130.0  # square points of a dot for a share of 1: as high as a row
SHARES = (0.25, 0.5, 1.0)  # in the legend


class MarkerDots(NamedTuple):
    """Features by class that they mark, and what is drawn of each feature in each class."""

    features: NDArray  # positions, class after class, best first; one may mark several
    marked: NDArray  # the class that each marks, as its position in `classes`
    classes: NDArray
    shares: NDArray  # of the samples of a class above the median; (n_features, n_classes)
    means: NDArray  # from 0 in the class of lowest mean to 1 in that of the highest


def marker_dots(
    X: ArrayLike, y: ArrayLike, markers: Any, n_features: int | None = None
) -> MarkerDots:
    """The markers of each class, with their share and mean in every class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    markers : fitted Markers or dict
        Or the features of each class: positions, or names where X is a data frame.
    n_features : int, default=None
        Number of features of each class at most; None for all that are selected.

    Returns
    -------
    MarkerDots
        A share is that of the samples of a class above the median of all samples: of a gene that
        most cells lack, the share that expresses it. Missing values do not count.

    Examples
    --------
    >>> from hitmiss.plotting import marker_dots
    >>> X = [[0, 5], [0, 7], [2, 0], [4, 0]]
    >>> dots = marker_dots(X, ["a", "a", "b", "b"], {"a": [1], "b": [0]})
    >>> dots.features, dots.shares
    (array([1, 0]), array([[1., 0.],
           [0., 1.]]))
    """
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    given = markers.markers() if is_estimator(markers) else dict(markers)
    names = feature_names(None, markers if is_estimator(markers) else X, X)
    lists = [
        feature_positions(given.get(name, []), names)[:n_features] for name in classes.tolist()
    ]
    features = np.concatenate([*lists, np.empty(0, int)]).astype(int)
    marked = np.repeat(np.arange(len(classes)), [len(found) for found in lists])
    member = (codes == np.arange(len(classes))[:, None]).astype(float)
    values = columns(X, features)
    steps, sizes = on_grid(values, axis=0), np.nan_to_num(in_largest(values, axis=0))
    known = (member @ ~np.isnan(values)).T  # how many samples of each class are observed
    shares = (member @ (steps > np.nanmedian(steps, axis=0))).T / np.maximum(known, 1)
    means = (member @ sizes).T / np.maximum(known, 1)
    lowest = np.where(known > 0, means, np.inf).min(axis=1, keepdims=True)
    above = np.where(known > 0, means - lowest, 0.0)
    span = above.max(axis=1, keepdims=True)
    scaled = above / np.where(span > ROUNDING, span, np.inf)  # 0 where they are equal
    return MarkerDots(features, marked, classes, shares, scaled)


def plot_markers(
    X: ArrayLike,
    y: ArrayLike,
    markers: Any,
    *,
    n_features: int | None = 5,
    names: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the markers of each class as dots: large where many samples have it, dark where high.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    markers : fitted Markers or dict
        Or the features of each class: positions, or names where X is a data frame.
    n_features : int, default=5
        Number of features of each class at most; None for all that are selected.
    names : array-like of str, default=None
        Names of all features; None takes those of a data frame or those seen in fit.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    dots = marker_dots(X, y, markers, n_features)
    known = feature_names(names, markers if is_estimator(markers) else X, X)
    n, n_classes = dots.shares.shape
    ax = axes_for(ax, 3.4 + 0.32 * n_classes, 1.4 + 0.21 * max(n, 8))
    if not n:
        note(ax, "No class has a marker.")
        return ax
    rows, places = np.indices(dots.shares.shape)
    drawn = ax.scatter(
        places.ravel(),
        rows.ravel(),
        s=LARGEST_DOT * dots.shares.ravel(),
        c=dots.means.ravel(),
        cmap="Reds",
        vmin=0,
        vmax=1,
        edgecolor="0.5",
        linewidth=0.4,
    )
    ax.set(xlim=(-0.6, n_classes - 0.4), ylim=(n - 0.4, -0.6))
    ax.set_yticks(np.arange(n), names_of(dots.features, known))
    upright = [label(name, 16) for name in dots.classes]
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(n_classes), upright, rotation=45, ha="left", rotation_mode="anchor")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    for edge in np.flatnonzero(np.diff(dots.marked)):
        ax.axhline(edge + 0.5, color="0.8", linewidth=0.8)
    ax.figure.colorbar(drawn, ax=ax, label="mean, from the lowest\nclass to the highest", aspect=30)
    _name_sizes(ax)
    return ax


def _name_sizes(ax: Axes) -> None:
    for share in SHARES:
        ax.scatter([], [], s=LARGEST_DOT * share, color="0.7", label=f"{share:.0%}")
    ax.legend(
        title="samples above the median",
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(SHARES),
        frameon=False,
    )
