"""The quick version: everything, on small data."""

import json

import pytest

from benchmarks.__main__ import table as main_table
from benchmarks.truth import timed_rows
from benchmarks.truth.__main__ import main
from benchmarks.truth.evidence import stored
from benchmarks.truth.methods import OURS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A page and its results, made in two goes."""
    results = tmp_path_factory.mktemp("truth") / "results"
    for only in (["xor"], ["xor", "donors"]):
        main(["--quick", "--methods", OURS, "--folder", str(results), "--only", *only])
    return results.parent


def test_second_go_adds_what_the_first_has_not(folder):
    lines = (folder / "results" / f"{OURS}.jsonl").read_text().splitlines()
    done = [(record["scenario"], record["draw"]) for record in map(json.loads, lines)]
    names = ("xor", "donors", "donors ignored")
    assert done == [(name, k) for name in names for k in (0, 1)]


def test_page_and_pictures_are_written(folder):
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert "| xor: mean FDP, q = 0.1 |" in page
    assert "| donors as wholes: P(any), q = 0.05 |" in page
    for name in ("nulls", "signals", "peers"):
        assert f"figures/{name}.svg" in page
        assert (folder / "figures" / f"{name}.svg").read_text().startswith("<?xml")


def test_rows_for_the_page_of_all_benchmarks(folder):
    rows = timed_rows(stored(folder / "results", quick=True))
    met = {row["what"]: row["met"] for row in rows}
    assert met["donors as wholes: P(any), q = 0.05"] in (True, False)
    assert met["xor: power, q = 0.1"] in (True, False)
    assert met["additive: power, q = 0.1"] is None
    assert main_table(rows).count("\n") == len(rows) + 2
