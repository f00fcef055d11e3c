"""Decisions between numbers that are equal but for rounding.

Another CPU or another BLAS gives another last bit. Where two numbers are equal in exact arithmetic,
as those of mirrored features or of relabeled samples are, a plain comparison would decide by that
bit. What differs by less than `SAME` counts as equal here, and the first of equal ones wins.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Relative difference up to which results count as equal: weights agree to this across machines.
SAME = 1e-6
ZERO = 1e-12  # of the largest: what rounding may leave of a number that is zero
BITS = 20  # of a mantissa that differences of this size leave: 2**-20 is 9.5e-7


def comparable(values: ArrayLike) -> NDArray:
    """The numbers without the digits in which machines may differ, for sorting.

    Examples
    --------
    >>> comparable([0.1 + 0.2, -2.0]) == comparable([0.3, -2.0])
    array([ True,  True])
    """
    mantissa, exponent = np.frexp(np.asarray(values, float))
    return np.ldexp(np.rint(np.ldexp(mantissa, BITS)), exponent - BITS)


def first_smallest(values: ArrayLike, axis: int = -1, *, same: float = SAME) -> NDArray:
    """Index of the first of the smallest numbers.

    Examples
    --------
    >>> int(first_smallest([0.5, 0.1 + 0.2, 0.3]))
    1
    """
    found = np.asarray(values, float)
    least = found.min(axis=axis, keepdims=True)
    return (found <= least + same * np.abs(least)).argmax(axis=axis)


def at_least(values: ArrayLike, limit: ArrayLike) -> NDArray:
    """Whether numbers reach a limit.

    Examples
    --------
    >>> at_least([0.1 + 0.2, 0.3, 0.2], 0.1 + 0.2)
    array([ True,  True, False])
    """
    limit = np.asarray(limit, float)
    return np.asarray(values, float) >= below(limit)


def below(limit: ArrayLike) -> NDArray:
    """The limit, lowered by what counts as equal."""
    found = np.asarray(limit, float)
    return found - SAME * np.abs(np.where(np.isfinite(found), found, 0.0))
