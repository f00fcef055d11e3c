"""Tests for values that are equal up to rounding, or too large or too small to draw.

Sums that are equal on paper differ in their last bits, and these depend on the CPU. What a figure
decides, such as the bin of a value or whether a feature varies at all, must not depend on them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Share of the largest value below which a difference is rounding: far above what errors of 1e-16
# add up to, far below what a figure shows. A power of two, so that halves and quarters of the
# largest value lie on the grid of such steps, and not just between two of its points.
ROUNDING = 2.0**-30
# Values up to here are zero: near 2e-308, the smallest normal number, steps and shares lose digits.
TINIEST = 1e-300
LARGEST_DRAWN = 1e300  # largest value drawn: the difference of larger ones may overflow


def on_grid(values: ArrayLike, axis: int | None = None) -> NDArray:
    """Values in whole steps of 2^-30 of the largest in size, the same if equal but for rounding.

    Parameters
    ----------
    values : array-like
        Numbers; NaN stays NaN.
    axis : int, default=None
        Along which the largest is found; None finds it among all.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> on_grid([0.1 + 0.2, 0.3, -1e-17]) / 2**30
    array([1., 1., 0.])
    """
    known = np.asarray(values, float)
    return np.rint(in_largest(known, axis) / ROUNDING) + 0.0  # no -0.0


def in_largest(values: NDArray, axis: int | None = None) -> NDArray:
    """Values over the largest in size, which is not NaN; 0 where that is 0 or nearly so."""
    largest = np.fmax.reduce(np.abs(values), axis=axis, keepdims=True, initial=0.0)
    return values / np.where(largest > TINIEST, largest, np.inf)


def is_constant(values: NDArray, axis: int | None = None) -> NDArray:
    """Whether all values but NaN are equal up to rounding.

    Examples
    --------
    >>> is_constant(np.array([[0.3, 1.0], [0.1 + 0.2, 2.0]]), axis=0)
    array([ True, False])
    """
    shares = in_largest(values, axis)
    return np.fmax.reduce(shares, axis=axis) - np.fmin.reduce(shares, axis=axis) <= ROUNDING


def is_rounding(values: ArrayLike, size: ArrayLike) -> NDArray:
    """Whether values are 0 up to rounding, as sums of terms of that size.

    Examples
    --------
    >>> is_rounding([0.1 + 0.2 - 0.3, 1e-3], 0.3)
    array([ True, False])
    """
    return np.abs(values) <= np.maximum(ROUNDING * np.abs(size), TINIEST)


def drawable(values: ArrayLike) -> NDArray:
    """Clip values so that differences neither overflow nor lose digits; NaN if not finite.

    Examples
    --------
    >>> drawable([5e-324, 2.0, -1e308, np.inf])
    array([ 0.e+000,  2.e+000, -1.e+300,      nan])
    """
    given = np.asarray(values, float)
    near = np.where(np.abs(given) <= TINIEST, 0.0, np.clip(given, -LARGEST_DRAWN, LARGEST_DRAWN))
    return np.where(np.isfinite(given), near, np.nan)
