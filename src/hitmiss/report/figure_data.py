"""The numbers that the figures of a report show."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.alignment import columns
from hitmiss._util.text import clean
from hitmiss.plotting import (
    alpha_steps,
    convergence_lines,
    heat_blocks,
    marker_dots,
    most_selected,
    sample_margins,
    substitute_bars,
    synergy_cells,
)
from hitmiss.plotting._rounding import LARGEST_DRAWN, is_rounding
from hitmiss.plotting.heatmap import CLIP
from hitmiss.plotting.margins import margin_bins
from hitmiss.report.charts import N_COLORS
from hitmiss.report.fitted import Fitted, Names
from hitmiss.report.json_values import plain, rounded, rounded_within

N_DOTTED = 60  # rows of the dot plot of markers, over all classes: about two screens
MOST_LISTED = 30  # markers of a class that are named: a few lines
N_BARS = 25  # bars, and rows of the heat map: what a screen shows without scrolling
FEWEST_RANKED = 10  # weights below which their curve shows no more than the bars
N_RANKED = 300  # points of the curve of all weights, about one per pixel
MOST_SAMPLES = 200  # columns of the heat map, about one per pixel
MOST_POINTS = 600  # of a scatter plot: more would cover each other
MOST_PAIRED = 2000  # samples for margins, which need all pairs: a matrix of 32 MB
N_BINS = 30  # of a histogram, at most: each about 12 pixels wide
N_CELLS = 10  # rows and columns of a matrix: as many as have room for numbers on a telephone
N_REPLACED = 8  # features whose substitutes are shown, of each so many:
N_SUBSTITUTES = 3  # together about what a screen shows
N_CLOSE = 5  # samples of smallest margin that are named: few enough to check by hand


def figure_data(
    estimator: Any, fitted: Fitted, data: tuple[Any, NDArray], names: Names
) -> dict[str, Any]:
    """Data of the figures that a fit to any target has; None for figures that do not apply.

    Parameters
    ----------
    estimator : object
        The fitted selector.
    fitted : Fitted
        Its weights, ranking and selection.
    data : tuple of (X, codes)
        Samples, and the class of each as an integer from 0, or another group.
    names : Names
        Names of features, samples and classes.

    Returns
    -------
    dict
        Data by the name of the figure.
    """
    return {
        "markers": _markers(estimator, data, names),
        "largest": _largest(fitted, names.features),
        "ranked": _ranked(fitted),
        "pair": _pair(fitted, data, names),
        "heat": _heat(fitted, data, names),
        "convergence": _convergence(getattr(estimator, "history_", [])),
        "alpha": _alpha(getattr(estimator, "alpha_path_", None)),
    }


def frequency_data(frequency: NDArray | None, names: list[str]) -> dict[str, Any] | None:
    """Selection frequency of the features that were selected most often.

    Parameters
    ----------
    frequency : ndarray of shape (n_features,) or None
        Share of the subsamples that select each feature.
    names : list of str
        Names of the features.

    Returns
    -------
    dict or None
        `names` and `values`.
    """
    if frequency is None:
        return None
    features, shares = most_selected(frequency, N_BARS)
    return {"names": [clean(names[j]) for j in features], "values": rounded(shares, 4)}


def error_data(comparison: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Error curves by method, for the rows of a comparison that have one.

    Parameters
    ----------
    comparison : iterable of dict
        A row per method.

    Returns
    -------
    dict
        For each method `n_features` and `errors`.
    """
    curves = {clean(row.get("method", "")): plain(row.get("curve")) for row in comparison}
    return {method: curve for method, curve in curves.items() if curve and curve["n_features"]}


