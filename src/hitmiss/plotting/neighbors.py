"""Figure of the soft neighbors of one sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from hitmiss._util.alignment import columns
from hitmiss.plotting._given import feature_names, feature_positions
from hitmiss.plotting._rounding import drawable, on_grid
from hitmiss.plotting._samples import scaled_support
from hitmiss.plotting._style import axes_for, names_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VISIBLE = 0.01  # share of the largest probability below which a dot would be nearly white


class NeighborProbabilities(NamedTuple):
    """Probability of each sample to be the nearest hit, and to be the nearest miss."""

    hit: NDArray
    miss: NDArray


def neighbor_probabilities(
    X: ArrayLike,
    y: ArrayLike,
    sample: int,
    weights: ArrayLike,
    *,
    sigma: float = 2.0,
    scale: str | None = "range",
) -> NeighborProbabilities:
    """Soft neighbors of one sample under the weights (LOFE eq. 4 and 5).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    sample : int
        Index of the sample.
    weights : array-like of shape (n_features,)
        Weights of at least 0.
    sigma : float, default=2.0
        Kernel width.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.

    Returns
    -------
    NeighborProbabilities
        `hit` and `miss`; each sums to 1, or is zero if there is none.

    Examples
    --------
    >>> from hitmiss.plotting import neighbor_probabilities
    >>> X, y = [[0], [1], [1], [9]], [0, 0, 0, 1]
    >>> neighbor_probabilities(X, y, 0, [1.0])
    NeighborProbabilities(hit=array([0. , 0.5, 0.5, 0. ]), miss=array([0., 0., 0., 1.]))
    """
    A, labels = scaled_support(X, weights, scale), np.asarray(y)
    with np.errstate(over="ignore"):  # infinite distances become the largest number
        distances = np.nan_to_num(np.abs(A - A[sample]).sum(axis=1), nan=np.nan)
    same = labels == labels[sample]
    others = np.arange(len(labels)) != np.arange(len(labels))[sample]
    return NeighborProbabilities(
        _probabilities(distances, same & others, sigma), _probabilities(distances, ~same, sigma)
    )


def plot_neighbors(
    X: ArrayLike,
    probabilities: NeighborProbabilities,
    sample: int,
    features: Any,
    *,
    names: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw all samples over two features, colored by how likely each is the nearest.

    Hits are blue, misses orange, darker for more likely; a black cross marks the sample itself
    (Fig. 2 of the LOFE paper).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    probabilities : NeighborProbabilities
        Such as `neighbor_probabilities`.
    sample : int
        Index of the sample.
    features : array-like of two ints or names, or fitted selector
        The axes of the figure, such as ``ranking_[:2]``; one feature is drawn against the
        probability. Of a selector, the two best that it selects.
    names : array-like of str, default=None
        Names of all features; None takes the columns of a data frame, else shows numbers.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    names = feature_names(names, X, features)
    index = feature_positions(features, names)[:2]
    places = drawable(columns(X, index))
    texts = [f"feature {text}" if names is None else text for text in names_of(index, names)]
    if len(index) == 1:
        places = np.column_stack([places, probabilities.hit + probabilities.miss])
        texts.append("probability")
    ax = axes_for(ax, 6.4, 4.2)
    ax.plot(*places.T, ".", color="0.85", markersize=4, zorder=0)
    for values, cmap, name in (
        (probabilities.hit, "Blues", "P(nearest hit)"),
        (probabilities.miss, "Oranges", "P(nearest miss)"),
    ):
        order = np.argsort(on_grid(values), kind="stable")  # equal ones in the order of samples
        order = order[values[order] > VISIBLE * values.max(initial=0.0)]
        x, y = places[order].T
        top = values.max() or 1.0
        dots = ax.scatter(x, y, 22, values[order], cmap=cmap, vmin=0, vmax=top)
        ax.figure.colorbar(dots, ax=ax, label=name, pad=0.02)
    ax.plot(*places[sample], "x", color="black", markersize=9, markeredgewidth=2.2)
    ax.set(xlabel=texts[0], ylabel=texts[1])
    return ax


def _probabilities(distances: NDArray, members: NDArray, sigma: float) -> NDArray:
    found = np.zeros(len(distances))
    if members.any():
        own = distances[members]
        with np.errstate(over="ignore"):  # at such a distance nothing is near
            found[members] = softmax((own.min() - own) / sigma)
    return found
