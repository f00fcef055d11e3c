"""X and what is known of its samples: named columns, indexes, missing labels, groups and strata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from hitmiss._util.text import suggestion

ARRAYS = {np.ndarray, type(None)}  # hold no names and have no index
SHOWN = 5  # rows, labels or names in an error, which then stays one sentence


def joined(X: Any, y: Any, **beside: Any) -> tuple[Any, Any, dict[str, Any]]:
    """X, y and what else is known of the samples, checked to be in the same order.

    Text in the place of values names a column of the frame X, or of ``X.obs`` if X is an AnnData
    object; such a column is no feature. Indexes of pandas must agree.

    Parameters
    ----------
    X : array-like, data frame or anything that an estimator fits
        Samples.
    y : array-like, str or None
        Labels, or the name of their column.
    **beside : array-like, str or None
        Groups, strata and the like; covariates may be a list of names.

    Returns
    -------
    tuple
        X without the named columns, y, and `beside` with values in the place of names.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1, 2], "class": ["ill", "well"]})
    >>> X, y, _ = joined(frame, "class")
    >>> list(X.columns), list(y)
    (['a'], ['ill', 'well'])
    """
    known = {"y": y, **beside}
    if ARRAYS.issuperset(map(type, known.values())):  # neither names nor indexes
        return X, y, beside
    named = {key: value for key, value in known.items() if _is_named(X, key, value)}
    if named:
        values = {key: _column(X, value, key) for key, value in named.items()}
        X, known = without_columns(X, _flat(named.values())), known | values
    for key, value in known.items():
        check_same_rows(X, value, key)
    return X, known.pop("y"), known


def aligned(X: Any, y: Any, **beside: Any) -> tuple[Any, Any, dict[str, Any]]:
    """`joined` for classes: an error names the rows whose label is missing.

    The parameters are those of `joined`.
    """
    X, y, known = joined(X, y, **beside)
    check_labels(y)
    return X, y, known


def check_same_rows(X: Any, values: Any, name: str) -> None:
    """An error if X and the values have indexes of pandas that do not agree.

    An index that only numbers the rows from 0 does not identify them, so it agrees with any other
    but one of the same numbers in another order.

    Parameters
    ----------
    X : object
        Samples.
    values : object
        Values of the samples.
    name : str
        Their name in the error.
    """
    rows, others = _index(X), _index(values)
    if rows is None or others is None or len(rows) != len(others) or rows.equals(others):
        return
    if Counter(rows) == Counter(others):
        raise ValueError(
            f"X and {name} hold the same index labels in another order, so that rows would be "
            f"mixed up; pass {name}.loc[X.index]."
        )
    if _only_numbers(rows) or _only_numbers(others):
        return
    strange = [repr(label) for label in others[~others.isin(rows)][:SHOWN].tolist()]
    there = f"{', '.join(strange)} of {name} {'are' if len(strange) > 1 else 'is'} not in X"
    raise ValueError(
        f"The index labels of X and {name} differ ({there}); select the samples that both have, "
        f"or pass {name}.to_numpy() if the rows are in the same order."
    )


def check_labels(y: Any) -> None:
    """An error that names the rows whose label is missing: None, NaN or pandas' NA."""
    if y is None or isinstance(y, str) or not hasattr(y, "__iter__"):
        return
    if isinstance(y, np.ma.MaskedArray):
        values = y.data.astype(object)
        values[np.ma.getmaskarray(y)] = None
    elif isinstance(y, np.ndarray) and y.dtype.kind in "biuUSV":
        return  # cannot hold missing ones
    elif isinstance(y, list | tuple):
        values = np.fromiter(y, object, len(y))
    else:
        values = np.asarray(y)
    if values.ndim != 1:  # no list of labels, which is checked later
        return
    rows = np.flatnonzero(missing_labels(values)).tolist()
    if not rows:
        return
    where = f"row {rows[0]} ({values[rows[0]]!r})"
    if len(rows) > 1:
        some = ", ".join(map(str, rows[:SHOWN]))
        where = f"{len(rows):,} rows ({some}{', ...' if len(rows) > SHOWN else ''})"
    raise ValueError(
        f"y holds no label in {where}; leave such samples out, or give them a class of their own."
    )


