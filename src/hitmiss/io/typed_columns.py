"""Tables from columns of one type each."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.io.cell_rows import table_from_rows
from hitmiss.io.cells import cell_value, clean_name
from hitmiss.io.column_roles import ColumnRoles, text_hint
from hitmiss.io.labels import labels
from hitmiss.io.table import Layout, Table, checked_table

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
    found = ColumnRoles(header, layout, columns[0][0])
    cells = [] if found.samples is None else list(enumerate(columns[found.samples], 1))
    samples = found.sample_names(cells)
    target = None if found.target is None else labels(columns[found.target])
    X = _matrix([columns[j] for j in found.features], found.names, len(columns[0]), layout)
    return checked_table(X, target, found.names, samples, found.sample_column)


def _rows(header: list[str], columns: Sequence[Column]) -> Iterator[tuple[int, Sequence[Any]]]:
    return enumerate(chain([header], zip(*columns, strict=True)))


def _matrix(
    columns: Sequence[Column], names: Sequence[str], n_samples: int, layout: Layout
) -> NDArray:
    single = all(isinstance(c, np.ndarray) and np.can_cast(c.dtype, np.float32) for c in columns)
    X = np.empty((n_samples, len(columns)), np.float32 if single else np.float64, order="F")
    hint = text_hint(layout)
    for j, (column, name) in enumerate(zip(columns, names, strict=True)):
        if isinstance(column, list):
            X[:, j] = [cell_value(cell, name, n, hint) for n, cell in enumerate(column, 1)]
        else:
            X[:, j] = column
    return X
