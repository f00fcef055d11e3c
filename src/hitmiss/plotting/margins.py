"""Figure of the distribution of the margins, by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_explains_classes
from hitmiss._util.workers import Workers
from hitmiss.data.categories import as_known_numbers
from hitmiss.neighbors import soft_neighbors
from hitmiss.plotting._given import attribute_of, is_estimator, weights_of
from hitmiss.plotting._samples import support_distances
from hitmiss.plotting._style import COLORS, axes_for, label, whole_numbers
from hitmiss.targets.classes import Classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_SAMPLES = 10_000  # from which on the number of bins is fixed: the automatic one keeps growing
N_BINS = 100  # of so many samples: each bin about 5 pixels wide


def sample_margins(
    X: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike,
    *,
    sigma: float = 2.0,
    scale: str | None = "range",
    nominal: NDArray | None = None,
) -> NDArray:
    """Margin of every sample among the others under the weights (LOFE eq. 3).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    weights : array-like of shape (n_features,)
        Weights of at least 0.
    sigma : float, default=2.0
        Kernel width of the soft neighbors.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
    nominal : ndarray of int, default=None
        Features whose values are codes of levels.

    Returns
    -------
    margins : ndarray of shape (n_samples,)
        Expected distance to the nearest miss minus that to the nearest hit; NaN for a sample
        alone in its class.

    Examples
    --------
    >>> from hitmiss.plotting import sample_margins
    >>> sample_margins([[0], [1], [3], [4]], [0, 0, 1, 1], [1.0], sigma=0.01, scale=None)
    array([2., 1., 1., 2.])
    """
    D = support_distances(X, weights, scale, nominal)
    target = Classes(np.unique(np.asarray(y), return_inverse=True)[1])
    margins = (soft_neighbors(D, target, sigma, Workers(1)) * D).sum(axis=1)
    return np.where(target.has_hit, margins, np.nan)


def plot_margins(
    margins: Any,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw a histogram of the margins of each class.

    Called as ``plot_margins(lofe, X, y)``, or with known margins as ``plot_margins(margins, y)``.

    Parameters
    ----------
    margins : fitted selector or array-like of shape (n_samples,)
        A selector that learns a distance, such as `LOFE`, or what `sample_margins` returns;
        negative means closer to another class. NaN is left out.
    X : array-like of shape (n_samples, n_features), default=None
        The samples, for a selector; otherwise the class labels may stand here.
    y : array-like of shape (n_samples,), default=None
        Class labels.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    values, labels = _margins_and_labels(margins, X, y)
    known = np.isfinite(values)
    values, labels = values[known], labels[known]
    ax = axes_for(ax)
    rule: Any = "auto" if len(values) < MANY_SAMPLES else N_BINS
    bins = np.histogram_bin_edges(values, rule).tolist()
    for k, name in enumerate(np.unique(labels)):
        own = values[labels == name]
        text = f"{label(name)} ({np.mean(own < 0):.0%} negative)"
        color = COLORS[k % len(COLORS)]
        ax.hist(own, bins, histtype="stepfilled", alpha=0.35, color=color, label=text)
        ax.hist(own, bins, histtype="step", color=color)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlabel="margin: distance to the nearest miss − to the nearest hit", ylabel="samples")
    whole_numbers(ax.yaxis)
    ax.legend(frameon=False)
    return ax


def _margins_and_labels(
    given: Any, X: ArrayLike | None, y: ArrayLike | None
) -> tuple[NDArray, NDArray]:
    if not is_estimator(given):
        labels = X if y is None else y
        if labels is None:
            raise TypeError("Class labels are missing: plot_margins(margins, y).")
        return np.asarray(given, float), np.asarray(labels)
    check_explains_classes(given, "The figure of margins")
    if X is None or y is None:
        raise TypeError("The margins of a selector need data: plot_margins(selector, X, y).")
    sigma, weights = attribute_of(given, "sigma_"), weights_of(given)
    categories = getattr(given, "categories_", {})
    margins = sample_margins(
        as_known_numbers(X, categories),
        y,
        weights,
        sigma=sigma,
        scale=given.scale,
        nominal=np.array(sorted(categories), int),
    )
    return margins, np.asarray(y)
