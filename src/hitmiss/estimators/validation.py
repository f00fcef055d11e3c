"""Validation of the data that are given to an estimator, in its fit and later."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, check_consistent_length, validate_data

from hitmiss._util.errors import warn
from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import open_features
from hitmiss.data.scaling import column_scaling, half_range, nominal_scaling
from hitmiss.data.sources import Source, as_source


def source_of(estimator: Any, X: Any) -> Source | None:
    """The source that reads X, if X is not in memory and the estimator can fit such data."""
    if not getattr(estimator, "_out_of_core", False):
        return None
    if isinstance(X, np.ndarray) and estimator.memory is None:
        return None
    return as_source(X)


def stand_in(source: Source) -> NDArray:
    """An array of the shape of a source that takes no memory: its labels are checked against it."""
    return np.broadcast_to(np.float32(0), source.shape)


@contextmanager
def all_or_nothing(estimator: Any, restore: Callable[[], object] | None = None) -> Iterator[None]:
    """Give the estimator its old attributes back if anything inside fails.

    `restore`, if given, is called then: it undoes what has been changed in place. Both happen or
    neither, since an interrupt may come between any two lines.
    """
    before = vars(estimator).copy()
    try:
        yield
    except BaseException:
        if restore is not None:
            restore()
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def forget(estimator: Any) -> None:
    """Delete what an earlier fit has found: the attributes whose names end in an underscore.

    Parameters stay, and so does what scikit-learn keeps of an estimator, such as its `set_output`
    and its metadata requests.
    """
    for name in list(vars(estimator)):
        if name.endswith("_"):
            delattr(estimator, name)


def check_kind(X: Any) -> None:
    """An error for complex data and sparse frames, clearer than that of scikit-learn."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise ValueError("Complex data not supported; X must hold real numbers.")
    columns = getattr(X, "columns", ())
    if len(columns) and hasattr(X, "sparse"):  # a frame without toarray; an empty one has it too
        raise TypeError(
            "X is a data frame of sparse columns; pass X.sparse.to_dense(), or X.sparse.to_coo() "
            "to an estimator that takes sparse matrices."
        )
    dtypes: Any = getattr(X, "dtypes", None)
    if not hasattr(dtypes, "items") or all(kind.kind not in ("m", "M") for kind in set(dtypes)):
        return
    for name, dtype in dtypes.items():
        if dtype.kind in ("m", "M"):
            raise ValueError(
                f"Column {name!r} holds dates or times ({dtype}); turn it into numbers, such "
                "as days since a date, or leave it out."
            )


def checked_pair(estimator: Any, X: ArrayLike, y: ArrayLike) -> tuple[NDArray, NDArray]:
    """X and y after scikit-learn's checks of them.

    Labels in an array that can hold nothing wrong are compared with X in length alone: to look for
    data frames and the like among them takes a twentieth of a small fit.

    Parameters
    ----------
    estimator : object
        The estimator that is fitted, which learns the names and the number of features.
    X : array-like of shape (n_samples, n_features)
        Samples, of which values may be missing.
    y : array-like of shape (n_samples,)
        Labels.
    """
    rules: dict[str, Any] = {
        "dtype": "numeric",
        "ensure_all_finite": False,
        "ensure_min_samples": 2,
    }
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuSU":
        data = validate_data(estimator, X, **rules)
        check_consistent_length(data, y)
        return data, y
    found: tuple[NDArray, NDArray] = validate_data(estimator, X, y, **rules)
    return found


class Columns(NamedTuple):
    """Treatment of the columns of X: see the parameters of the estimators."""

    scale: str | None = "range"
    missing: str = "error"
    nominal: NDArray | None = None  # the features whose whole numbers are codes, if any


def opened_columns(
    X: NDArray | Source,
    columns: Columns,
    workers: Workers,
    names: NDArray | None = None,
    memory: int | None = None,
    matrices: int = sizes.MATRICES,
) -> tuple[Features, NDArray]:
    """X as features, each divided by its range if that is asked for, and what is missing.

    Infinite values, and NaN where nothing may be missing, are found on the way and reported with
    their place.

    Parameters
    ----------
    X : ndarray or Source
        The data.
    columns : Columns
        What is to be done to them.
    workers : Workers
        Where the work runs.
    names : ndarray of str, optional
        Names of the features, for errors.
    memory, matrices
        As in `open_features`.

    Returns
    -------
    features : Features
        The data.
    n_missing : ndarray of shape (n_features,)
        Number of missing values of every feature.
    """
    features = open_features(X, workers, memory, matrices)
    found = features.extremes()
    allow_nan = columns.missing != "error"
    finite = np.isfinite(found.lowest) & np.isfinite(found.highest)
    if not allow_nan:
        finite &= found.n_missing == 0
    if not finite.all():
        bad = np.flatnonzero(~finite)
        x = features.columns(bad[:1]).X[:, 0]
        if allow_nan:
            x = np.where(np.isnan(x), 0.0, x)
        how_many = f"{len(bad)} of {features.n_features} features"
        raise ValueError(not_finite(x, bad[0], names, how_many))
    if columns.scale != "range":
        _check_sums(half_range(found.lowest, found.highest))
    scaling = column_scaling(found, by_range=columns.scale == "range")
    if columns.nominal is not None:
        scaling = nominal_scaling(features, found, scaling, columns.nominal, names)
    return features.scaled(scaling), found.n_missing


