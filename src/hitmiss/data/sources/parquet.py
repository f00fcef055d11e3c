"""Parquet files, read a few columns at a time."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError, optional
from hitmiss.data.sources import Source

PARQUET_COLUMNS = 256  # read at once: what pyarrow holds besides the values grows with them
PARQUET_COLUMN_BYTES = 600  # that pyarrow holds for the schema: 535 of each of 20,000 and 80,000
PARQUET_BYTES = 40_000_000  # that it holds besides, after the 20 passes of a fit: 30 MB at most
PARQUET_COPIES = 3  # of small data that it holds besides instead: 30 MB of 12.8 MB were seen


class ParquetSource(Source):
    """Columns of a Parquet file, each a feature.

    Parameters
    ----------
    file : pyarrow.parquet.ParquetFile or path
        The file.
    columns : sequence of str, optional
        Names of the columns that are features; by default all but the index that pandas wrote.
        They hold numbers.
    """

    def __init__(self, file: Any, columns: Sequence[str] | None = None):
        if isinstance(file, str | PathLike):
            file = optional("pyarrow.parquet", extra="parquet").ParquetFile(file)
        schema = file.schema_arrow
        if columns is None:
            index = index_columns(schema)
            columns = [name for name in schema.names if name not in index]
        names = list(columns)
        gaps = _columns_with_gaps(file.metadata)
        dtypes = {_dtype(schema.field(name), gaps=name in gaps) for name in names}
        super().__init__(
            (file.metadata.num_rows, len(names)),
            np.result_type(*dtypes) if dtypes else np.dtype(float),
            names=np.array(names, dtype=object),
        )
        self._file, self._columns = file, names
        n_bytes = self.shape[0] * self.shape[1] * self.dtype.itemsize
        held = min(PARQUET_BYTES, PARQUET_COPIES * n_bytes)
        self.overhead = held + PARQUET_COLUMN_BYTES * len(schema.names)

    def _span(self, start: int, stop: int) -> NDArray:
        return self._table(self._columns[start:stop])

    def _take(self, index: NDArray) -> NDArray:
        return self._table([self._columns[j] for j in index])

    def _table(self, names: list[str]) -> NDArray:
        out = np.empty((self.shape[0], len(names)), self.dtype)
        for start in range(0, len(names), PARQUET_COLUMNS):
            part = slice(start, start + PARQUET_COLUMNS)
            self._fill(out[:, part], names[part])
        # What pyarrow keeps for later reads would otherwise count against the memory of a fit.
        optional("pyarrow", extra="parquet").default_memory_pool().release_unused()
        return out

    def _fill(self, out: NDArray, names: list[str]) -> None:
        table = self._file.read(columns=names, use_threads=False)
        for j, name in enumerate(names):
            column = table.column(name)
            if column.null_count and out.dtype.kind != "f":
                raise InputError(
                    f"Column {name!r} of whole numbers has missing values, which the file does not "
                    "announce; write it again with statistics, or as floating-point numbers."
                )
            out[:, j] = column.to_numpy()  # NaN for what is missing


def index_columns(schema: Any) -> list[str]:
    """The columns that pandas wrote as the index, which name the samples and are no features."""
    declared = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name in declared]


def _columns_with_gaps(metadata: Any) -> set[str]:
    """Names of the columns that have missing values, as far as the file tells."""
    found = set()
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for k in range(metadata.num_columns):
            column = row_group.column(k)
            known = column.statistics
            if known is not None and known.has_null_count and known.null_count:
                found.add(column.path_in_schema)
    return found


def _dtype(field: Any, *, gaps: bool) -> np.dtype:
    try:
        dtype = np.dtype(field.type.to_pandas_dtype())
    except (NotImplementedError, TypeError):
        dtype = np.dtype(object)
    if dtype.kind not in "biuf":
        raise InputError(
            f"Column {field.name!r} holds {field.type} and no numbers; leave it out of the "
            "features with ParquetSource(file, columns=...)."
        )
    return np.result_type(dtype, np.float32) if gaps else dtype
