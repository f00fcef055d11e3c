"""The files that list features: selected.txt, weights.csv and results.xlsx."""

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import optional
from hitmiss.cli._shared.output_files import FORMULA, quoted, write_csv
from hitmiss.cli._shared.result import Result

if TYPE_CHECKING:
    from hitmiss.report.feature_columns import Column

MOST_ROWS = 25_000  # of the Excel table: as many as the report has, written in about five seconds
NARROW, WIDE = 14, 40  # characters of a column of numbers, and of names


def write_selected(folder: Path, result: Result) -> None:
    """selected.txt: a name per line, best first, exactly as in the data."""
    text = "".join(f"{name}\n" for name in result.names(result.listed))
    (folder / "selected.txt").write_text(text, encoding="utf-8", newline="\n")


def write_weights(folder: Path, result: Result) -> None:
    """weights.csv: every feature, best first, with numbers to the last bit."""
    ranking = result.fitted.estimator.ranking_
    columns = result.columns(ranking)
    header = ["rank", "feature", *(column.key for column in columns)]
    cells = [_csv_cells(column) for column in columns]
    names = map(quoted, result.names(ranking))
    write_csv(folder / "weights.csv", header, _numbered(names, *cells))


def write_excel(folder: Path, result: Result) -> None:
    """results.xlsx: the verdict, and the best features with all that is known of them."""
    openpyxl = optional("openpyxl", extra="excel")
    ranking = result.fitted.estimator.ranking_[:MOST_ROWS]
    columns = result.columns(ranking)
    book = openpyxl.Workbook(write_only=True)
    if result.verdict is not None:
        _write_sheet(book, "verdict", ["verdict"], [[result.verdict.sentence]])
    header = ["rank", "feature", *(column.key for column in columns)]
    cells = [_excel_values(column) for column in columns]
    _write_sheet(book, "features", header, _numbered(result.names(ranking), *cells))
    book.save(folder / "results.xlsx")


def _numbered(*columns: Any) -> Iterator[tuple[Any, ...]]:
    """Rows of the columns, each with its rank in front."""
    return ((rank, *row) for rank, row in enumerate(zip(*columns, strict=True), 1))


def _csv_cells(column: "Column") -> list[Any]:
    values = column.values.tolist()
    return [_csv_text(text) for text in values] if column.kind == "text" else values


def _csv_text(text: str) -> str:
    """Escape text that a spreadsheet would run as a formula; a number, such as -1, stays."""
    try:
        float(text)
    except ValueError:
        return quoted(text)
    return text


def _write_sheet(book: Any, title: str, header: list[str], rows: Any) -> None:
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    for k, name in enumerate(header):
        letter = optional("openpyxl.utils", extra="excel").get_column_letter(k + 1)
        sheet.column_dimensions[letter].width = WIDE if name in ("feature", "verdict") else NARROW
    sheet.append([_excel_text(sheet, name) for name in header])
    for row in rows:
        sheet.append([_excel_text(sheet, v) if isinstance(v, str) else v for v in row])


def _excel_values(column: "Column") -> list[Any]:
    """The values; an Excel table has no number that is not finite."""
    values = column.values.tolist()
    return values if column.kind == "text" else [v if isfinite(v) else None for v in values]


def _excel_text(sheet: Any, text: str) -> Any:
    """Cell that stays text whatever it begins with, even after editing."""
    cells = optional("openpyxl.cell", extra="excel")
    cell = cells.WriteOnlyCell(sheet, value=cells.cell.ILLEGAL_CHARACTERS_RE.sub("\ufffd", text))
    cell.data_type = "s"  # not "f" for text that begins with "=", nor "e" for "#N/A"
    if text.startswith(FORMULA):
        cell.quotePrefix = True
    return cell
