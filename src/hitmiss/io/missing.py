"""Missing values of a table: kept, reported, or left out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.cells import is_missing
from hitmiss.io.labels import labels
from hitmiss.io.layout import listed
from hitmiss.io.table import Table

WAYS = ("drop-features", "drop-samples")
UNLABELED = "drop-unlabeled"


def check_complete(table: Table, ways: Sequence[str] = WAYS, needed: Sequence[str] = ()) -> None:
    """Raise an error that counts the missing values and names their features.

    Parameters
    ----------
    table : Table
        Not changed.
    ways : sequence of str
        Arguments of `drop_missing` that the error offers.
    needed : sequence of str
        Columns aside of which every sample must have a value.

    Examples
    --------
    >>> import numpy as np
    >>> from hitmiss.io import Table, check_complete
    >>> check_complete(Table(np.array([[1.0, np.nan]]), None, ["a", "b"], ["s"]))
    Traceback (most recent call last):
    ...
    hitmiss._util.errors.InputError: 1 value is missing (NaN or infinite), in the feature 'b'; ...
    """
    check_labeled(table, needed)
    _check(table, ways, _finite(table.X), "missing (NaN or infinite)")


def check_finite(table: Table, ways: Sequence[str] = WAYS, needed: Sequence[str] = ()) -> None:
    """Raise an error that names the features with infinite values; missing values pass.

    Parameters
    ----------
    table : Table
        Not changed.
    ways : sequence of str
        Arguments of `drop_missing` that the error offers.
    needed : sequence of str
        Columns aside of which every sample must have a value.
    """
    check_labeled(table, needed)
    _check(table, ways, ~np.isinf(_stored(table.X)), "infinite")


def check_labeled(table: Table, needed: Sequence[str] = ()) -> None:
    """Raise an error that counts the samples without a label, group, stratum or covariate."""
    for what, unknown in (("label", _unlabeled(table)), *_unknown(table, needed).items()):
        if not unknown.any():
            continue
        n, first = int(unknown.sum()), table.sample_names[int(unknown.argmax())]
        words = _words_for_missing(table) if what == "label" else ""
        have = "has" if n == 1 else "have"
        raise InputError(
            f"{n} of {len(unknown)} samples {have} no {what}, the first being {first!r}; "
            f"{words}fill in the {'labels' if what == 'label' else 'values'}, or leave these "
            f"samples out with --missing {UNLABELED}, which keeps other gaps."
        )


def n_missing(table: Table) -> int:
    """Number of values that are missing."""
    return int(np.isnan(_stored(table.X)).sum())


def drop_missing(table: Table, what: str, needed: Sequence[str] = ()) -> Table:
    """The table without the features, or samples, that have missing values.

    Parameters
    ----------
    table : Table
        Not changed.
    what : {"drop-features", "drop-samples", "drop-unlabeled"}
        What is left out. Samples without a label, group, stratum or covariate are left out in all
        cases, and in the last one nothing else is.
    needed : sequence of str
        Columns aside: samples without a value there are left out as well.

    Returns
    -------
    Table

    Examples
    --------
    >>> import numpy as np
    >>> from hitmiss.io import Table, drop_missing
    >>> table = Table(np.array([[1.0, np.nan]]), None, ["a", "b"], ["s"])
    >>> drop_missing(table, "drop-features").feature_names
    ['a']
    """
    rows = ~_unlabeled(table)
    for unknown in _unknown(table, needed).values():
        rows &= ~unknown
    finite = _finite(table.X)
    columns = np.ones(table.X.shape[1], bool)
    if what == "drop-samples":
        rows &= finite.all(axis=1)
    elif what == "drop-features":
        columns = finite[rows].all(axis=0)
    elif what != UNLABELED:
        raise InputError(
            f"Missing values: drop-features, drop-samples or {UNLABELED}, not {what!r}."
        )
    if not rows.any() or not columns.any():
        raise InputError(f"With {what} nothing is left: every one of them has missing values.")
    kept = table.rows(rows)
    names = [table.feature_names[j] for j in np.flatnonzero(columns)]
    levels = {name: words for name, words in table.levels.items() if name in set(names)}
    X = kept.X if columns.all() else kept.X[:, np.flatnonzero(columns)]
    y = kept.y
    if y is not None and y.dtype.kind == "U" and not rows.all():
        y = labels(y.tolist()).y  # numbers, if only the missing labels were text
    return replace(kept, X=X, y=y, feature_names=names, levels=levels)


def _check(table: Table, ways: Sequence[str], good: NDArray, what: str) -> None:
    if good.all():
        return
    bad = ~(_finite(table.X) if good.shape != table.X.shape else good)
    n = int(bad.sum())
    names = [table.feature_names[j] for j in np.flatnonzero(bad.any(axis=0))]
    values = "1 value is" if n == 1 else f"{n:,} values are"
    features = "the feature" if len(names) == 1 else f"{len(names):,} features:"
    left_out = " or ".join(way.removeprefix("drop-") for way in ways)
    raise InputError(
        f"{values} {what}, in {features} {listed(names)}; replace {'it' if n == 1 else 'them'}, or "
        f"leave out these {left_out} with --missing {' or '.join(ways)}."
    )


def _stored(X: Any) -> NDArray:
    """The values that are stored; of a sparse matrix the others are 0."""
    return X.data if scipy.sparse.issparse(X) else X


def _finite(X: Any) -> NDArray:
    """Mask of finite values; a row of True for a sparse matrix that has no others."""
    if not scipy.sparse.issparse(X):
        return np.isfinite(X)
    if np.isfinite(X.data).all():
        return np.broadcast_to(True, X.shape)
    return np.isfinite(X.toarray())


def _words_for_missing(table: Table) -> str:
    if not table.missing_labels:
        return ""
    return f"{listed(table.missing_labels)} means missing, so rename a class that is called so, "


def _unlabeled(table: Table) -> NDArray:
    if table.y is None:
        return np.zeros(len(table.sample_names), bool)
    return _gaps(table.y)


def _unknown(table: Table, needed: Sequence[str]) -> dict[str, NDArray]:
    """Masks of the samples without a value of the design or of an extra column, by its name."""
    singular = {"groups": "group", "strata": "stratum", "covariates": "covariate"}
    design = {singular.get(name, name): _gaps(values) for name, values in table.design.items()}
    aside = {name: np.array([is_missing(cell) for cell in table.aside[name]]) for name in needed}
    return {**design, **{f"value in column {name!r}": gaps for name, gaps in aside.items()}}


def _gaps(values: NDArray) -> NDArray:
    if values.dtype.kind == "U":
        return values == ""
    if values.dtype.kind != "f":
        return np.zeros(len(values), bool)
    return np.isnan(values.reshape(len(values), -1)).any(axis=1)
