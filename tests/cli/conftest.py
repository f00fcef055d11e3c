import csv

import pytest
from typer.testing import CliRunner

from hitmiss import datasets
from hitmiss.cli.app import app


@pytest.fixture
def hitmiss():
    """Run a command; the result has exit_code, stdout and stderr."""

    def run(*args):
        result = CliRunner().invoke(app, [str(arg) for arg in args], prog_name="hitmiss")
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run


@pytest.fixture
def write_csv(tmp_path):
    """Write rows to a file."""

    def write(rows, name="data.csv"):
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows(rows)
        return path

    return write


@pytest.fixture
def xor():
    """Two features that only together tell the classes apart, and eight others."""
    return datasets.make_xor(60, n_irrelevant=8, random_state=0)


@pytest.fixture
def xor_csv(xor, write_csv):
    rows = [["id", "kind", *xor.feature_names]]
    for n, (x, label) in enumerate(zip(xor.data.tolist(), xor.target, strict=True)):
        rows.append([f"s{n}", ["ill", "well"][label], *x])
    return write_csv(rows, "xor.csv")
