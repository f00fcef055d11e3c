"""Rows of cells, text or numbers, turned into a table."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._errors import InputError
from hitmiss.io.table import (
    Layout,
    Table,
    ambiguous,
    chosen,
    clean_name,
    finished,
    is_missing,
    is_number,
    labels,
    position,
)

# Headers under which a first column holds names, even if they are numbers.
NAME_HEADERS = frozenset({"", "id", "index", "sample", "sample_id", "__index_level_0__"})

Row = tuple[int, Sequence[Any]]  # the number of the row in its file, and its cells


def table_from_rows(rows: Iterable[Row], layout: Layout) -> Table:
    """Table of the rows, the first of which is the header.

    Parameters
    ----------
    rows : iterable of (int, sequence)
        Number and cells of each row.
    layout : Layout
        What the rows hold.

    Returns
    -------
    Table
    """
    filled = ((n, row) for n, row in rows if any(cell not in (None, "") for cell in row))
    first = next(filled, None)
    if first is None:
        raise InputError("The file is empty.")
    header = ["" if cell is None else clean_name(cell) for cell in first[1]]
    second = next(filled, None)
    if second is None:
        raise InputError("The table has no samples; below the header it is empty.")
    if len(second[1]) == len(header) + 1:  # R writes no header above the row names
        header.insert(0, "")
    body = _of_one_length(chain([second], filled), len(header))
    read = _features_in_rows if layout.transpose else _samples_in_rows
    return read(header, body, layout)


def _of_one_length(rows: Iterable[Row], length: int) -> Iterator[Row]:
    for number, row in rows:
        if len(row) != length:
            raise InputError(
                f"Row {number} has {len(row):,} values where the header has {length:,}."
            )
        yield number, row


def _samples_in_rows(header: list[str], rows: Iterator[Row], layout: Layout) -> Table:
    first = next(rows)
    columns = Columns(header, layout, first[1][0])
    values: list[NDArray] = []
    targets, samples = [], []
    for number, row in chain([first], rows):
        values.append(_numbers([row[j] for j in columns.features], columns.names, number))
        if columns.target is not None:
            targets.append(row[columns.target])
        if columns.samples is not None:
            samples.append(row[columns.samples])
    y = None if columns.target is None else labels(targets)
    names = columns.checked_names(samples, first[0])
    return finished(np.array(values), y, columns.names, names)


def _features_in_rows(header: list[str], rows: Iterator[Row], layout: Layout) -> Table:
    wanted = None if layout.features is None else frozenset(layout.features)
    names: list[str] = []
    values: dict[int, NDArray] = {}
    y = None
    for number, row in rows:
        name = clean_name(row[0])
        if name == layout.target:
            if y is not None:
                raise ambiguous(name, "row")
            y = labels(row[1:])
            continue
        if name not in layout.drop if wanted is None else name in wanted:
            values[len(names)] = _numbers(row[1:], header[1:], number)
        names.append(name)
    if y is None and layout.target is not None:
        position(layout.target, names, "row")  # raises
    order = chosen(names, layout, "row")
    X = np.array([values[j] for j in order]).reshape(len(order), -1).T
    return finished(X, y, [names[j] for j in order], header[1:])


class Columns:
    """Which column is what.

    Parameters
    ----------
    header : list of str
        Names of the columns.
    layout : Layout
        What the caller said of them.
    first : object
        The first cell below the header: text means that the first column holds sample names.

    Attributes
    ----------
    target, samples : int or None
        Where labels and sample names are.
    guessed : bool
        Whether nothing but text in the first column says that it holds sample names.
    features : list of int
        Where the features are.
    names : list of str
        Their names.
    """

    def __init__(self, header: list[str], layout: Layout, first: Any):
        self.target = None if layout.target is None else position(layout.target, header)
        self.guessed = False
        if layout.samples is not None:
            self.samples: int | None = position(layout.samples, header)
        elif self.target == 0 or header[0] in (*layout.drop, *(layout.features or ())):
            self.samples = None
        else:
            by_header = header[0].lower() in NAME_HEADERS
            self.guessed = not (by_header or is_number(first) or is_missing(first))
            self.samples = 0 if by_header or self.guessed else None
        left = [j for j in range(len(header)) if j not in (self.target, self.samples)]
        self.features = [left[k] for k in chosen([header[j] for j in left], layout)]
        self.names = [header[j] for j in self.features]
        self._first, self._all_wanted = header[0], layout.features is None

    def checked_names(self, samples: list[Any], row: int) -> list[Any] | None:
        """Names of the samples, if there are any.

        A first column that was only guessed to hold names, and holds some of them twice, is no
        feature either: an error, unless the features asked for are others.
        """
        if self.samples is None:
            return None
        if not self.guessed or len(set(samples)) == len(samples):
            return samples
        if self._all_wanted:
            raise not_a_number(self._first, samples[0], row)
        return None


def _numbers(cells: Sequence[Any], names: Sequence[str], number: int) -> NDArray:
    try:
        if "_" not in "".join(cells):  # Python reads 1_000 as a number
            return np.array(list(map(float, cells)))
    except (TypeError, ValueError):
        pass  # something is missing, or is no text: one by one
    return np.array(
        [value_of(cell, name, number) for cell, name in zip(cells, names, strict=True)], float
    )


def value_of(cell: Any, name: str, number: int) -> float:
    """The number in a cell, NaN if it is missing, or an error that says where it is."""
    if is_missing(cell):
        return np.nan
    if is_number(cell):
        return float(cell)
    raise not_a_number(name, cell, number)


def not_a_number(name: str, cell: Any, number: int) -> InputError:
    """What to say of a cell that should hold a number."""
    shown = str(cell) if len(str(cell)) <= 40 else f"{str(cell)[:40]}..."
    return InputError(
        f"Column {name!r} holds {shown!r} in row {number}, which is no number; correct it, or "
        "leave the column out by drop (--drop)."
    )
