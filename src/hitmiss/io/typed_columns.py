"""Tables from columns of one type each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.io import words
from hitmiss.io.cell_rows import table_from_rows
from hitmiss.io.cells import cell_value, clean_name, is_missing, is_word
from hitmiss.io.column_roles import ColumnRoles, text_hint
from hitmiss.io.feature_cells import Levels
from hitmiss.io.labels import labels
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique

Column = NDArray | list[Any]  # numbers, or cells of any kind


def table_from_columns(names: Sequence[str], columns: Sequence[Column], layout: Layout) -> Table:
    """Table of columns, as column-wise formats store them.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    columns : sequence of ndarray or list
        Numbers as arrays, all else as lists.
    layout : Layout
        Which columns hold labels, sample names and features.

    Returns
    -------
    Table
    """
    header = [clean_name(name) for name in names]
    if layout.transpose or not columns or not len(columns[0]):
        return table_from_rows(_rows(header, columns), layout)
    if layout.whole:
        return whole_table(dict(zip(made_unique(header), map(list, columns), strict=True)))
    if layout.make_unique:
        header = made_unique(header)
    found = ColumnRoles(header, layout, columns[0][0])
    cells = [] if found.samples is None else list(enumerate(columns[found.samples], 1))
    samples = found.sample_names(cells)
    target = None if found.target is None else labels(columns[found.target])
    X, levels = _matrix([columns[j] for j in found.features], found, len(columns[0]), layout)
    table = checked_table(X, target, found.names, samples, found.sample_column)
    aside = {name: list(columns[j]) for name, j in found.aside.items()}
    return replace(table, aside=aside, levels=levels, remarks=left_out_remarks(found.left_out))


def _rows(header: list[str], columns: Sequence[Column]) -> Iterator[tuple[int, Sequence[Any]]]:
    return enumerate(chain([header], zip(*columns, strict=True)))


def _matrix(
    columns: Sequence[Column], roles: ColumnRoles, n_samples: int, layout: Layout
) -> tuple[NDArray, Levels]:
    single = all(isinstance(c, np.ndarray) and np.can_cast(c.dtype, np.float32) for c in columns)
    X = np.empty((n_samples, len(columns)), np.float32 if single else np.float64, order="F")
    hint, mark, nominal, levels = text_hint(layout), layout.decimal, set(roles.nominal), {}
    for j, (column, name) in enumerate(zip(columns, roles.names, strict=True)):
        if j in nominal or _is_nominal(column):
            X[:, j], levels[name] = words.coded(list(column), name, not_names=j not in nominal)
        elif isinstance(column, list):
            X[:, j] = [cell_value(cell, name, n, hint, mark) for n, cell in enumerate(column, 1)]
        else:
            X[:, j] = column
    return X, levels


def _is_nominal(column: Column) -> bool:
    """Whether every value of a column is a word."""
    known = [] if isinstance(column, np.ndarray) else [c for c in column if not is_missing(c)]
    return bool(known) and all(map(is_word, known))
