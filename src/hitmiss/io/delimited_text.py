"""Tables from comma-, semicolon- or tab-separated text, compressed or not.

The csv module of Python reads it: for the thousands of columns of wide data it takes less time than
pandas or pyarrow, which handle every column separately, and it keeps the numbers of the rows.
"""

import csv
import gzip
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.cell_rows import table_from_rows
from hitmiss.io.table import Layout, Table

DELIMITERS = ",;\t"


def read_text(path: Path, layout: Layout) -> Table:
    """Table of a text file in UTF-8, its delimiter the most frequent one of the first line."""
    with (
        parsing(path, "a table of text"),
        layout.open(path) as raw,
        TextIOWrapper(_unpacked(path, raw), encoding="utf-8-sig", newline="") as f,
    ):
        try:
            delimiter = _delimiter(f, path)
            return table_from_rows(
                enumerate(csv.reader(f, delimiter=delimiter, strict=True), 1), layout
            )
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path} is not text in UTF-8; if it is a table, save it again with that encoding."
            ) from error


def _unpacked(path: Path, raw: BufferedReader) -> Any:
    return gzip.GzipFile(fileobj=raw) if path.suffix.lower() == ".gz" else raw


def _delimiter(f: TextIO, path: Path) -> str:
    first = f.readline()
    if "\0" in first:
        raise InputError(f"{path} is not text, although its name says so.")
    delimiter = max(DELIMITERS, key=first.count)
    if first.startswith("#"):
        below = next((line for line in f if not line.startswith("#")), "")
        if max(map(below.count, DELIMITERS)) > first.count(delimiter):
            raise InputError(
                f"{path} begins with a comment; delete the lines with # above the header."
            )
    f.seek(0)
    return delimiter
