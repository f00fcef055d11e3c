"""Tables with a feature per row, as genes often are, and perhaps annotations beside its name."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss._util.text import by_comma
from hitmiss.io.cells import clean_name, is_word
from hitmiss.io.decimals import numbers_with_point
from hitmiss.io.feature_cells import quick_numbers, slow_numbers
from hitmiss.io.labels import labels
from hitmiss.io.layout import Layout, ambiguous, feature_positions, listed, place
from hitmiss.io.table import Table, checked_table, left_out_remarks
from hitmiss.io.unique_names import made_unique

Row = tuple[int, Sequence[Any]]  # the number of the row in its file, and its cells


def features_in_rows(
    header: list[str], rows: Iterator[Row], layout: Layout, *, annotated: bool = True
) -> Table:
    """Table whose header names the samples and whose first column names the features.

    Parameters
    ----------
    header : list of str
        Names of the columns.
    rows : iterator of (int, sequence)
        Number and cells of each row below the header.
    layout : Layout
        Which rows hold labels and features; its `drop` names rows, and columns of annotations.
    annotated : bool, default=True
        Whether words right of the names may be annotations.

    Returns
    -------
    Table
    """
    columns = [j for j, name in enumerate(header) if j and name not in layout.dropped]
    if not columns:
        raise InputError("The table has no samples; nothing is left beside the dropped columns.")
    layout = _without(layout, {header[j] for j in range(1, len(header)) if j not in columns})
    read = _Rows([header[j] for j in columns], layout, annotated)
    for number, row in rows:
        read.add(number, clean_name(row[0]), [row[j] for j in columns])
    return read.table()


class _Rows:
    """Rows read so far."""

    def __init__(self, samples: list[str], layout: Layout, annotated: bool):
        self._samples, self._layout, self._annotated = samples, layout, annotated
        self._wanted = None if layout.features is None else frozenset(layout.features)
        self._names: list[str] = []
        self._values: dict[int, NDArray] = {}
        self._later: dict[int, Row] = {}  # rows that may yet turn out to be wanted
        self._beside: dict[str, list[Any]] = {}
        self._left_out: list[str] = []

    def add(self, number: int, name: str, cells: list[Any]) -> None:
        """Take in a row."""
        layout = self._layout
        if name == layout.target or name in layout.aside:
            if name in self._beside:
                raise ambiguous(name, "row")
            self._beside[name] = numbers_with_point(cells, layout.decimal)
        elif name in layout.elsewhere:
            self._left_out.append(name)
        else:
            if self._wanted is not None and layout.make_unique:
                self._later[len(self._names)] = (number, cells)
            elif name not in layout.dropped if self._wanted is None else name in self._wanted:
                self._values[len(self._names)] = self._numbers(number, cells)
            self._names.append(name)

    def _numbers(self, number: int, cells: Sequence[Any]) -> NDArray:
        row = quick_numbers(cells, self._layout.decimal)
        if row is None:
            if self._annotated and not self._values:
                self._check_annotations(cells)
            row = slow_numbers(cells, self._samples, number, self._layout)
        return row

    def _check_annotations(self, cells: Sequence[Any]) -> None:
        """Raise an error that names the annotation columns between feature names and values."""
        n_words = sum(1 for _ in takewhile(is_word, cells))
        if 0 < n_words < len(cells):
            names = self._samples[:n_words]
            what = "Column" if n_words == 1 else "Columns"
            raise InputError(
                f"{what} {listed(names)} {'holds' if n_words == 1 else 'hold'} words between the "
                "names of the features and their values; exclude such annotations with "
                f"--drop {','.join(names)}."
            )

    def table(self) -> Table:
        """The table of all rows."""
        layout, names = self._layout, self._names
        for name in (layout.target, *layout.aside):
            if name is not None and name not in self._beside:
                place(name, names, layout, "row")  # raises
        names = made_unique(names) if layout.make_unique else names
        order = feature_positions(names, layout, "row")
        for j in (j for j in order if j in self._later):
            self._values[j] = self._numbers(*self._later[j])
        X = np.array([self._values[j] for j in order]).reshape(len(order), -1).T
        target = None if layout.target is None else labels(self._beside[layout.target])
        table = checked_table(X, target, [names[j] for j in order], self._samples)
        aside = {name: self._beside[name] for name in layout.aside}
        return replace(table, aside=aside, remarks=left_out_remarks(self._left_out))


def _without(layout: Layout, columns: set[str]) -> Layout:
    """The layout without the names of columns among those of rows to drop."""
    kept: list[str] = []
    for given in layout.drop:
        names = [given] if given in columns else by_comma(given)
        kept += [n for n in names if n not in columns] if columns & set(names) else [given]
    return replace(layout, drop=tuple(kept))
