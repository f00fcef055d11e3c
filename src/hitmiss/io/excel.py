"""Tables from Excel workbooks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hitmiss._util.errors import optional, parsing
from hitmiss.io.cell_rows import Row, table_from_rows
from hitmiss.io.table import Layout, Table


def read_excel(path: Path, layout: Layout) -> Table:
    """Table of the first sheet of a workbook; formulas are read as their stored values."""
    openpyxl = optional("openpyxl", extra="excel")
    with parsing(path, "an Excel workbook"), layout.open(path) as f:
        book = openpyxl.load_workbook(f, read_only=True, data_only=True)
        try:
            return table_from_rows(_rows(book.worksheets[0]), layout)
        finally:
            book.close()


def _rows(sheet: Any) -> Iterator[Row]:
    """Rows of the width of the first; empty cells at the end of a row do not count."""
    width = None
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = _trimmed(row)
        if width is None and cells:
            width = len(cells)
        yield number, cells + [None] * ((width or 0) - len(cells))


def _trimmed(row: Sequence[Any]) -> list[Any]:
    cells = list(row)
    while cells and cells[-1] is None:
        cells.pop()
    return cells
