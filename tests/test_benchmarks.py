"""The pages of the benchmarks, one for readers made from one for developers."""

from pathlib import Path

from benchmarks.readers_page import readers_page

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
