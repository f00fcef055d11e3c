"""Conversion of values to JSON values."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.text import clean

LONGEST = 1e15  # whole numbers below are written as such; beyond, the exponent is shorter


def plain(value: Any) -> Any:
    """`value` in lists, dicts, strings and numbers only; numbers that are not finite become None.

    Parameters
    ----------
    value : object
        Any value; one of a type that JSON does not have becomes its printable text.

    Returns
    -------
    object

    Examples
    --------
    >>> plain({"a": np.float32(0.5), 1: (np.nan, np.bool_(True))})
    {'a': 0.5, '1': [None, True]}
    """
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else None
    if isinstance(value, str):
        return clean(value)
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {clean(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    return clean(value)


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a named tuple, or of a mapping, by name."""
    return dict(value._asdict() if hasattr(value, "_asdict") else value)


def rounded(values: Any, digits: int) -> list[float | None]:
    """Numbers rounded to significant digits, in the shortest form that JSON has.

    Parameters
    ----------
    values : iterable of float
        The numbers.
    digits : int
        Significant digits.

    Returns
    -------
    list of float or int or None
        Whole numbers as int; numbers that are not finite as None.

    Examples
    --------
    >>> rounded([0.123456, 2.0, float("inf")], 3)
    [0.123, 2, None]
    """
    return [_rounded(float(value), digits) for value in values]


def rounded_within(values: Any, among: NDArray, digits: int = 4) -> list[float | None]:
    """Numbers rounded to significant digits of themselves and of the range they come from.

    Numbers far from 0 differ in their last digits only: those get as many more. Whole ones stay.

    Parameters
    ----------
    values : iterable of float
        The numbers.
    among : ndarray
        All numbers, finite, whose range counts.
    digits : int, default=4
        Significant digits of a difference as large as the range.

    Returns
    -------
    list of float or int or None
        As by `rounded`.

    Examples
    --------
    >>> rounded_within([20230.12346, 20230.9, 10364.0], np.array([20230.1, 20230.9]))
    [20230.1235, 20230.9, 10364]
    """
    extent = float(among.max()) - float(among.min())  # infinite, if so, without a warning
    return [_rounded(float(v), digits + _more(float(v), extent)) for v in values]


def number_text(value: float) -> str:
    """A number with all of its digits.

    Examples
    --------
    >>> [number_text(v) for v in (0.25, 20240364, 1234.5678, 1.5e-05, 1e300)]
    ['0.25', '20,240,364', '1,234.5678', '1.5e-5', '1e300']
    """
    mantissa, _, exponent = f"{value:,}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _more(value: float, extent: float) -> int:
    """Digits by which a number is longer than the range it comes from; all of a whole one."""
    if value.is_integer() and abs(value) < LONGEST:
        return 17
    if not (0 < extent < math.inf and 0 < abs(value) < math.inf):
        return 0
    return max(0, math.floor(math.log10(abs(value))) - math.floor(math.log10(extent)))


def _rounded(value: float, digits: int) -> float | None:
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    if short.is_integer() and abs(short) < LONGEST:
        return int(short)
    return short if math.isfinite(short) else value  # the largest numbers may round to infinity
