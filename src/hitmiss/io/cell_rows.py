"""Tables from rows of cells, which are text or numbers."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.cells import cell_value, clean_name
from hitmiss.io.column_roles import ROW_NAMES, Cell, ColumnRoles, text_hint
from hitmiss.io.labels import labels
from hitmiss.io.table import Layout, Table, ambiguous, checked_table, feature_positions, position

Row = tuple[int, Sequence[Any]]  # the number of the row in its file, and its cells


def table_from_rows(rows: Iterable[Row], layout: Layout) -> Table:
    """Table of rows, the first of which is the header.

    Parameters
    ----------
    rows : iterable of (int, sequence)
        Number and cells of each row.
    layout : Layout
        Which columns, or rows, hold labels, sample names and features.

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
        header.insert(0, ROW_NAMES)
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
    columns = ColumnRoles(header, layout, first[1][0])
    features, names = columns.features.copy(), columns.names
    values: list[NDArray] = []
    targets: list[Any] = []
    samples: list[Cell] = []
    for number, row in chain([first], rows):
        values.append(_numbers([row[j] for j in features], names, number, layout))
        if columns.target is not None:
            targets.append(row[columns.target])
        if columns.samples is not None:
            samples.append((number, row[columns.samples]))
    target = None if columns.target is None else labels(targets)
    sample_names = columns.sample_names(samples)
    X = np.array(values)
    if columns.features != features:  # the first column has turned out to be a feature
        name, hint = columns.names[0], text_hint(layout)
        x = [cell_value(cell, name, number, hint) for number, cell in samples]
        X = np.column_stack([x, X])
    return checked_table(X, target, columns.names, sample_names, columns.sample_column)


def _features_in_rows(header: list[str], rows: Iterator[Row], layout: Layout) -> Table:
    wanted = None if layout.features is None else frozenset(layout.features)
    dropped = layout.dropped
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
        if name not in dropped if wanted is None else name in wanted:
            values[len(names)] = _numbers(row[1:], header[1:], number, layout)
        names.append(name)
    if y is None and layout.target is not None:
        position(layout.target, names, "row")  # raises
    order = feature_positions(names, layout, "row")
    X = np.array([values[j] for j in order]).reshape(len(order), -1).T
    return checked_table(X, y, [names[j] for j in order], header[1:])


def _numbers(cells: Sequence[Any], names: Sequence[str], number: int, layout: Layout) -> NDArray:
    try:
        if "_" not in "".join(cells):  # Python reads 1_000 as a number
            return np.array(list(map(float, cells)))
    except (TypeError, ValueError):
        pass  # a value is missing, or is not text: convert one by one
    hint = text_hint(layout)
    values = [cell_value(cell, name, number, hint) for cell, name in zip(cells, names, strict=True)]
    return np.array(values, float)
