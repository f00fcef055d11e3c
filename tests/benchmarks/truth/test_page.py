"""The page is what the stored results give."""

from pathlib import Path

from benchmarks.stale import unmarked
from benchmarks.truth import figures, page
from benchmarks.truth.evidence import stored
from benchmarks.truth.store import RESULTS, Store

PAGE = RESULTS.parent / "README.md"


def test_page_is_made_from_the_stored_results():
    assert unmarked(PAGE.read_text(encoding="utf-8")) == page.page(stored())


def test_pictures_that_the_page_shows_are_there_and_repeat(tmp_path):
    folder = tmp_path / "results"
    for k in range(3):
        Store("hitmiss", folder).add("xor", k, q={"1": 0.1}, relevant=[1], kin={}, seconds=1.0)
    evidence = stored(folder)
    names = figures.draw_all(evidence, tmp_path / "figures")
    first = {name: (tmp_path / "figures" / f"{name}.svg").read_text() for name in names}
    figures.draw_all(evidence, tmp_path / "figures")
    assert first == {name: (tmp_path / "figures" / f"{name}.svg").read_text() for name in names}
    shown = page.page(evidence)
    assert all(f"(figures/{name}.svg)" in shown for name in names)
    assert all(Path(PAGE.parent, "figures", f"{name}.svg").is_file() for name in names)


def test_the_reason_is_given_where_it_is_the_only_one():
    row = {"what": "labels made from genes: mean FDP, q = 0.1", "met": False}
    other = {"what": "xor: power, q = 0.1", "met": False}
    assert "tests association" in page.why_not([row, other | {"met": True}])
    assert page.why_not([row, other]) == page.why_not([other | {"met": None}]) == ""


def test_tables_are_rectangular():
    for table in page.page(stored()).split("\n\n"):
        rows = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) <= 1
