"""Tables from rows of cells, which are text or numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from hitmiss._util.errors import InputError
from hitmiss.io.cells import clean_name
from hitmiss.io.column_roles import ROW_NAMES, Cell, ColumnRoles
from hitmiss.io.decimals import numbers_with_point
from hitmiss.io.feature_cells import FeatureCells
from hitmiss.io.feature_rows import Row, features_in_rows
from hitmiss.io.labels import labels
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique


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
    if layout.whole:
        return _whole(header, body, layout.decimal)
    read = features_in_rows if layout.transpose else _samples_in_rows
    return read(header, body, layout)


def _of_one_length(rows: Iterable[Row], length: int) -> Iterator[Row]:
    for number, row in rows:
        if len(row) != length:
            raise InputError(
                f"Row {number} has {len(row):,} values where the header has {length:,}."
            )
        yield number, row


def _whole(header: list[str], rows: Iterator[Row], decimal: str | None) -> Table:
    names = made_unique([name or f"column {j}" for j, name in enumerate(header, 1)])
    columns = zip(*(row for _, row in rows), strict=True)
    cells = (numbers_with_point(column, decimal) for column in columns)
    return whole_table(dict(zip(names, cells, strict=True)))


def _samples_in_rows(header: list[str], rows: Iterator[Row], layout: Layout) -> Table:
    first = next(rows)
    names = made_unique(header) if layout.make_unique and all(header) else header
    columns = ColumnRoles(names, layout, first[1][0])
    features = columns.features.copy()
    values = FeatureCells(columns.names, layout, columns.nominal)
    targets: list[Any] = []
    samples: list[Cell] = []
    aside: dict[str, list[Any]] = {name: [] for name in columns.aside}
    for number, row in chain([first], rows):
        values.add(number, [row[j] for j in features])
        if columns.target is not None:
            targets.append(row[columns.target])
        if columns.samples is not None:
            samples.append((number, row[columns.samples]))
        for name, j in columns.aside.items():
            aside[name].append(row[j])
    mark = layout.decimal
    target = None if columns.target is None else labels(numbers_with_point(targets, mark))
    aside = {name: numbers_with_point(cells, mark) for name, cells in aside.items()}
    sample_names = columns.sample_names(samples)
    X, levels = values.matrix()
    if columns.features != features:  # the first column has turned out to be a feature
        one = FeatureCells(columns.names[:1], layout)
        for number, cell in samples:
            one.add(number, [cell])
        x, more = one.matrix()
        X, levels = np.column_stack([x, X]), more | levels
    table = checked_table(X, target, columns.names, sample_names, columns.sample_column)
    return replace(table, aside=aside, levels=levels, remarks=left_out_remarks(columns.left_out))
