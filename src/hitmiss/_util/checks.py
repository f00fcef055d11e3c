"""Checks of parameters, each failing with one sentence that names the parameter."""

import re
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

LARGEST_FLOAT = float(np.finfo(float).max)  # infinity is above it


def check_count(name: str, value: Any, smallest: int = 1, largest: int | None = None) -> int:
    """`value` as an int, or an error that says which whole numbers are allowed.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        Its value.
    smallest : int, default=1
        Smallest number allowed.
    largest : int, default=None
        Largest number allowed; None for no limit.

    Returns
    -------
    int

    Examples
    --------
    >>> check_count("n_neighbors", 0)
    Traceback (most recent call last):
    ...
    ValueError: n_neighbors must be a whole number of at least 1; got 0.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if smallest <= number and (largest is None or number <= largest):
            return number
    bounds = f"of at least {smallest}" if largest is None else f"from {smallest} to {largest}"
    raise ValueError(f"{name} must be a whole number {bounds}; got {value!r}.")


def check_positive(name: str, value: Any, *, largest: float = LARGEST_FLOAT) -> float:
    """`value` as a float, or an error that says it must be a positive number.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        Its value.
    largest : float, default=1.797...e308
        Largest number allowed; by default every finite one.

    Returns
    -------
    float
    """
    if _is_real(value) and 0 < float(value) <= largest:
        return float(value)
    raise ValueError(f"{name} must be a positive number; got {value!r}.")


def check_positive_or(
    name: str, value: Any, choices: tuple[str, ...], *, largest: float = LARGEST_FLOAT
) -> Any:
    """`value` if it is a positive number or one of the choices, else an error that says so.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        Its value.
    choices : tuple of str
        Words allowed in place of a number.
    largest : float, default=1.797...e308
        Largest number allowed; by default every finite one.

    Returns
    -------
    float or str
    """
    if isinstance(value, str):
        if value in choices:
            return value
        *others, last = ["a positive number", *map(repr, choices)]
        raise ValueError(f"{name} must be {', '.join(others)} or {last}; got {value!r}.")
    return check_positive(name, value, largest=largest)


def check_nonnegative(name: str, value: Any) -> float:
    """`value` as a float, or an error that says it must be finite and at least 0."""
    if _is_real(value) and 0 <= float(value) <= LARGEST_FLOAT:
        return float(value)
    raise ValueError(f"{name} must be a finite number of at least 0; got {value!r}.")


def check_weights(name: str, value: ArrayLike, n_features: int) -> NDArray:
    """`value` as an array of floats, or an error that says it must hold a weight per feature."""
    w = np.asarray(value, float)
    if w.shape == (n_features,) and np.isfinite(w).all() and (w >= 0).all():
        return w
    raise ValueError(
        f"{name} must hold {n_features} finite weights of at least 0, one per feature."
    )


def check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    """`value` if it is one of the choices, else an error that lists them.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        Its value.
    choices : tuple of str or None
        Values allowed.

    Returns
    -------
    str or None
    """
    if isinstance(value, str | None) and value in choices:
        return value
    raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}.")


def check_float_dtype(name: str, value: DTypeLike) -> np.dtype:
    """`value` as a NumPy dtype, or an error that says it must be float32 or float64."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        dtype = None
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"{name} must be float32 or float64; got {value!r}.")
    return dtype


def _is_real(value: Any) -> bool:
    """Whether `value` is a real number; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_explains_classes(estimator: Any, what: str) -> None:
    """An error if a selector explains numbers or survival, for what shows classes.

    Parameters
    ----------
    estimator : object
        Any; one without `explains` is taken to explain classes.
    what : str
        The figure or function that shows classes.
    """
    explained = getattr(estimator, "explains", "classes")
    if explained != "classes":
        raise ValueError(
            f"{what} shows classes, and {type(estimator).__name__} explains {explained}; use its "
            "weights_ and ranking_ instead."
        )


_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def as_bytes(name: str, value: Any) -> int | None:
    """The number of bytes that `value` stands for, None for None.

    Parameters
    ----------
    name : str
        What the value is, for the error.
    value : int, str or None
        Such as 2_000_000_000, "2GB", "1.5 GiB" or "500M".

    Returns
    -------
    int or None

    Examples
    --------
    >>> as_bytes("memory", "1.5GB"), as_bytes("memory", "2 KiB")
    (1500000000, 2048)
    """
    if value is None:
        return None
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0:
        return int(value)
    if isinstance(value, str):
        match = re.fullmatch(r"(\d+\.?\d*)\s*([KMGT]?)(i?)B?", value.strip(), re.IGNORECASE)
        if match and float(match[1]) > 0:
            base = 1024 if match[3] else 1000
            return int(float(match[1]) * base ** _UNITS[match[2].upper()])
    raise ValueError(f"{name} must be a number of bytes or text like '2GB'; got {value!r}.")


def check_memory_limit(memory: int | None, least: int, shape: tuple[int, int]) -> None:
    """An error if a fit to data of this shape needs more memory than it may use.

    Parameters
    ----------
    memory : int or None
        Bytes that the fit may use; None for any number.
    least : int
        Bytes that it needs.
    shape : tuple of int
        Number of samples and of features, for the error.
    """
    if memory is not None and memory < least:
        n_samples, n_features = shape
        raise ValueError(
            f"memory={readable(memory)} is too little for {n_samples:,} samples and "
            f"{n_features:,} features; at least {readable(least)} is needed."
        )


def readable(n_bytes: int) -> str:
    """A number of bytes in megabytes, rounded up.

    Examples
    --------
    >>> readable(1_200_000)
    '2MB'
    """
    return f"{-(-n_bytes // 1_000_000)}MB"
