"""Conversion of values to JSON values."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from hitmiss._util.text import clean


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


def _rounded(value: float, digits: int) -> float | None:
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    if short.is_integer() and abs(short) < 1e15:  # beyond, the exponent is shorter
        return int(short)
    return short if math.isfinite(short) else value  # the largest numbers may round to infinity
