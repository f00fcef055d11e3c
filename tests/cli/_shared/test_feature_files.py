"""The tables of features that `hitmiss select` writes."""

import sys

import numpy as np
import openpyxl
import pytest

from tests.cli.conftest import rows_of

NAMES = ["=1+1", "+a", "-b", "@sum", "#N/A", "'c", "a\x07b", "d"]
COLUMNS = [
    *("rank", "feature", "weight", "importance", "selected", "score", "q_value"),
    *("selection_frequency", "highest_in", "mean_-1", "mean_=2"),
]


@pytest.fixture
def written(hitmiss, write_csv, tmp_path):
    """The folder of a run on features and classes with names that look like formulas."""
    labels = np.where(np.arange(40) % 2, "=2", "-1")
    X = np.random.default_rng(0).normal(size=(40, 7)) + 3 * (labels == "=2")[:, None]
    rows = [[label, *x, 5] for label, x in zip(labels, X.tolist(), strict=True)]
    path = write_csv([["kind", *NAMES], *rows])
    options = ["--quick", "--permutations", "9", "--stability", "2", "--top", "3"]
    result = hitmiss("select", path, "-t", "kind", *options, "-q", "-o", tmp_path / "out")
    assert result.exit_code == 0
    return tmp_path / "out"


def test_weights_csv_has_all_that_is_known_of_a_feature(written):
    rows = rows_of(written / "weights.csv")
    assert list(rows[0]) == COLUMNS
    constant = next(row for row in rows if row["feature"] == "d")
    assert (constant["mean_-1"], constant["mean_=2"], constant["highest_in"]) == ("5.0", "5.0", "")
    assert {row["highest_in"] for row in rows if row is not constant} == {"'=2"}
    assert float(rows[0]["q_value"]) == 0.1
    assert {float(row["selection_frequency"]) for row in rows} <= {0.0, 0.5, 1.0}


def test_every_column_of_the_report_is_in_weights_csv(written):
    report = (written / "report.html").read_text(encoding="utf-8")
    labels = ["Weight", "Selected", "Score", "q-value", "Selection frequency", "Highest in"]
    labels += ["Mean, class -1", "Mean, class =2"]
    assert [label for label in labels if f"<bdi>{label}</bdi></button>" not in report] == []
    assert report.count("</bdi></button></th>") == len(labels) + 2  # rank and name
    assert len(COLUMNS) == len(labels) + 3  # and the importance


def test_the_excel_table_runs_no_formula(written):
    book = openpyxl.load_workbook(written / "results.xlsx")
    assert book.sheetnames == ["verdict", "features"]
    assert "permutation p 0.1" in book["verdict"]["A2"].value
    header, *rows = book["features"].iter_rows()
    assert [cell.value for cell in header] == COLUMNS
    names = {row[1].value for row in rows}
    assert names == {*NAMES, "a\ufffdb"} - {"a\x07b"}
    texts = [cell for row in rows for cell in row if isinstance(cell.value, str)]
    assert {cell.data_type for cell in texts} == {"s"}
    assert all(cell.quotePrefix for cell in texts if cell.value[0] in "=+-@")
    csv = rows_of(written / "weights.csv")
    assert [row[2].value for row in rows] == pytest.approx([float(row["weight"]) for row in csv])


def test_without_openpyxl_the_rest_is_written(hitmiss, xor_csv, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    out = tmp_path / "out"
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "-m", "relieff", "-o", out)
    assert result.exit_code == 0
    assert "No results.xlsx: openpyxl is needed for this; install it with: " in result.stderr
    assert not (out / "results.xlsx").exists()
    assert (out / "weights.csv").exists()
    assert "results.xlsx" not in result.stdout