def scaled_features(
    X: NDArray | Source, scale: str | None, workers: Workers, names: NDArray | None = None
) -> Features:
    """X, of numbers that are all there, as features.

    Parameters
    ----------
    X : ndarray or Source
        The data.
    scale : {"range", None}
        What the features are divided by.
    workers : Workers
        Where the work runs.
    names : ndarray of str, optional
        Names of the features, for errors.
    """
    return opened_columns(X, Columns(scale), workers, names)[0]


LARGEST_DISTANCE = 1e100  # of raw features: its square is far from overflow, at 1e308


def _check_sums(half: NDArray) -> None:
    """An error if distances, at most twice the sum of these, may overflow."""
    with np.errstate(over="ignore"):
        farthest = float(half.sum(dtype=float))
    if farthest > min(float(np.finfo(half.dtype).max) / 8, LARGEST_DISTANCE):
        raise ValueError(
            "Distances between samples overflow; divide the features by their range "
            "with scale='range', or rescale them."
        )


def not_finite(x: NDArray, j: int, names: NDArray | None, how_many: str) -> str:
    """The error message for a feature that holds NaN or infinity.

    Parameters
    ----------
    x : ndarray of shape (n_samples,)
        Its values.
    j : int
        Its index.
    names : ndarray of str, optional
        Names of the features.
    how_many : str
        The number of such features, in words.
    """
    n = int(np.flatnonzero(~np.isfinite(x))[0])
    kind = "NaN" if np.isnan(x[n]) else "inf (infinity)"
    feature = f"feature {j}" if names is None else f"feature {names[j]!r}"
    return (
        f"X contains {kind} in row {n}, {feature} ({how_many} hold such values); "
        "remove these features or samples, or impute the values."
    )


SHOWN = 5  # names in an error


def read_features(estimator: Any, source: Source, index: NDArray) -> NDArray:
    """The features at `index` of new samples, checked as scikit-learn checks arrays and frames.

    Parameters
    ----------
    estimator : object
        Fitted.
    source : Source
        The new samples.
    index : ndarray of int
        Features, ascending. Only these are read, and only in these NaN and infinity are found.

    Returns
    -------
    ndarray of shape (n_samples, n_index)
    """
    _check_features(estimator, source)
    X = check_array(source.read(index), dtype=None, ensure_all_finite=False, ensure_min_features=0)
    fine = np.isfinite(X) if estimator.missing == "error" else ~np.isinf(X)
    bad = np.flatnonzero(~fine.all(axis=0))
    if len(bad):
        names = getattr(estimator, "feature_names_in_", None)
        how_many = f"{len(bad)} of the {len(index)} features in use"
        x = (
            X[:, bad[0]]
            if estimator.missing == "error"
            else np.nan_to_num(X[:, bad[0]], nan=0.0, posinf=np.inf, neginf=-np.inf)
        )
        raise ValueError(not_finite(x, index[bad[0]], names, how_many))
    return X


def _check_features(estimator: Any, source: Source) -> None:
    """Check the names of the features as scikit-learn checks those of a data frame."""
    known, names = getattr(estimator, "feature_names_in_", None), source.names
    if known is None or names is None:
        if names is not None:
            warn(
                f"X has feature names, but {type(estimator).__name__} was fitted without feature "
                "names"
            )
        validate_data(estimator, stand_in(source), ensure_all_finite=False, reset=False)
    elif not np.array_equal(known, names):
        raise ValueError(_difference(known, names))


def _difference(known: NDArray, names: NDArray) -> str:
    lists = {
        "Feature names unseen at fit time:": sorted(set(names) - set(known)),
        "Feature names seen at fit time, yet now missing:": sorted(set(known) - set(names)),
    }
    lines = ["The feature names should match those that were passed during fit."]
    for title, some in lists.items():
        if some:
            lines += [title, *(f"- {name}" for name in some[:SHOWN])]
            lines += ["- ..."] * (len(some) > SHOWN)
    if not any(lists.values()):
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"
