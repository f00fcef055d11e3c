"""Tables from Parquet files.

The whole file becomes a table with names and labels; `hitmiss.data.sources.parquet` reads the
columns of a matrix block by block.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hitmiss._util.errors import optional, parsing
from hitmiss.data.sources.parquet import index_columns
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table
from hitmiss.io.typed_columns import Column, table_from_columns


def read_parquet(path: Path, layout: Layout) -> Table:
    """Table of a Parquet file; an index that pandas wrote holds the sample names."""
    parquet = optional("pyarrow.parquet", extra="parquet")
    with parsing(path, "a Parquet file"):
        # For very many columns faster, and in less memory, than pyarrow's read_table.
        with parquet.ParquetFile(path, memory_map=True) as f:
            data = f.read()
        index = _index(data.schema, layout)
        rest = [name for name in data.column_names if name not in index]
        columns = [
            data.column(name).to_pylist() if name == layout.samples else _column(data.column(name))
            for name in rest
        ]
        if index and layout.samples is None and not layout.whole:
            rest.insert(0, " / ".join(index))
            columns.insert(0, _joined([data.column(name).to_pylist() for name in index]))
            layout = replace(layout, samples=rest[0])
    return table_from_columns(rest, columns, layout)


def _index(schema: Any, layout: Layout) -> list[str]:
    """Columns that pandas wrote as the index and that have no other role in the layout."""
    if layout.whole:
        return []
    asked = {layout.target, layout.samples, *layout.drop, *(layout.features or ()), *layout.aside}
    return [name for name in index_columns(schema) if name not in asked]


def _joined(columns: list[list[Any]]) -> list[Any]:
    """The names of an index, those of several levels with a slash between."""
    if len(columns) == 1:
        return columns[0]
    return [" / ".join(map(str, levels)) for levels in zip(*columns, strict=True)]


def _column(column: Any) -> Column:
    """Numbers as an array, NaN for missing ones; all else as a list."""
    types = optional("pyarrow", extra="parquet").types
    if types.is_floating(column.type):
        return column.to_numpy()
    if types.is_integer(column.type) or types.is_boolean(column.type):
        return column.cast("float64").to_numpy()
    return column.to_pylist()
