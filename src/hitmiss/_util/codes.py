"""Integers for what is given of every sample: groups, strata, labels."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def distinct_codes(name: str, values: ArrayLike, n_samples: int | None = None) -> NDArray:
    """Integers from 0 for the distinct values, in ascending order of these.

    Parameters
    ----------
    name : str
        What the values are called, for errors.
    values : array-like of shape (n_samples,)
        Of any type; none may be missing.
    n_samples : int, optional
        How many there must be.

    Examples
    --------
    >>> distinct_codes("groups", ["b", "a", "b"])
    array([1, 0, 1])
    """
    # NumPy would make text of a missing value in a list of texts.
    array = np.asarray(values, None if hasattr(values, "dtype") else object)
    if n_samples is not None:
        check_length(name, array, n_samples)
    if array.ndim != 1:
        raise ValueError(f"{name} must hold one value for each sample; its shape is {array.shape}.")
    missing = _missing(array)
    if missing.any():
        raise ValueError(
            f"{name} holds no value in row {int(missing.argmax())}; leave such samples out, or "
            "give them a value of their own."
        )
    try:
        return np.unique(array, return_inverse=True)[1]
    except TypeError:  # values of several types have no order
        return np.unique(array.astype(str), return_inverse=True)[1]


def check_length(name: str, array: NDArray, n_samples: int) -> None:
    """An error if there are more or fewer values than samples."""
    if array.ndim == 0 or len(array) != n_samples:
        n = 1 if array.ndim == 0 else len(array)
        raise ValueError(
            f"{name} has {n} {'value' if n == 1 else 'values'} for {n_samples} samples; give one "
            "for each, in the order of the rows of X."
        )


def _missing(array: NDArray) -> NDArray:
    if array.dtype.kind == "f":
        return np.isnan(array)
    if array.dtype.kind != "O":
        return np.zeros(len(array), bool)
    return np.array([_is_missing(value) for value in array], bool)


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)
