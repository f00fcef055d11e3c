"""Tables from Parquet files.

The whole file becomes a table with names and labels; `hitmiss.data.sources.parquet` reads the
columns of a matrix block by block.
"""

from pathlib import Path
from typing import Any

from hitmiss._util.errors import optional, parsing
from hitmiss.io.table import Layout, Table
from hitmiss.io.typed_columns import Column, table_from_columns


def read_parquet(path: Path, layout: Layout) -> Table:
    """Table of a Parquet file; an index that pandas wrote holds the sample names."""
    parquet = optional("pyarrow.parquet", extra="parquet")
    with parsing(path, "a Parquet file"):
        # For very many columns faster, and in less memory, than pyarrow's read_table.
        with parquet.ParquetFile(path, memory_map=True) as f:
            data = f.read()
        names = data.column_names
        columns = [_column(column) for column in data.columns]
        index = _index_position(data.schema, names)
    if index is not None:
        names.insert(0, names.pop(index))
        columns.insert(0, columns.pop(index))
    return table_from_columns(names, columns, layout)


def _index_position(schema: Any, names: list[str]) -> int | None:
    declared = (schema.pandas_metadata or {}).get("index_columns", [])
    return next((names.index(name) for name in declared if name in names), None)


def _column(column: Any) -> Column:
    """Numbers as an array, NaN for missing ones; all else as a list."""
    types = optional("pyarrow", extra="parquet").types
    if types.is_floating(column.type):
        return column.to_numpy()
    if types.is_integer(column.type) or types.is_boolean(column.type):
        return column.cast("float64").to_numpy()
    return column.to_pylist()
