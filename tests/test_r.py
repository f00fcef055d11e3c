"""What the page for users of R shows runs in R."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import DOCS, blocks

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


def test_the_script_of_the_page_prints_what_it_says(session):
    done = session(blocks(PAGE, "r"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == blocks(PAGE, "text").split()


def test_a_mistake_is_an_error_of_r_with_the_message_of_hitmiss(session):
    definition = blocks(PAGE, "r").partition("weights <- hitmiss(iris")[0]
    done = session(definition + 'hitmiss(iris, "Kind")\n')
    assert done.returncode != 0
    assert "There is no column 'Kind'" in done.stderr
    assert "hitmiss stopped; its message says why." in done.stderr