def explanation_data(
    explanation: Mapping[str, Any] | None, names: list[str]
) -> dict[str, dict[str, Any] | None]:
    """Features that interact, and features that are interchangeable.

    Parameters
    ----------
    explanation : mapping or None
        "synergy" and "substitutes", as from the functions of these names in `hitmiss.metrics`;
        either may be absent.
    names : list of str
        Names of all features.

    Returns
    -------
    dict
        Data of the figures "synergy" and "substitutes"; None for one that is absent.
    """
    known = explanation or {}
    return {
        "synergy": _synergy(known.get("synergy"), names),
        "substitutes": _substitutes(known.get("substitutes"), names),
    }


def _synergy(found: Any, names: list[str]) -> dict[str, Any] | None:
    if found is None or len(found.features) < 2:
        return None
    cells = synergy_cells(found, N_CELLS)
    return {
        "names": [clean(names[j]) for j in cells.features],
        "colors": [rounded(row, 2) for row in cells.colors],
        "texts": cells.texts,
        "n_features": len(found.features),
        "total": plain(round(found.null_objective, 1)),
    }


def _substitutes(found: Any, names: list[str]) -> dict[str, Any] | None:
    if found is None:
        return None
    bars = substitute_bars(found, N_REPLACED, N_SUBSTITUTES)
    return {
        "features": [clean(names[bar.feature]) for bar in bars],
        "substitutes": [
            None if bar.substitute is None else clean(names[bar.substitute]) for bar in bars
        ],
        "rises": rounded((bar.rise for bar in bars), 4),
        "n_features": len(found.features),
    }


