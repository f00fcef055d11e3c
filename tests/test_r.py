"""What the page for users of R shows runs in R, and its figures are right also without R."""

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from typer.testing import CliRunner

from hitmiss.cli.app import app
from tests.test_docs import DOCS, assert_same_figures, blocks

PAGE = DOCS / "from-r.md"


@pytest.fixture
def session(tmp_path):
    """A function that runs R code with the command of this environment; its result and messages."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("users of R: Rscript is not installed (Debian: r-base-core)")
    command = Path(sys.executable).with_name("hitmiss")

    def run(code):
        (tmp_path / "script.R").write_text(code, encoding="utf-8")
        environment = {**os.environ, "HITMISS": str(command)}
        return subprocess.run(
            [rscript, "--vanilla", "script.R"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def iris_csv(tmp_path):
    """A function that writes a table as `write.csv(iris, table, row.names = FALSE)` of R does."""

    def write():
        names = ("Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width", "Species")
        lines = [",".join(f'"{name}"' for name in names)]
        iris = load_iris()
        for x, k in zip(iris.data, iris.target, strict=True):
            lines.append(",".join([*(f"{value:g}" for value in x), f'"{iris.target_names[k]}"']))
        (tmp_path / "iris.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tmp_path / "iris.csv"

    return write


def words_of_the_page(**given):
    """The words that its function `hitmiss` hands to the command."""
    (words,) = re.findall(r"words <- c\((.*), \.\.\.\)", blocks(PAGE, "r"))
    return [given.get(word) or word for word in shlex.split(words.replace(",", " "))]


def test_the_figures_of_the_page_are_those_of_the_command(iris_csv, tmp_path):
    words = words_of_the_page(table=str(iris_csv()), target="Species", folder=str(tmp_path / "out"))
    assert CliRunner().invoke(app, words).exit_code == 0
    header, *shown = blocks(PAGE, "text").splitlines()
    with (tmp_path / "out" / "weights.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row | {"selected": {"1": "TRUE", "0": "FALSE"}[row["selected"]]}
            for row in csv.DictReader(file)
        ]
    found = [" ".join([row["rank"], *map(row.get, header.split())]) for row in rows]
    assert_same_figures("\n".join(found), "\n".join(shown), rel=1e-5)


@pytest.mark.full
def test_the_script_of_the_page_prints_what_it_says(session):
    done = session(blocks(PAGE, "r"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == blocks(PAGE, "text").split()


@pytest.mark.full
def test_a_mistake_is_an_error_of_r_with_the_message_of_hitmiss(session):
    definition = blocks(PAGE, "r").partition("weights <- hitmiss(iris")[0]
    done = session(definition + 'hitmiss(iris, "Kind")\n')
    assert done.returncode != 0
    assert "There is no column 'Kind'" in done.stderr
    assert "hitmiss stopped; its message says why." in done.stderr
