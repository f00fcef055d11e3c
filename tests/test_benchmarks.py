"""The pages of the benchmarks, one for readers made from one for developers."""

import re
from pathlib import Path

import pytest

from benchmarks import __main__ as pages
from benchmarks import imputation, quality, truth
from benchmarks.readers_page import SECTION, readers_page
from benchmarks.truth.store import RESULTS, named, of_all

FOLDER = Path(__file__).parents[1] / "benchmarks"
PAGE = """# Benchmarks

## relief

Today, here.

| what | ours, s | peer | peer, s | ratio | required | met | note |
|---|---|---|---|---|---|---|---|
| ReliefF | 0.0048 | scikit-rebate | 49.2 | 9.7e-05 | at most 0.002 | yes | same scores |
| MultiSURF | 50 | reported | 1.15e+05 | 0.0004 | finishes |  |  |

## kernels

| what | ours, s | peer | peer, s | ratio | required | met | note |
|---|---|---|---|---|---|---|---|
| a loop | 1 | limit | 1 | 1 |  |  |  |
"""

# Date, processor with its cores, and library; the commit is missing in the oldest sections only.
STAMP = re.compile(
    r"^(20\d\d-\d\d-\d\d), ([^()\n]+ \(.+\), \d+ cores?), Python [^\n]*?"
    r"hitmiss [\d.]+( \([0-9a-f]{7,}\+?\))?, ",
    re.MULTILINE,
)
COMMITS_SINCE, MODELS_SINCE = "2026-11-17", "2026-11-20"  # days from which on both are recorded


def sections():
    """The committed sections, and the one table of the page on stability."""
    found = SECTION.findall((FOLDER / "requirements.md").read_text(encoding="utf-8"))
    return {**dict(found), "stability": (FOLDER / "stability.md").read_text(encoding="utf-8")}


def test_readers_see_times_peers_and_ratios_and_no_requirements():
    _, _, text = readers_page(PAGE).partition("## The RELIEF family\n\n")
    assert text.splitlines() == [
        "Today, here.",
        "",
        "| what | ours | peer | ratio | remark |",
        "|---|---|---|---|---|",
        "| ReliefF | 4.8 ms | scikit-rebate: 49.2 s | 9.7e-05 | same scores |",
        "| MultiSURF | 50 s | reported: 31.9 h | 0.0004 |  |",
    ]


def test_the_page_for_readers_is_that_of_the_measurements():
    measured = (FOLDER / "requirements.md").read_text(encoding="utf-8")
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert page == readers_page(measured)
    assert "| met |" in measured
    assert "required" not in page.partition("## ")[2]


@pytest.mark.parametrize("name", sections())
def test_every_section_is_of_one_machine_and_says_which(name):
    ((date, processor, commit),) = STAMP.findall(sections()[name])
    assert commit or date < COMMITS_SINCE
    assert "not recorded" not in processor or date < MODELS_SINCE


def test_no_ratio_is_of_times_that_somebody_reported():
    rows = [line.split("|") for text in sections().values() for line in text.splitlines()]
    reported = {
        row[1].strip(): row[5].strip() for row in rows if "as reported" in "".join(row[3:4])
    }
    assert reported
    assert not any(reported.values())


@pytest.mark.parametrize(
    ("page", "records"),
    [
        ("truth/README.md", of_all(RESULTS)),
        ("quality/README.md", of_all(FOLDER / "quality" / "results")),
        ("quality/README.md", of_all(FOLDER / "quality" / "results" / "own")),
        ("requirements.md", of_all(imputation.RESULTS)),
    ],
)
def test_pages_of_stored_results_name_every_machine(page, records):
    text = (FOLDER / page).read_text(encoding="utf-8")
    assert records
    assert all(named(record["machine"]) in text for record in records)
    assert all(record["commit"] in text for record in records)


@pytest.mark.parametrize("module", [imputation, quality, truth])
def test_sections_of_stored_results_say_so(module, monkeypatch):
    monkeypatch.setattr(pages, "machine", lambda: "Today, here.\n")
    stored = pages.heading(module, quick=False)
    assert stored.startswith("Today, here.\n\nStored results were made with: ")
    assert (
        pages.heading(module, quick=True) == pages.heading(pages, quick=False) == "Today, here.\n"
    )
