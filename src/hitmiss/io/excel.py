"""Tables from Excel workbooks."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from hitmiss._util.errors import InputError, optional, parsing
from hitmiss.io.cell_rows import table_from_rows
from hitmiss.io.feature_rows import Row
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table

MOST_ROWS = 1_048_576  # of a sheet, by the definition of the format
# A sheet with more cells than this, of which less than a hundredth holds a value, is refused: a
# file of some kilobytes can describe one that takes hours and all memory to fill in.
MOST_CELLS_NEARLY_EMPTY = 10_000_000


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
    width = n_filled = n_cells = 0
    for number, cells in _ordered_rows(sheet):
        width = width or len(cells)
        n_filled += sum(cell is not None for cell in cells)
        n_cells += max(width, len(cells))
        if n_cells > MOST_CELLS_NEARLY_EMPTY and n_filled < n_cells // 100:
            raise InputError(
                f"The sheet is nearly empty: of its first {n_cells:,} cells {n_filled:,} hold a "
                "value; delete cells far from the table."
            )
        yield number, cells + [None] * (width - len(cells))


def _ordered_rows(sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Number and cells of every row that is there.

    openpyxl itself cuts the rows to the size that the sheet states, which need not be true, and
    drops rows and cells that come twice. So its parser is asked here, and nothing is dropped.
    """
    book, last = sheet.parent, 0
    with sheet._get_source() as source:
        parser = import_module("openpyxl.worksheet._reader").WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, cells in parser.parse():
            if number <= last or number > MOST_ROWS:
                raise InputError(
                    f"Row {number} of the sheet comes after row {last}; save the workbook again "
                    "with a spreadsheet program."
                )
            last = number
            yield number, _in_place(cells, number)


def _in_place(cells: list[dict[str, Any]], number: int) -> list[Any]:
    """Values of a row by column, None where there is no cell, up to the last value."""
    row: list[Any] = []
    for cell in cells:
        if cell["row"] != number or cell["column"] <= len(row):
            raise InputError(
                f"Row {number} of the sheet holds its cells twice or out of order; save the "
                "workbook again with a spreadsheet program."
            )
        row += [None] * (cell["column"] - 1 - len(row))
        row.append(cell["value"])
    while row and row[-1] is None:
        row.pop()
    return row