def missing_labels(y: NDArray) -> NDArray:
    """Mask of the labels that are missing."""
    if y.dtype.kind in "fM":
        return np.isnan(y)
    if y.dtype.kind != "O":
        return np.zeros(len(y), bool)
    return np.array([_is_missing(label) for label in y.tolist()], bool)


def named_columns(X: Any, y: Any, **beside: Any) -> list[str]:
    """The columns of X that stand for y and the like; the parameters are those of `aligned`."""
    known = {"y": y, **beside}
    if ARRAYS.issuperset(map(type, known.values())):
        return []
    return _flat(value for key, value in known.items() if _is_named(X, key, value))


def without_named(estimator: Any, X: Any) -> Any:
    """New samples without the columns that were named in `fit`, as far as they have them."""
    names = getattr(estimator, "named_columns_", [])
    if not names or hasattr(X, "obs"):
        return X
    there = set(_column_names(X) or ())
    found = [name for name in names if name in there]
    return without_columns(X, found) if found else X


def without_columns(X: Any, names: Sequence[str]) -> Any:
    """The frame without some columns; an AnnData object has its own beside the features."""
    if hasattr(X, "obs"):
        return X
    return X.drop(columns=list(names)) if hasattr(X, "iloc") else X.drop(list(names))


def distinct_codes(name: str, values: ArrayLike, n_samples: int | None = None) -> NDArray:
    """Integers from 0 for the distinct values, in ascending order of these.

    Parameters
    ----------
    name : str
        Name of the values in errors.
    values : array-like of shape (n_samples,)
        Of any type; none may be missing.
    n_samples : int, optional
        Number of samples; any by default.

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
    missing = missing_labels(array)
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


def as_matrix(X: Any) -> Any:
    """X itself if it is an array or a data frame, as CSC if it is sparse, else as an array."""
    return X.tocsc() if issparse(X) else X if hasattr(X, "shape") else np.asarray(X)


def columns(X: Any, index: NDArray) -> NDArray:
    """The columns at `index` as an array of floats.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    index : ndarray of int
        Positions of the columns.

    Returns
    -------
    ndarray of shape (n_samples, n_index)

    Examples
    --------
    >>> columns([[1, 2, 3], [4, 5, 6]], np.array([2, 0]))
    array([[3., 1.],
           [6., 4.]])
    """
    data = as_matrix(X)
    part = data.iloc[:, index] if hasattr(data, "iloc") else data[:, index]
    return part.toarray().astype(float) if issparse(part) else np.asarray(part, float)


def _is_missing(label: Any) -> bool:
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, Number | np.generic) and bool(label != label)


def _is_named(X: Any, role: str, value: Any) -> bool:
    """Whether a value names columns: text does, and so do several names of covariates."""
    if isinstance(value, str) or role != "covariates":
        return isinstance(value, str)
    names = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    return names and len(value) > 0 and _column_names(X) is not None


def _column_names(X: Any) -> list[Any] | None:
    frame = X.obs if hasattr(X, "obs") else X
    columns = getattr(frame, "columns", None)
    return None if columns is None or not hasattr(frame, "__getitem__") else list(columns)


def _column(X: Any, name: Any, role: str) -> Any:
    """The column of that name, or the frame of the columns of those names."""
    columns = _column_names(X)
    if columns is None:
        raise ValueError(
            f"{role}={name!r} names a column, and X has none; pass a data frame, or the values."
        )
    for one in _flat([name]):
        if columns.count(one) != 1:
            what = f"{columns.count(one)} columns" if one in columns else "no column"
            known = [str(column) for column in columns]
            hint = suggestion(one, known, f"there are {', '.join(known[:SHOWN])}.")
            raise ValueError(f"X has {what} {one!r} for {role}; {hint}")
    frame = X.obs if hasattr(X, "obs") else X
    return frame[name if isinstance(name, str) else list(name)]


def _flat(names: Any) -> list[str]:
    nested = ([name] if isinstance(name, str) else name for name in names)
    return [name for some in nested for name in some]


def _index(values: Any) -> Any | None:
    """The index of a frame or a series of pandas, or of the samples of an AnnData object."""
    if hasattr(values, "obs"):
        return getattr(values.obs, "index", None)
    return values.index if hasattr(values, "iloc") else None


def _only_numbers(index: Any) -> bool:
    """Whether an index is the one that pandas gives by itself."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
