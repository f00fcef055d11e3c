"""Missing values of a table: reported, or left out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.table import Table, listed

WAYS = ("drop-features", "drop-samples")


def check_complete(table: Table, ways: Sequence[str] = WAYS) -> None:
    """An error that counts the missing values and names the features that have them.

    Parameters
    ----------
    table : Table
        Not changed.
    ways : sequence of str
        Arguments of `drop_missing` that the error offers.

    Examples
    --------
    >>> import numpy as np
    >>> from hitmiss.io import Table, check_complete
    >>> check_complete(Table(np.array([[1.0, np.nan]]), None, ["a", "b"], ["s"]))
    Traceback (most recent call last):
    ...
    hitmiss._util.errors.InputError: 1 value is missing (NaN or infinite), in the feature 'b'; ...
    """
    unlabeled = _unlabeled(table)
    if unlabeled.any():
        n = int(unlabeled.sum())
        first = table.sample_names[int(unlabeled.argmax())]
        raise InputError(
            f"{n} of {len(unlabeled)} samples have no label, the first being {first!r}; "
            f"{_words_for_missing(table)}fill in the labels, or leave these samples out with "
            "--missing drop-samples."
        )
    bad = ~np.isfinite(table.X)
    if bad.any():
        n = int(bad.sum())
        names = [table.feature_names[j] for j in np.flatnonzero(bad.any(axis=0))]
        values = "1 value is" if n == 1 else f"{n:,} values are"
        features = "the feature" if len(names) == 1 else f"{len(names):,} features:"
        left_out = " or ".join(way.removeprefix("drop-") for way in ways)
        raise InputError(
            f"{values} missing (NaN or infinite), in {features} {listed(names)}; fill them in, or "
            f"leave out these {left_out} with --missing {' or '.join(ways)}."
        )


def drop_missing(table: Table, what: str) -> Table:
    """The table without the features, or samples, that have missing values.

    Parameters
    ----------
    table : Table
        Not changed.
    what : {"drop-features", "drop-samples"}
        What is left out. Samples without a label are left out in both cases.

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
    finite = np.isfinite(table.X)
    columns = np.ones(table.X.shape[1], bool)
    if what == "drop-samples":
        rows &= finite.all(axis=1)
    elif what == "drop-features":
        columns = finite[rows].all(axis=0)
    else:
        raise InputError(f"Missing values: drop-features or drop-samples, not {what!r}.")
    if not rows.any() or not columns.any():
        raise InputError(f"With {what} nothing is left: every one of them has missing values.")
    return replace(
        table,
        X=table.X[np.ix_(rows, columns)],
        y=None if table.y is None else table.y[rows],
        feature_names=[table.feature_names[j] for j in np.flatnonzero(columns)],
        sample_names=[table.sample_names[n] for n in np.flatnonzero(rows)],
    )


def _words_for_missing(table: Table) -> str:
    if not table.missing_labels:
        return ""
    return f"{listed(table.missing_labels)} means missing, so rename a class that is called so, "


def _unlabeled(table: Table) -> NDArray:
    if table.y is None or table.y.dtype.kind != "U":
        return np.zeros(len(table.X), bool)
    return table.y == ""
