"""A strict run fails where it skips what is not known."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import conftest


def run_pytest(folder, **variables):
    """A run of the tests in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "."]
    environment = os.environ | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("skipped", "n_sentences"),
    [
        ({}, 0),
        ({"boruta is installed": 1}, 0),
        ({"boruta is installed": 2}, 1),
        ({"users of R: Rscript is not installed (Debian: r-base-core)": 1}, 1),
    ],
)
def test_what_is_not_known_or_grows_is_named(skipped, n_sentences):
    assert len(conftest.unexpected(skipped)) == n_sentences


SKIPS = """
import pytest

def test_nothing():
    pytest.skip("the moon is full")
"""


@pytest.mark.full
@pytest.mark.parametrize(("strict", "code"), [("", 0), ("1", 1)])
def test_a_run_ends_with_what_was_not_tested(tmp_path, strict, code):
    source = Path(conftest.__file__).read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(source, encoding="utf-8")
    (tmp_path / "test_moon.py").write_text(SKIPS, encoding="utf-8")
    done = run_pytest(tmp_path, HITMISS_STRICT=strict)
    assert "1 test: the moon is full" in done.stdout
    assert ("Not to be skipped: the moon is full (1, known are 0)" in done.stdout) == bool(strict)
    assert done.returncode == code
