"""Table: samples, labels and names, as every reader returns them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.cells import clean_name, sample_name
from hitmiss.io.labels import Labels
from hitmiss.io.layout import listed

if TYPE_CHECKING:
    from hitmiss.io.joining import Join


@dataclass(frozen=True)
class Table:
    """Data ready for an estimator.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
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
    named : bool
        Whether the names of the samples come from the file.
    aside : mapping of str to list
        Columns that are no features, such as donors or batches, as the file holds them.
    levels : mapping of str to tuple of str
        Words of the nominal features, by name; X holds their positions, from 0.
    remarks : tuple of str
        What was done to the table and should be said, in sentences.
    design : mapping of str to ndarray
        What `fit` is told of the samples besides X and y: groups, strata, covariates.
    join : Join or None
        How the table and its metadata went together, if there are such.
    """

    X: Any
    y: NDArray | None
    feature_names: list[str]
    sample_names: list[str]
    sample_column: str | None = None
    missing_labels: tuple[str, ...] = ()
    named: bool = False
    aside: Mapping[str, list[Any]] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    design: Mapping[str, Any] = field(default_factory=dict)
    join: Join | None = None

    def rows(self, kept: NDArray) -> Table:
        """The table of some samples, by their positions or by a mask."""
        kept = np.flatnonzero(kept) if kept.dtype == bool else kept
        return replace(
            self,
            X=self.X[kept],
            y=None if self.y is None else self.y[kept],
            sample_names=[self.sample_names[n] for n in kept],
            aside={name: [column[n] for n in kept] for name, column in self.aside.items()},
            design={name: values[kept] for name, values in self.design.items()},
        )


def checked_table(
    X: Any,
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
    sample_names = [sample_name(name) for name in numbered]
    for what, n, expected in (
        ("feature names", len(names), n_features),
        ("sample names", len(sample_names), n_samples),
        ("labels", n_samples if y is None else len(y), n_samples),
    ):
        if n != expected:
            raise InputError(
                f"There are {n:,} {what} for {n_samples:,} samples of {n_features:,} features; if "
                "the features are in rows, use transpose (--transpose)."
            )
    named = samples is not None
    return Table(real(X), y, names, sample_names, sample_column, missing, named)


def whole_table(columns: Mapping[str, Iterable[Any]]) -> Table:
    """A table of columns as they are, none of which is a feature.

    Parameters
    ----------
    columns : mapping of str to iterable
        All of one length.

    Returns
    -------
    Table
    """
    aside = {name: list(column) for name, column in columns.items()}
    n_samples = max(map(len, aside.values()), default=0)
    if not n_samples:
        raise InputError("The table has no samples; below the header it is empty.")
    numbered = [str(n) for n in range(1, n_samples + 1)]
    return Table(np.empty((n_samples, 0)), None, [], numbered, aside=aside)


def left_out_remarks(names: Sequence[str]) -> tuple[str, ...]:
    """Sentence on columns that are not features because the metadata has them, too."""
    if not names:
        return ()
    what = "Column" if len(names) == 1 else "Columns"
    return (f"{what} {listed(names)} of the table, also in the metadata: not used as features.",)


def real(X: Any) -> Any:
    """X in single or double precision."""
    if X.dtype.kind not in "biuf":
        raise InputError(f"The data must be real numbers; these are of type {X.dtype}.")
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def check_unique(names: Sequence[str]) -> None:
    """Raise an error that lists the names that occur more than once."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if not twice:
        return
    occur = "feature name occurs" if len(twice) == 1 else "feature names occur"
    raise InputError(
        f"{len(twice)} {occur} more than once ({listed(twice)}); give every feature a unique "
        "name, or number them with make_unique (--make-unique)."
    )
