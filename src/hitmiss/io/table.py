"""Table: samples, labels and names, as every reader returns them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss._util.text import by_comma, suggestion
from hitmiss.io.cells import clean_name
from hitmiss.io.labels import Labels
from hitmiss.io.read_progress import Watch, watched

MOST_LISTED = 5  # names in an error, which then stays one sentence


@dataclass(frozen=True)
class Table:
    """Data ready for an estimator.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Values, NaN where they are missing.
    y : ndarray of shape (n_samples,) or None
        Labels; None if no target was specified. Missing labels are empty strings or NaN.
    feature_names : list of str
        One name per feature, all different.
    sample_names : list of str
        One name per sample; "1", "2", ... if the file has none.
    sample_column : str or None
        The column that holds the names of the samples, if there is one.
    missing_labels : tuple of str
        Words in the target that were read as missing labels.
    """

    X: NDArray
    y: NDArray | None
    feature_names: list[str]
    sample_names: list[str]
    sample_column: str | None = None
    missing_labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """The arguments of `read_table`: where a file holds what, and who receives the progress."""

    target: str | None = None
    samples: str | None = None
    drop: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    transpose: bool = False
    watch: Watch | None = None

    @property
    def dropped(self) -> frozenset[str]:
        """The names in `drop`, whole, and those that it separates by commas."""
        return frozenset(name for given in self.drop for name in (given, *by_comma(given)))

    def open(self, path: Path) -> BufferedReader:
        """The file, opened for reading with its progress reported to `watch`."""
        return watched(path, self.watch)


def checked_table(
    X: NDArray,
    target: Labels | None,
    features: Iterable[Any],
    samples: Iterable[Any] | None = None,
    sample_column: str | None = None,
) -> Table:
    """A `Table` of consistent parts, or an error that says what is wrong.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Values.
    target : Labels or None
        Labels of the samples.
    features : iterable
        Names of the features.
    samples : iterable, default=None
        Names of the samples; None numbers them from 1.
    sample_column : str, default=None
        The column that holds the names of the samples.

    Returns
    -------
    Table
    """
    if X.ndim != 2:
        raise InputError(
            f"The data must have two dimensions, samples and features; this has {X.ndim}."
        )
    y, missing = target or (None, ())
    n_samples, n_features = X.shape
    if n_samples == 0:
        raise InputError("The table has no samples; below the header it is empty.")
    if n_features == 0:
        raise InputError("The table has no features; nothing is left beside the target and names.")
    names = [clean_name(name) for name in features]
    check_unique(names)
    numbered = range(1, n_samples + 1) if samples is None else samples
    sample_names = [clean_name(name) for name in numbered]
    for what, n, expected in (
        ("feature names", len(names), n_features),
        ("sample names", len(sample_names), n_samples),
        ("labels", n_samples if y is None else len(y), n_samples),
    ):
        if n != expected:
            raise InputError(
                f"There are {n:,} {what} for {n_samples:,} samples of {n_features:,} features; if "
                "the features are in rows, ask for transpose (--transpose)."
            )
    return Table(real(X), y, names, sample_names, sample_column, missing)


def real(X: NDArray) -> NDArray:
    """X in single or double precision."""
    if X.dtype.kind not in "biuf":
        raise InputError(f"The data must be real numbers; these are of type {X.dtype}.")
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def check_unique(names: Sequence[str]) -> None:
    """An error that lists the names that occur more than once."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if not twice:
        return
    raise InputError(
        f"{len(twice)} feature names occur more than once ({listed(twice)}); give every feature a "
        "name of its own."
    )


def listed(names: Iterable[str]) -> str:
    """The first few names in quotes, and the number of the others."""
    every = list(names)
    shown = ", ".join(map(repr, every[:MOST_LISTED]))
    more = len(every) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def position(name: str, names: Sequence[str], what: str = "column") -> int:
    """Index of `name` among `names`, or an error that suggests the closest.

    Parameters
    ----------
    name : str
        Name to find.
    names : sequence of str
        All names.
    what : str, default="column"
        What the names stand for, for the error.

    Returns
    -------
    int
    """
    if name in names:
        if names.count(name) > 1:
            raise ambiguous(name, what)
        return names.index(name)
    hint = suggestion(name, names, f"there are {listed(names)}.")
    raise InputError(f"There is no {what} {name!r}; {hint}")


def ambiguous(name: str, what: str = "column") -> InputError:
    """The error for a name that should be unique and is not."""
    return InputError(
        f"There are several {what}s {name!r}, and it is not clear which is meant; give each a name "
        "of its own."
    )


def feature_positions(names: Sequence[str], layout: Layout, what: str = "column") -> list[int]:
    """Indices of the requested features among `names`.

    Parameters
    ----------
    names : sequence of str
        Names of all columns, or rows, that may be features.
    layout : Layout
        Its `features` and `drop` say which are requested.
    what : str, default="column"
        What the names stand for, for errors.

    Returns
    -------
    list of int
    """
    if layout.features is None:
        known = frozenset(names)
        for given in layout.drop:
            for name in () if given in known else by_comma(given):
                if name not in known:
                    position(name, names, what)  # raises
        return [j for j, name in enumerate(names) if name not in layout.dropped]
    wanted = frozenset(layout.features)
    place: dict[str, int] = {}
    for j, name in enumerate(names):
        if name in place and name in wanted:
            raise ambiguous(name, what)
        place[name] = j
    absent = [name for name in layout.features if name not in place]
    if absent:
        raise InputError(f"{len(absent):,} features are not in the table: {listed(absent)}.")
    return [place[name] for name in layout.features]
