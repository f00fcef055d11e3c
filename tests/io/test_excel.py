"""Workbooks whose sheets are not what they say."""

import zipfile

import numpy as np
import openpyxl
import pytest

from hitmiss.io import excel, read_table
from hitmiss.io.cell_rows import table_from_rows

HEADER = ["x", "y", "class"]


def workbook(path, dimension, rows=()):
    """A workbook of 100 samples of two features, its sheet rewritten: its size, and more rows."""
    sheet = (book := openpyxl.Workbook()).active
    sheet.append(HEADER)
    for n in range(100):
        sheet.append([n, n / 2, "ab"[n % 2]])
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    text = parts[name].decode().replace("A1:C101", dimension)
    parts[name] = text.replace("</sheetData>", "".join(rows) + "</sheetData>").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("dimension", ["A1:C101", "A1:C21", "A1:B101", "C5:C6", "A1:XFD1048576"])
def test_the_stated_size_does_not_matter(tmp_path, dimension):
    table = read_table(workbook(tmp_path / "a.xlsx", dimension), "class")
    np.testing.assert_array_equal(table.X, [[n, n / 2] for n in range(100)])
    assert table.y.tolist() == ["a", "b"] * 50


def test_rows_between_the_table_and_a_cell_far_away_are_not_filled_in(tmp_path, monkeypatch):
    n_cells = 0

    def counted(rows, layout):
        def each():
            nonlocal n_cells
            for number, cells in rows:
                n_cells += len(cells)
                assert n_cells <= 101 * 3 + 16_384  # of 17 billion
                yield number, cells

        return table_from_rows(each(), layout)

    monkeypatch.setattr(excel, "table_from_rows", counted)
    last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    with pytest.raises(ValueError, match=r"Row 1048576 has 16,384 values where the header has 3"):
        read_table(workbook(tmp_path / "a.xlsx", "A1:XFD1048576", [last]), "class")
    assert n_cells == 101 * 3 + 16_384


def test_a_sheet_that_is_nearly_empty_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(excel, "MOST_CELLS_NEARLY_EMPTY", 1_000_000)
    path = tmp_path / "a.xlsx"
    sheet = (book := openpyxl.Workbook(write_only=True)).create_sheet()
    sheet.append([*[None] * 16_383, "far"])
    for _ in range(70):
        sheet.append([*[None] * 16_383, 1])
    book.save(path)
    with pytest.raises(ValueError, match=r"nearly empty: of its first 1,\d+,\d+ cells 62 hold"):
        read_table(path)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (['<row r="50"><c r="A50"><v>7</v></c></row>'], "Row 50 of the sheet comes after row 101"),
        (['<row r="9999999999"/>'], "Row 9999999999 of the sheet comes after row 101"),
        (
            ['<row r="102"><c r="B102"><v>1</v></c><c r="A102"><v>2</v></c></row>'],
            "Row 102 of the sheet holds its cells twice or out of order",
        ),
        (
            ['<row r="102"><c r="A103"><v>1</v></c></row>'],
            "Row 102 of the sheet holds its cells twice or out of order",
        ),
    ],
)
def test_rows_and_cells_out_of_order_are_refused(tmp_path, rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_table(workbook(tmp_path / "a.xlsx", "A1:C101", rows), "class")
