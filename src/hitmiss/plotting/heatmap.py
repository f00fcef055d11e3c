"""Figure of selected features by class and sample."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.columns import columns
from hitmiss.plotting._style import axes_for, label, names_of, note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLIP = 2.5  # standard deviations at which the colors end; of normal values, 1 % lie beyond
NAMED_SAMPLES = 40  # up to which samples are named: the names of more would overlap


class HeatBlocks(NamedTuple):
    """Standardized values by feature and sample, the order of the samples, and the classes."""

    values: NDArray
    samples: NDArray
    classes: NDArray
    edges: NDArray


def heat_blocks(X: ArrayLike, y: ArrayLike, features: ArrayLike) -> HeatBlocks:
    """Standardized features, with the samples ordered by class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    features : array-like of int
        Features to show, such as ``ranking_[:20]``.

    Returns
    -------
    HeatBlocks
        `values` of shape (len(features), n_samples), each row of mean 0 and deviation 1, or zero
        if the feature is constant; `samples`, the order of the samples; `classes`; and `edges`,
        where each class begins and where the last one ends.

    Examples
    --------
    >>> from hitmiss.plotting import heat_blocks
    >>> heat_blocks([[3.0], [1.0], [3.0], [1.0]], [1, 0, 1, 0], [0]).values
    array([[-1., -1.,  1.,  1.]])
    """
    classes, codes, counts = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
    samples = np.argsort(codes, kind="stable")
    values = columns(X, _positions(features))[samples].T
    largest = np.abs(values).max(axis=1, keepdims=True)
    values /= np.where(largest > 0, largest, 1.0)  # so that squares neither overflow nor underflow
    spread = values.std(axis=1, keepdims=True)
    values = (values - values.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    return HeatBlocks(values, samples, classes, np.concatenate([[0], np.cumsum(counts)]))


def plot_heatmap(
    X: ArrayLike,
    y: ArrayLike,
    features: ArrayLike,
    *,
    names: ArrayLike | None = None,
    sample_names: ArrayLike | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw features by sample, with the samples ordered by class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    features : array-like of int
        Features to show, such as ``ranking_[:20]``.
    names, sample_names : array-like of str, default=None
        Names of all features and samples. Without the latter, or for more than 40 samples, the
        samples have no ticks.
    ax : Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes
    """
    values, samples, classes, edges = heat_blocks(X, y, features)
    ax = axes_for(ax, 7.0, 1.4 + 0.2 * max(len(values), 8))
    if not len(values):
        note(ax, "No feature is selected.")
        return ax
    image = ax.imshow(
        values, cmap="RdBu_r", vmin=-CLIP, vmax=CLIP, aspect="auto", interpolation="none"
    )
    ax.set_yticks(np.arange(len(values)), names_of(_positions(features), names))
    for edge in edges[1:-1]:
        ax.axvline(edge - 0.5, color="black", linewidth=1.2)
    upper = ax.secondary_xaxis("top")
    upper.set_xticks((edges[1:] + edges[:-1] - 1) / 2, [label(c, 16) for c in classes])
    upper.tick_params(length=0)
    if sample_names is not None and len(samples) <= NAMED_SAMPLES:
        ax.set_xticks(np.arange(len(samples)), names_of(samples, sample_names), rotation=90)
    else:
        ax.set(xticks=[], xlabel=f"{len(samples):,} samples")
    ax.figure.colorbar(image, ax=ax, label="standard deviations\nfrom the mean", extend="both")
    return ax


def _positions(features: ArrayLike) -> NDArray:
    """The features as positions of columns, or an error for names and masks."""
    index = np.asarray(features)
    if index.size and index.dtype.kind not in "iu":
        raise TypeError(
            "features must be positions of columns, such as ranking_[:20] or "
            f"X.columns.get_indexer(names); got {index.flat[0].item()!r}."
        )
    return index.astype(int)
