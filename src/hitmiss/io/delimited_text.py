"""Tables from comma-, semicolon- or tab-separated text, compressed or not.

The csv module of Python reads it: for the thousands of columns of wide data it takes less time than
pandas or pyarrow, which handle every column separately, and it keeps the numbers of the rows.
"""

import csv
import gzip
from dataclasses import replace
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.cell_rows import table_from_rows
from hitmiss.io.decimals import decimal_mark
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table

DELIMITERS = ",;\t"


def read_text(path: Path, layout: Layout) -> Table:
    """Table of a text file in UTF-8, its delimiter the most frequent one of the first line."""
    with (
        parsing(path, "a table of text"),
        layout.open(path) as raw,
        TextIOWrapper(unpacked(path, raw), encoding="utf-8-sig", newline="") as f,
    ):
        try:
            delimiter = _delimiter(f, path)
            layout, remarks = _with_mark(layout, f, delimiter)
            rows = enumerate(csv.reader(f, delimiter=delimiter, strict=True), 1)
            table = table_from_rows(rows, layout)
            return replace(table, remarks=(*remarks, *table.remarks))
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path} is not UTF-8 text; if it is a table, save it as UTF-8."
            ) from error


def unpacked(path: Path, raw: BufferedReader) -> Any:
    """Reader of the bytes of a file, which is compressed if its name ends in .gz."""
    return gzip.GzipFile(fileobj=raw) if path.suffix.lower() == ".gz" else raw


def _with_mark(layout: Layout, f: TextIO, delimiter: str) -> tuple[Layout, tuple[str, ...]]:
    """The layout with the decimal mark of the text, and a sentence if that is a comma."""
    if layout.decimal is not None:
        return layout, ()
    mark = decimal_mark(f, delimiter)
    f.seek(0)
    found = "Numbers are read with a decimal comma; --decimal . reads them with a point."
    return replace(layout, decimal=mark), (found,) if mark == "," else ()


def _delimiter(f: TextIO, path: Path) -> str:
    first = f.readline()
    if "\0" in first:
        raise InputError(f"{path} is not a text file, although its name says so.")
    delimiter = max(DELIMITERS, key=first.count)
    if first.startswith("#"):
        below = next((line for line in f if not line.startswith("#")), "")
        if max(map(below.count, DELIMITERS)) > first.count(delimiter):
            raise InputError(
                f"{path} begins with a comment; delete the lines with # above the header."
            )
    f.seek(0)
    return delimiter
