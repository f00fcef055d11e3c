"""What a user hands in, checked: data and labels."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from hitmiss._util.warnings import warn
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import Blocks
from hitmiss.data.memory_limit import MATRICES
from hitmiss.data.opening import open_blocks
from hitmiss.data.sources import Source, as_source

LARGEST_DISTANCE = 1e100  # of raw features; its square must be far from overflow


def works_out_of_core(estimator: Any) -> bool:
    """Whether the estimator fits data that are not in memory: on disk, sparse or on a cluster."""
    return getattr(estimator, "_out_of_core", False)


def source_of(estimator: Any, X: Any) -> Source | None:
    """What reads X block by block, if X is not in memory and the estimator can work like that."""
    if not works_out_of_core(estimator):
        return None
    if isinstance(X, np.ndarray) and estimator.memory is None:
        return None
    return as_source(X)


def stand_in(source: Source) -> NDArray:
    """An array of the shape of a source that takes no memory: its labels are checked against it."""
    return np.broadcast_to(np.float32(0), source.shape)


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


def check_kind(X: Any) -> None:
    """An error of one sentence for data whose kind scikit-learn refuses in less helpful words."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise ValueError("Complex data not supported; X must hold real numbers.")
    if hasattr(X, "columns") and hasattr(X, "sparse"):  # a frame without toarray
        raise TypeError(
            "X is a data frame of sparse columns; pass X.sparse.to_dense(), or X.sparse.to_coo() "
            "to an estimator that takes sparse matrices."
        )


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
        *others, last = map(repr, classes[counts == 1].tolist())
        few = f"Class {last} has a single sample"
        if others:
            few = f"Classes {', '.join(others)} and {last} have a single sample each"
        warn(f"{few}, which has no hit and is left out of the loss.")
    return classes, codes


def scaled_blocks(
    X: NDArray | Source,
    scale: str | None,
    workers: Workers,
    names: NDArray | None = None,
    memory: int | None = None,
    matrices: int = MATRICES,
) -> Blocks:
    """X as blocks, each feature divided by its range if `scale` is "range".

    NaN and infinite values are found on the way and reported with their place.
    """
    blocks = open_blocks(X, workers, memory, matrices)
    lowest, highest = blocks.extremes()
    bad = ~(np.isfinite(lowest) & np.isfinite(highest))
    if bad.any():
        j = np.flatnonzero(bad)
        x = blocks.columns(j[:1]).X[:, 0]
        raise ValueError(not_finite(x, j[0], names, f"{len(j)} of {blocks.n_features} features"))
    half = highest * 0.5 - lowest * 0.5  # of the range; the range itself may overflow
    if scale is None:
        with np.errstate(over="ignore"):
            farthest = float(half.sum(dtype=float))
        if farthest > min(float(np.finfo(half.dtype).max) / 8, LARGEST_DISTANCE):
            raise ValueError(
                "Distances between samples overflow; divide the features by their range "
                "with scale='range', or rescale them."
            )
        return blocks.transformed(center=lowest + half, factor=None)
    with np.errstate(divide="ignore", over="ignore"):
        factor = 0.5 / half
    factor[~np.isfinite(factor)] = 0.0  # constant features
    return blocks.transformed(center=lowest + half, factor=factor)


def not_finite(x: NDArray, j: int, names: NDArray | None, how_many: str) -> str:
    """What is wrong with feature j, whose values are x, and how many others are like it."""
    n = int(np.flatnonzero(~np.isfinite(x))[0])
    kind = "NaN" if np.isnan(x[n]) else "inf (infinity)"
    feature = f"feature {j}" if names is None else f"feature {names[j]!r}"
    return (
        f"X contains {kind} in row {n}, {feature} ({how_many} hold such values); "
        "remove these features or samples, or impute the values."
    )
