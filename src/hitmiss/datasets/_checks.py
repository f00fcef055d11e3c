"""Checks of what the user passes to a dataset function, each failing with one sentence."""

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def check_count(value: Any, name: str, minimum: int, maximum: int | None = None) -> None:
    """Raise unless `value` is an integer of at least `minimum` and at most `maximum`."""
    bounds = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    message = f"{name} must be an integer {bounds}; got {value!r}."
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(message)
    if int(value) < minimum or (maximum is not None and int(value) > maximum):
        raise ValueError(message)


def check_noise(value: Any) -> None:
    """Raise unless `value` can be a standard deviation."""
    message = f"noise must be a finite number of at least 0; got {value!r}."
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(message)
    if not 0 <= float(value) < math.inf:  # false for NaN, too
        raise ValueError(message)


def float_dtype(dtype: DTypeLike) -> np.dtype:
    """`dtype` as a NumPy dtype, which must be float32 or float64."""
    try:
        result = np.dtype(dtype)
    except TypeError:
        result = None
    if result not in (np.float32, np.float64):
        raise ValueError(f"dtype must be float32 or float64; got {dtype!r}.")
    return result
