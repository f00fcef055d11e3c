"""Scaling: what a raw value becomes before it is compared, and how far two values are apart.

Numbers are shifted and multiplied. Two values of a nominal feature differ by 1 if they are not the
same: half the Manhattan distance of indicator columns, one for each level. Here such a feature
stays one column: its levels are whole numbers, multiplied by two, and no difference is larger than
1. So it takes the room and the time of one number, however many its levels. A missing value is at
the mean difference from any other.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.data.sizes import FEW_VALUES

if TYPE_CHECKING:
    from hitmiss.data.features import Features

Part = slice | NDArray  # some features


class Scaling(NamedTuple):
    """Each feature as ``(x - center) * factor``; None leaves that step out.

    Shifting changes no difference, but keeps large values apart in single precision. `gap` is the
    difference of a missing value from any other, NaN for a feature without missing values; `cap` is
    the largest difference there is, infinite for numbers. None: no feature has any.
    """

    center: NDArray | None = None
    factor: NDArray | None = None
    gap: NDArray | None = None
    cap: NDArray | None = None

    @classmethod
    def by_range(cls, lowest: NDArray, highest: NDArray) -> "Scaling":
        """Every feature shifted to its middle and divided by its range; a constant becomes 0.

        Parameters
        ----------
        lowest, highest : ndarray of shape (n_features,)
            Smallest and largest value of every feature.

        Examples
        --------
        >>> Scaling.by_range(np.array([1.0, 5.0]), np.array([3.0, 5.0])).factor
        array([0.5, 0. ])
        """
        return cls(lowest + half_range(lowest, highest), range_factor(lowest, highest))

    @classmethod
    def centered(cls, lowest: NDArray, highest: NDArray) -> "Scaling":
        """Every feature shifted to its middle.

        Parameters
        ----------
        lowest, highest : ndarray of shape (n_features,)
            Smallest and largest value of every feature.
        """
        return cls(lowest + half_range(lowest, highest), None)

    def at(self, part: Part) -> "Scaling":
        """The scaling of some of the features."""
        center, factor, gap, cap = self
        return Scaling(
            None if center is None else center[part],
            None if factor is None else factor[part],
            None if gap is None else gap[part],
            None if cap is None else cap[part],
        )

    @property
    def leaves_values(self) -> bool:
        """Whether values are taken as they are."""
        return self.center is None and self.factor is None

    def rule(self, part: Part) -> "Rule":
        """Differences of missing and nominal values of some features."""
        gap = None if self.gap is None else self.gap[part]
        cap = None if self.cap is None else self.cap[part]
        if gap is not None and np.isnan(gap).all():
            gap = None
        if cap is not None and np.isinf(cap).all():
            cap = None
        if gap is None and cap is not None:
            gap = np.full_like(cap, np.nan)
        return Rule(gap, cap)

    def of_scaled(self) -> "Scaling":
        """The part of the scaling that is left to do to values that are scaled already."""
        return Scaling(gap=self.gap, cap=self.cap)


class Rule(NamedTuple):
    """Differences of the values of a few features that are missing (gap) or nominal (cap).

    The gap is None if all values are numbers, the cap if none is nominal: as kernels take them.
    """

    gap: NDArray | None = None
    cap: NDArray | None = None

    def astype(self, dtype: DTypeLike) -> "Rule":
        """The same numbers of another type."""
        gap, cap = self
        return Rule(
            None if gap is None else gap.astype(dtype, copy=False),
            None if cap is None else cap.astype(dtype, copy=False),
        )

    def weighted(self, weights: NDArray) -> "Rule":
        """The same of features that are multiplied by weights."""
        if self.gap is None:
            return self
        weights, cap = weights.astype(self.gap.dtype, copy=False), self.cap
        if cap is not None:  # infinite where the cap is, though the weight may be 0
            cap = np.multiply(cap, weights, out=np.full_like(cap, np.inf), where=np.isfinite(cap))
        return Rule(self.gap * weights, cap)

    @property
    def numbers(self) -> slice | NDArray:
        """The features that are numbers without a missing value."""
        if self.gap is None:
            return slice(None)
        numbers = np.isnan(self.gap)
        return np.flatnonzero(numbers if self.cap is None else numbers & np.isinf(self.cap))

    def farthest(self, A: NDArray) -> float:
        """The largest distance that all features but these numbers may add up to.

        Parameters
        ----------
        A : ndarray of shape (n_samples, n_features)
            The values.
        """
        if self.gap is None:
            return 0.0
        others = np.delete(np.arange(A.shape[1]), self.numbers)
        ranges = 2 * np.abs(np.nan_to_num(A[:, others])).max(axis=0)  # shifted to their middle
        if self.cap is not None:
            ranges = np.minimum(ranges, self.cap[others])
        return float(np.maximum(ranges, np.nan_to_num(self.gap[others])).sum(dtype=float))

    def differences(self, A: NDArray, B: NDArray) -> NDArray:
        """Differences of the values of A and B, element by element."""
        d = np.abs(A - B)
        if self.cap is not None:
            d = np.minimum(d, self.cap)
        return d if self.gap is None else np.where(np.isnan(d), self.gap, d)


# Sum of a row of pair weights, as a share of their absolute values, that is a zero blurred by
# rounding in single precision and by neighbors left out: it is 0 or 1 but for these.
BALANCED = 1e-6


def balance_of(Q: NDArray, scaling: Scaling) -> NDArray | None:
    """``sum_i Q_ni`` of every row n, exactly 0 where only rounding keeps it from that.

    Parameters
    ----------
    Q : ndarray
        Weights of the pairs.
    scaling : Scaling
        Of the data; without missing or nominal values the balance is not needed: None.

    Examples
    --------
    >>> balance_of(np.array([[0.1, 0.2, -0.3], [0.5, 0.0, 0.5]]), Scaling(gap=np.ones(1)))
    array([0., 1.])
    """
    if scaling.gap is None and scaling.cap is None:
        return None
    balance = Q.sum(axis=1, dtype=float)
    rounding = BALANCED * np.abs(Q).sum(axis=1, dtype=float)
    return np.where(np.abs(balance) <= rounding, 0.0, balance).astype(Q.dtype)


UNSCALED = Scaling()
NUMBERS = Rule()  # of values that are all numbers


def range_factor(lowest: NDArray, highest: NDArray) -> NDArray:
    """1 over the range of every feature, 0 for a constant, or where that is not finite."""
    with np.errstate(divide="ignore", over="ignore"):
        factor = 0.5 / half_range(lowest, highest)
    factor[~np.isfinite(factor)] = 0.0
    return factor


def half_range(lowest: NDArray, highest: NDArray) -> NDArray:
    """Half of ``highest - lowest``, which itself may overflow."""
    return highest * 0.5 - lowest * 0.5


class Extremes(NamedTuple):
    """Of every feature: the lowest and highest raw value, and how many are missing.

    `mean_difference` is that of all pairs of observed values as a share of the range, NaN for a
    feature without missing values. Of a feature that is missing everywhere all numbers are 0.
    """

    lowest: NDArray
    highest: NDArray
    n_missing: NDArray
    mean_difference: NDArray

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
    size = max(1, FEW_VALUES // max(1, len(X)))
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


APART = 2.0  # what whole numbers are multiplied by: levels stay apart by more than 1, if rounded


def column_scaling(found: Extremes, *, by_range: bool) -> Scaling:
    """The scaling of numbers with these extremes, some of them missing or not.

    Parameters
    ----------
    found : Extremes
        Of the raw values.
    by_range : bool
        Whether features are divided by their range.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [4.0, np.nan], [2.0, 5.0]])
    >>> column_scaling(extremes_of(X), by_range=False).gap
    array([nan,  4.])
    """
    ends = found.lowest, found.highest
    scaling = Scaling.by_range(*ends) if by_range else Scaling.centered(*ends)
    if not found.n_missing.any():
        return scaling
    width = 1.0 if by_range else 2 * half_range(*ends).astype(float)
    return scaling._replace(gap=found.mean_difference * width)


def nominal_scaling(
    features: "Features", found: Extremes, scaling: Scaling, index: NDArray, names: NDArray | None
) -> Scaling:
    """The scaling with some features taken as nominal.

    Two levels next to each other are numbers already: their difference is at most 1.

    Parameters
    ----------
    features : Features
        The raw values.
    found : Extremes
        Of these.
    scaling : Scaling
        Of numbers.
    index : ndarray of int
        The nominal features, ascending; they hold whole numbers.
    names : ndarray of str, optional
        Names of the features, for errors.
    """
    factor = (
        np.ones(len(found.lowest), features.dtype) if scaling.factor is None else scaling.factor
    )
    factor, cap = factor.copy(), np.full(len(factor), np.inf)
    gap = np.full(len(factor), np.nan) if scaling.gap is None else scaling.gap.copy()
    several = index[2 * half_range(found.lowest[index], found.highest[index]) > 1]
    factor[several], cap[several] = APART, 1.0
    size = max(1, FEW_VALUES // features.n_samples)
    for k in range(0, len(index), size):
        some = index[k : k + size]
        levels = features.columns(some, float).X
        _check_whole(levels, some, names)
        holes = np.flatnonzero(found.n_missing[some])
        gap[some[holes]] = [share_unlike(levels[:, k]) for k in holes]
    return Scaling(
        scaling.center,
        factor,
        gap if found.n_missing.any() else None,
        cap if len(several) else None,
    )


def share_unlike(levels: NDArray) -> float:
    """The share of all pairs of observed levels that are not the same, 0 without a pair.

    Parameters
    ----------
    levels : ndarray of shape (n_samples,)
        Codes, NaN where they are missing.

    Examples
    --------
    >>> share_unlike(np.array([0.0, 0.0, 1.0, 2.0, np.nan])) * 6
    5.0
    """
    counts = np.unique(levels[~np.isnan(levels)], return_counts=True)[1].astype(float)
    n = counts.sum()
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1))) if n > 1 else 0.0


def _check_whole(levels: NDArray, index: NDArray, names: NDArray | None) -> None:
    broken = np.rint(levels) != levels  # so is NaN, which is missing
    if not broken.any() or not (broken := broken & ~np.isnan(levels)).any():
        return
    k = int(broken.any(axis=0).argmax())
    feature = f"feature {index[k]}" if names is None else f"feature {names[index[k]]!r}"
    raise ValueError(
        f"The nominal {feature} holds {levels[broken[:, k], k][0]:g}; give its levels as whole "
        "numbers or as words."
    )
