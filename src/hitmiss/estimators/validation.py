"""What a user hands in, checked: parameters, data and labels."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from hitmiss.blocks import Blocks, working_dtype
from hitmiss.workers import Workers

LARGEST_DISTANCE = 1e100  # of raw features; its square must be far from overflow
COLUMNS = 4096  # features whose range is found at once
FEW_VALUES = 4_000_000  # up to which one thread is as quick as several


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Give the estimator its old attributes back if anything inside fails."""
    before = vars(estimator).copy()
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def check_positive(name: str, value: Any, *, largest: float = np.finfo(float).max) -> float:
    """`value` as a float, or an error that says it must be a positive number."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        number = float(value)
        if 0 < number <= largest:
            return number
    raise ValueError(f"{name} must be a positive number; got {value!r}.")


def check_count(name: str, value: Any) -> int:
    """`value` as an int, or an error that says it must be a whole number from 1."""
    if isinstance(value, Integral) and not isinstance(value, bool | np.bool_) and int(value) >= 1:
        return int(value)
    raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}.")


def check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    """`value` if it is one of the choices, else an error that lists them."""
    if isinstance(value, str | None) and value in choices:
        return value
    raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}.")


def check_real(X: Any) -> None:
    """An error of one sentence for complex numbers; scikit-learn's prints them all."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise ValueError("Complex data not supported; X must hold real numbers.")


def encode_labels(y: NDArray) -> tuple[NDArray, NDArray]:
    """Sorted classes and the index of each sample's class.

    At least two classes are needed and at least one of them with two samples; a class with a
    single sample is allowed with a warning, since that sample has no hit.
    """
    if y.dtype.kind not in "biuUS":  # others may be measurements
        check_classification_targets(y)
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) < 2:
        raise ValueError(
            f"y holds 1 class only ({classes.tolist()[0]!r}); "
            "hits and misses need at least 2 classes."
        )
    if counts.max() < 2:
        raise ValueError(
            "No class has two samples, so no sample has a hit; "
            "y should hold classes, and it looks like names or measurements."
        )
    if counts.min() < 2:
        alone = ", ".join(map(repr, classes[counts == 1].tolist()))
        warnings.warn(
            f"Class {alone} has a single sample, which has no hit and is left out of the loss.",
            UserWarning,
            stacklevel=4,
        )
    return classes, codes


def scaled_blocks(
    X: NDArray, scale: str | None, workers: Workers, names: NDArray | None = None
) -> Blocks:
    """X as blocks, each feature divided by its range if `scale` is "range".

    NaN and infinite values are found on the way and reported with their place.
    """
    lowest, highest = _extremes(X, workers)
    bad = ~(np.isfinite(lowest) & np.isfinite(highest))
    if bad.any():
        raise ValueError(_not_finite(X, np.flatnonzero(bad), names))
    half = highest * 0.5 - lowest * 0.5  # of the range; the range itself may overflow
    if scale is None:
        with np.errstate(over="ignore"):
            farthest = float(half.sum(dtype=float))
        if farthest > min(float(np.finfo(half.dtype).max) / 8, LARGEST_DISTANCE):
            raise ValueError(
                "Distances between samples overflow; divide the features by their range "
                "with scale='range', or rescale them."
            )
        return Blocks(X, workers, center=lowest + half)
    with np.errstate(divide="ignore", over="ignore"):
        factor = 0.5 / half
    factor[~np.isfinite(factor)] = 0.0  # constant features
    return Blocks(X, workers, center=lowest + half, factor=factor)


def _extremes(X: NDArray, workers: Workers) -> tuple[NDArray, NDArray]:
    dtype = working_dtype(X.dtype)
    lowest, highest = np.empty(X.shape[1], dtype), np.empty(X.shape[1], dtype)

    def find(part: slice) -> None:
        lowest[part] = X[:, part].min(axis=0)
        highest[part] = X[:, part].max(axis=0)

    size = COLUMNS if X.size > FEW_VALUES else X.shape[1]
    workers.map(lambda k: find(slice(k, k + size)), range(0, X.shape[1], size))
    return lowest, highest


def _not_finite(X: NDArray, columns: NDArray, names: NDArray | None) -> str:
    j = columns[0]
    n = int(np.flatnonzero(~np.isfinite(X[:, j]))[0])
    kind = "NaN" if np.isnan(X[n, j]) else "inf (infinity)"
    feature = f"feature {j}" if names is None else f"feature {names[j]!r}"
    return (
        f"X contains {kind} in row {n}, {feature} ({len(columns)} of {X.shape[1]} features hold "
        "such values); remove these features or samples, or impute the values."
    )
