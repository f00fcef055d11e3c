"""What a look at every raw value tells of a feature: its extremes, and what is missing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.data import sizes
from hitmiss.data.scaling import half_range


class Extremes(NamedTuple):
    """Of every feature: the lowest and highest raw value, and how many are missing.

    `mean_difference` is that of all pairs of observed values as a share of the range, NaN for a
    feature without missing values. Of a feature that is missing everywhere all numbers are 0.
    """

    lowest: NDArray
    highest: NDArray
    n_missing: NDArray
    mean_difference: NDArray

    def astype(self, dtype: DTypeLike) -> "Extremes":
        """The same with values of another type."""
        lowest, highest = (value.astype(dtype, copy=False) for value in self[:2])
        return self._replace(lowest=lowest, highest=highest)

    def at(self, index: NDArray) -> "Extremes":
        """Those of some of the features."""
        return Extremes(*(value[index] for value in self))


def joined_extremes(parts: list[Extremes]) -> Extremes:
    """Those of features side by side."""
    return Extremes(*map(np.concatenate, zip(*parts, strict=True)))


def extremes_of(X: NDArray) -> Extremes:
    """The extremes of an array, NaN being what is missing.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Raw values.

    Examples
    --------
    Observed are 0, 1 and 4, which differ by 8/3 on average, two thirds of their range:

    >>> found = extremes_of(np.array([[4.0, 1.0], [np.nan, 2.0], [0.0, 3.0], [1.0, 4.0]]))
    >>> found.highest, found.n_missing, found.mean_difference.round(3)
    (array([4., 4.]), array([1, 0]), array([0.667,   nan]))
    """
    lowest, highest = X.min(axis=0), X.max(axis=0)
    n_missing, difference = np.zeros(X.shape[1], np.intp), np.full(X.shape[1], np.nan)
    holes = np.flatnonzero(np.isnan(lowest)) if X.dtype.kind == "f" else ()
    size = max(1, sizes.FEW_VALUES // max(1, len(X)))
    for k in range(0, len(holes), size):
        some = holes[k : k + size]
        values = np.sort(X[:, some].astype(float), axis=0)  # NaN last
        n = np.count_nonzero(~np.isnan(values), axis=0)
        n_missing[some] = len(X) - n
        lowest[some] = np.where(n > 0, values[0], 0.0)
        highest[some] = np.where(n > 0, values[n - 1, np.arange(len(some))], 0.0)
        difference[some] = _mean_difference(values, n)
    return Extremes(lowest, highest, n_missing, difference)


def mean_differences(X: NDArray) -> NDArray:
    """Mean of ``|a - b|`` over all pairs of observed values of every feature, 0 without a pair.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Values, NaN where they are missing.

    Examples
    --------
    >>> mean_differences(np.array([[4.0, 1.0], [np.nan, 2.0], [0.0, np.nan], [1.0, np.nan]])) * 3
    array([8., 3.])
    """
    values = np.sort(np.asarray(X, float), axis=0)
    n = np.count_nonzero(~np.isnan(values), axis=0)
    last = values[np.maximum(n, 1) - 1, np.arange(values.shape[1])]
    return 2 * np.nan_to_num(half_range(values[0], last)) * _mean_difference(values, n)


def _mean_difference(values: NDArray, n: NDArray) -> NDArray:
    """The mean difference of the first n values of every column, ascending, over their range."""
    if not values.size:
        return np.zeros(values.shape[1])
    half = half_range(values[0], values[n - 1, np.arange(len(n))])
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (values * 0.5 - values[0] * 0.5) / half
        times = 2.0 * np.arange(len(values))[:, None] - n + 1  # as the larger, less as the smaller
        total = np.nan_to_num(times * share, posinf=0.0, neginf=0.0).sum(axis=0)
    return np.where(half > 0, 2 * total / np.maximum(n * (n - 1.0), 1.0), 0.0)
