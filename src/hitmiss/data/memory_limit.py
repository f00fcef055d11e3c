"""The limit on the memory of a fit: read from text, and checked against what a fit needs."""

import re
from numbers import Integral
from typing import Any

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
