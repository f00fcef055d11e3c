"""What becomes of a raw value before it is compared: a shift and a factor for every feature.

And how values differ that are no numbers: missing ones, and those of nominal features.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

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
        half = half_range(lowest, highest)
        return cls(lowest + half, _inverse(half))

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
        if self is UNSCALED:
            return self
        return Scaling(*(None if value is None else value[part] for value in self))

    def steps(self, part: Part) -> tuple[NDArray | None, NDArray | None]:
        """Center and factor of some of the features."""
        center, factor, _, _ = self
        return (
            None if center is None else center[part],
            None if factor is None else factor[part],
        )

    @property
    def of_numbers(self) -> bool:
        """Whether all features are numbers, and none is missing."""
        return self.gap is None and self.cap is None

    @property
    def leaves_values(self) -> bool:
        """Whether values are taken as they are."""
        return self.center is None and self.factor is None

    def rule(self, part: Part) -> "Rule | None":
        """How values of some features differ; None if all of them are numbers."""
        if self.of_numbers:
            return None
        gap, cap = self.at(part)[2:]
        if gap is not None and np.isnan(gap).all():
            gap = None
        if cap is not None and np.isinf(cap).all():
            cap = None
        if gap is None:
            if cap is None:
                return None
            gap = np.full_like(cap, np.nan)
        return Rule(gap, cap)

    def of_scaled(self) -> "Scaling":
        """What is left to do to values that are scaled already."""
        if self.of_numbers:
            return UNSCALED
        return Scaling(gap=self.gap, cap=self.cap)


class Rule(NamedTuple):
    """How values of a few features differ that are missing (gap) or nominal (cap, if any is)."""

    gap: NDArray
    cap: NDArray | None

    def astype(self, dtype: DTypeLike) -> "Rule":
        """The same numbers of another type."""
        return Rule(*(None if v is None else v.astype(dtype, copy=False) for v in self))  # type: ignore[arg-type]

    def weighted(self, weights: NDArray) -> "Rule":
        """The same of features that are multiplied by weights."""
        weights = weights.astype(self.gap.dtype, copy=False)
        return Rule(self.gap * weights, None if self.cap is None else _capped(self.cap, weights))

    @property
    def numbers(self) -> NDArray:
        """The features that are numbers without a missing value."""
        numbers = np.isnan(self.gap)
        return np.flatnonzero(numbers if self.cap is None else numbers & np.isinf(self.cap))

    def farthest(self, A: NDArray) -> float:
        """The largest distance that all features but these numbers may add up to.

        Parameters
        ----------
        A : ndarray of shape (n_samples, n_features)
            The values.
        """
        others = np.setdiff1d(np.arange(A.shape[1]), self.numbers)
        ranges = 2 * np.abs(np.nan_to_num(A[:, others])).max(axis=0)  # shifted to their middle
        if self.cap is not None:
            ranges = np.minimum(ranges, self.cap[others])
        return float(np.maximum(ranges, np.nan_to_num(self.gap[others])).sum(dtype=float))

    def differences(self, A: NDArray, B: NDArray) -> NDArray:
        """How far apart the values of A and B are, element by element."""
        d = np.abs(A - B)
        if self.cap is not None:
            d = np.minimum(d, self.cap)
        return np.where(np.isnan(d), self.gap, d)


UNSCALED = Scaling()


def _capped(cap: NDArray, weights: NDArray) -> NDArray:
    """``cap * weights``, infinite where the cap is, though the weight may be 0."""
    return np.multiply(cap, weights, out=np.full_like(cap, np.inf), where=np.isfinite(cap))


def range_factor(lowest: NDArray, highest: NDArray) -> NDArray:
    """1 over the range of every feature, 0 for a constant."""
    return _inverse(half_range(lowest, highest))


def _inverse(half: NDArray) -> NDArray:
    """1 over twice these numbers, 0 where that is not finite."""
    with np.errstate(divide="ignore", over="ignore"):
        factor = 0.5 / half
    factor[~np.isfinite(factor)] = 0.0
    return factor


def half_range(lowest: NDArray, highest: NDArray) -> NDArray:
    """Half of ``highest - lowest``, which itself may overflow."""
    return highest * 0.5 - lowest * 0.5