def _markers(estimator: Any, data: tuple[Any, NDArray], names: Names) -> dict[str, Any] | None:
    """The best markers of each class, as many of each as a page has room for."""
    if not hasattr(estimator, "class_support_"):
        return None
    found = [index.tolist() for index in estimator.markers().values()]
    n = max(1, N_DOTTED // len(found))
    dots = marker_dots(*data, dict(enumerate(found)), n)
    if not len(dots.features):
        return None
    return {
        "names": [clean(names.features[j]) for j in dots.features],
        "marked": dots.marked.tolist(),
        "classes": names.classes,
        "shares": [rounded(row, 3) for row in dots.shares],
        "means": [rounded(row, 3) for row in dots.means],
        "n_features": sum(map(len, found)),
        "lists": [[clean(names.features[j]) for j in index[:MOST_LISTED]] for index in found],
        "n_listed": [len(index) for index in found],
    }


def _largest(fitted: Fitted, names: list[str]) -> dict[str, Any] | None:
    top = fitted.ranking[:N_BARS]
    top = top[fitted.weights[top] > 0]
    if not len(top):
        return None
    return {
        "names": [clean(names[j]) for j in top],
        "values": rounded(fitted.weights[top], 6),
        "selected": fitted.support[top].tolist(),
    }


def _ranked(fitted: Fitted) -> dict[str, Any] | None:
    """Positive weights in descending order, thinned out where they are many."""
    ordered = np.sort(fitted.weights[fitted.weights > 0])[::-1]
    if len(ordered) < FEWEST_RANKED:
        return None
    ranks = np.unique(np.geomspace(1, len(ordered), N_RANKED).round().astype(int))
    return {
        "ranks": ranks.tolist(),
        "weights": rounded(ordered[ranks - 1], 4),
        "n_selected": int(fitted.support.sum()),
    }


def _pair(fitted: Fitted, data: tuple[Any, NDArray], names: Names) -> dict[str, Any] | None:
    """The two best selected features over samples taken evenly from all classes."""
    features = fitted.selected[:2]
    if len(features) < 2 or len(names.classes) > N_COLORS:
        return None
    X, codes = data
    order = np.argsort(codes, kind="stable")
    kept = order[evenly(len(codes), MOST_POINTS)]
    values = columns(X, features)
    kept = kept[~np.isnan(values[kept]).any(axis=1)]
    if not len(kept):
        return None
    values = values[kept].T
    if np.abs(values).max() > LARGEST_DRAWN:
        return None
    return {
        "names": [clean(names.features[j]) for j in features],
        "classes": names.classes,
        "by": names.by,
        "codes": codes[kept].tolist(),
        "values": [rounded_within(row, row) for row in values],
        "n_samples": len(codes),
    }


def _heat(fitted: Fitted, data: tuple[Any, NDArray], names: Names) -> dict[str, Any] | None:
    """The selected features, standardized, over samples taken evenly from all classes."""
    features = fitted.selected[:N_BARS]
    if not len(features):
        return None
    blocks = heat_blocks(*data, features)
    n = len(blocks.samples)
    kept = _evenly_from_all(blocks.edges, MOST_SAMPLES)
    values = np.clip(blocks.values[:, kept] / CLIP, -1, 1)
    return {
        "names": [clean(names.features[j]) for j in features],
        "classes": names.classes,
        "by": names.by,
        "edges": np.searchsorted(kept, blocks.edges).tolist(),
        "values": values.round(2).tolist(),
        "samples": [clean(names.samples[i]) for i in blocks.samples[kept]],
        "n_samples": n,
    }


def evenly(n: int, most: int) -> NDArray:
    """At most `most` of the indices below n, evenly spaced."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(int)


def _evenly_from_all(edges: NDArray, most: int) -> NDArray:
    """At most `most` evenly spaced indices, and the first of each block that has none of them."""
    kept = evenly(int(edges[-1]), most)
    empty = np.diff(np.searchsorted(kept, edges)) == 0
    return np.union1d(kept, edges[:-1][empty])


def margin_data(
    estimator: Any, fitted: Fitted, data: tuple[Any, NDArray], names: Names
) -> dict[str, Any] | None:
    """Margins under the learned distance, for the methods that learn one.

    Parameters
    ----------
    estimator : object
        The fitted selector.
    fitted : Fitted
        Its weights, ranking and selection.
    data : tuple of (X, codes)
        Samples, and the class of each as an integer from 0.
    names : Names
        Names of features, samples and classes.

    Returns
    -------
    dict or None
        Histograms of the margins by class, and the samples of smallest margin; None as well if no
        sample has a margin.
    """
    X, codes = data
    sigma = getattr(estimator, "sigma_", None)
    if sigma is None or len(codes) > MOST_PAIRED or not fitted.weights.any():
        return None
    nominal = np.array(sorted(getattr(estimator, "categories_", {})), int)
    margins = sample_margins(
        X, codes, fitted.weights, sigma=sigma, scale=estimator.scale, nominal=nominal
    )
    known = np.flatnonzero(np.isfinite(margins))
    if not len(known):
        return None
    margins[is_rounding(margins, np.abs(margins[known]).max())] = 0.0  # none is just below zero
    bins = margin_bins(margins[known], codes[known], len(names.classes), N_BINS)
    close = known[bins.order[:N_CLOSE]]
    return {
        "edges": _rounded_outward(bins.edges),
        "counts": [
            {"label": name, "n": counts}
            for name, counts in zip(names.classes, bins.counts.tolist(), strict=True)
        ],
        "n_negative": int(bins.n_negative.sum()),
        "closest": [
            {
                "sample": clean(names.samples[n]),
                "label": names.classes[codes[n]],
                "margin": plain(margins[n]),
            }
            for n in close
        ],
    }


def _rounded_outward(edges: NDArray) -> list[float]:
    """Edges in as many digits as keep them apart, where rounding moves no end inward."""
    short: list[Any] = rounded_within(edges, edges)
    return [min(short[0], float(edges[0])), *short[1:-1], max(short[-1], float(edges[-1]))]


def _convergence(history: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    found = convergence_lines(history)
    if not found.lines:
        return None
    lines = {start: rounded(line, 6) for start, line in found.lines.items()}
    return {"value": found.value, "log": bool(found.log), "lines": lines}


def _alpha(path: Any) -> dict[str, Any] | None:
    if path is None or not len(path):
        return None
    found = alpha_steps(path)
    return {"steps": found.steps.tolist(), "alphas": rounded(found.alphas, 4)}
