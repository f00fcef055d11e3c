"""Figure of the distribution of the margins, by class."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_explains_classes
from hitmiss._util.workers import Workers
from hitmiss.data.categories import as_known_numbers
from hitmiss.neighbors import soft_neighbors
from hitmiss.plotting._given import attribute_of, is_estimator, weights_of
from hitmiss.plotting._rounding import ROUNDING, TINIEST, drawable, is_rounding, on_grid
from hitmiss.plotting._samples import support_distances
from hitmiss.plotting._style import COLORS, axes_for, label, note, whole_numbers
from hitmiss.targets.classes import Classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_BINS = 100  # of a histogram, at most: each about 5 pixels wide


class MarginBins(NamedTuple):
    """Edges of bins, and in each class the counts of the bins and of the negative margins."""

    edges: NDArray
    counts: NDArray  # (n_classes, n_bins)
    n_negative: NDArray
    order: NDArray  # the samples from the smallest margin to the largest


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
        Expected distance to the nearest miss minus that to the nearest hit, 0 if they are equal
        but for rounding; NaN for a sample alone in its class, or infinitely far from the others.

    Examples
    --------
    >>> from hitmiss.plotting import sample_margins
    >>> sample_margins([[0], [1], [3], [4]], [0, 0, 1, 1], [1.0], sigma=0.01, scale=None)
    array([2., 1., 1., 2.])
    """
    target = Classes(np.unique(np.asarray(y), return_inverse=True)[1])
    with np.errstate(over="ignore", invalid="ignore"):  # of distances that overflow
        D = support_distances(X, weights, scale, nominal)
        parts = soft_neighbors(D, target, sigma, Workers(1)) * D
        margins, size = parts.sum(axis=1), np.abs(parts).sum(axis=1)
    margins[is_rounding(margins, size)] = 0.0
    return np.where(target.has_hit & np.isfinite(size), margins, np.nan)


def margin_bins(margins: NDArray, codes: NDArray, n_classes: int, most: int) -> MarginBins:
    """Histograms of the margins of all classes over the same bins.

    Margins that are equal but for rounding are in one bin and in the order of the samples; those
    that are zero but for rounding are not negative.

    Parameters
    ----------
    margins : ndarray of shape (n_samples,)
        At least one, all finite.
    codes : ndarray of shape (n_samples,)
        Class of each sample as an integer from 0.
    n_classes : int
        Number of classes.
    most : int
        Number of bins at most; otherwise the square root of the number of samples.

    Returns
    -------
    MarginBins

    Examples
    --------
    >>> bins = margin_bins(np.array([-1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1]), 2, 2)
    >>> bins.edges, bins.counts.tolist(), bins.n_negative
    (array([-1.,  0.,  1.]), [[1, 1], [0, 2]], array([1, 0]))
    """
    steps, largest = on_grid(margins), float(np.abs(margins).max())
    low, high = steps.min(), steps.max()
    half = 0.5 / ROUNDING if low == high else 0.0  # a single value gets half of itself on each side
    n_bins = 1 if half else min(most, 1 + isqrt(len(margins)))
    bounds = np.linspace(low - half, high + half, n_bins + 1)
    # Counting whole steps is exact; only the edges that are shown are rounded again.
    counts = [np.histogram(steps[codes == k], bounds)[0] for k in range(n_classes)]
    with np.errstate(over="ignore"):
        edges = bounds * ROUNDING * (largest if largest > TINIEST else 1.0)
    edges = np.nan_to_num(edges)  # infinite ones become the largest numbers
    edges[0], edges[-1] = min(edges[0], margins.min()), max(edges[-1], margins.max())
    n_negative = np.bincount(codes[steps < 0], minlength=n_classes)
    return MarginBins(edges, np.array(counts), n_negative, np.argsort(steps, kind="stable"))


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
    ax.set(xlabel="margin: distance to the nearest miss − to the nearest hit", ylabel="samples")
    if not len(values):
        note(ax, "No sample has a margin.")
        return ax
    classes, codes = np.unique(labels, return_inverse=True)
    bins = margin_bins(values, codes, len(classes), N_BINS)
    edges = drawable(bins.edges)
    for k, (name, counts) in enumerate(zip(classes, bins.counts, strict=True)):
        text = f"{label(name)} ({bins.n_negative[k] / counts.sum():.0%} negative)"
        color = COLORS[k % len(COLORS)]
        ax.stairs(counts, edges, fill=True, alpha=0.35, color=color, label=text)
        ax.stairs(counts, edges, color=color)
    ax.axvline(0, color="black", linewidth=0.8)
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
