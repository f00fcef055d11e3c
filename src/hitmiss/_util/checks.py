"""Checks of parameters, each failing with one sentence that names the parameter."""

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
