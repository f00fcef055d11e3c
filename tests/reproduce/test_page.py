"""The page: what it says of results made up, and that the committed one is up to date."""

import itertools
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from reproduce.aims import AIMS, aims_table, verdict
from reproduce.harness.experiment import Check
from reproduce.harness.markdown import link
from reproduce.harness.readme import brief, shown_in, text, usual, write_page
from tests.reproduce.made_up import finished, made

FOLDER = Path(__file__).parents[2] / "reproduce"


def page_of(folder, what, runs=4, **options):
    """The page after so many runs of one experiment."""
    finished(folder / "results" / f"{what.name}.json", experiment=what, runs=runs, **options)
    return write_page(folder, [what]).read_text(encoding="utf-8")


def test_the_committed_page_is_what_the_stored_results_give():
    made_now = text(shown_in(FOLDER)).splitlines()
    committed = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    pairs = itertools.zip_longest(made_now, committed)
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)
    assert first is None, "run python -m reproduce --page"


def test_the_page_is_made_from_stored_results_alone(tmp_path):
    what = made(figures={"picture": lambda records: plt.subplots()[0]}, runs=4)
    page = page_of(tmp_path, what)
    assert "## Made up: an experiment\n\n`made-up`: 5 of 5 tasks, 4 of 4 runs whole, " in page
    assert "![picture](results/picture.png)" in page
    assert (tmp_path / "results" / "picture.png").stat().st_size > 0
    assert "quick trial" not in page
    what.protocol["sigma"] = 3.0
    page = write_page(tmp_path, [what]).read_text()
    assert "Outdated: run it again with `--fresh`." in page
    assert "| Made up: an experiment |  |  | outdated |  |" in page


def test_text_alone_draws_nothing(tmp_path):
    def never(records):
        raise AssertionError

    what = made(figures={"picture": never})
    finished(tmp_path / "results" / "made-up.json", experiment=what)
    assert "![picture](results/picture.png)" in text(shown_in(tmp_path, [what]))


def test_what_has_not_run_is_named_and_has_no_section(tmp_path):
    page = write_page(tmp_path, [made()]).read_text()
    assert "| Made up: an experiment |  |  | not run yet |  |" in page
    assert "## Made up" not in page


def test_what_holds_is_computed_from_the_results(tmp_path):
    def checks(records):
        n = len(records)
        yield Check(n >= 5, "at least five records", n)
        yield Check(n >= 6, "set: at least six records", n)

    what = made(checks=checks, runs=4, reasons=lambda records: "There are not more.")
    page = page_of(tmp_path, what)
    assert "| Made up: an experiment | 1 of 2 | set | 5 of 5 tasks, 4 of 4 runs whole | " in page
    assert "\n- yes: at least five records; found 5.\n" in page
    assert "\n- **no**: set: at least six records; found 5.\n\nThere are not more.\n" in page
    page = page_of(tmp_path, what, runs=5)
    assert "| Made up: an experiment | 2 of 2 |  |" in page
    assert "There are not more." not in page


def test_an_open_check_is_neither_held_nor_failed(tmp_path):
    checks = [Check(None, "later", "no run yet"), Check(np.bool_(True), "now", 1)]
    what = made(checks=lambda records: checks, reasons=lambda records: "Because.")
    page = page_of(tmp_path, what)
    assert "| Made up: an experiment | 1 of 2, 1 open |" in page
    assert "\n- open: later; found no run yet.\n" in page
    assert "Because." not in page
    assert Check(np.bool_(False), "never", 0).failed


def test_the_page_says_how_much_is_missing(tmp_path):
    page = page_of(tmp_path, made(runs=4), runs=3)
    assert "`made-up`: 4 of 5 tasks, 3 of 4 runs whole, " in page
    assert "| 0 of 1 experiments, " in page


def test_the_machine_is_named_once_and_where_it_is_another(tmp_path):
    experiments = [made(name) for name in ("one", "two", "three")]
    for what, here in zip(experiments, ("a machine.", "a machine.", "another."), strict=True):
        path = tmp_path / "results" / f"{what.name}.json"
        finished(path, experiment=what, here=here)
    results = shown_in(tmp_path, experiments)
    assert usual(results) == "a machine."
    page = text(results)
    assert page.count("a machine.") == 1
    assert page.count("another.") == 1


def test_what_fails_is_named_in_a_few_words():
    checks = [
        Check(False, "heart: error at most 3", 4),
        Check(True, "splice: error at most 3", 2),
        Check(False, "heart: no irrelevant features", 1),
        Check(False, "it is quicker", "no"),
        Check(None, "thyroid: error at most 3", ""),
    ]
    assert brief(checks) == "heart (2); it is quicker"


YES, NO, OPEN = (Check(held, "set: claim", "found") for held in (True, False, None))


@pytest.mark.parametrize(
    ("checks", "word"),
    [
        ([YES, YES], "yes"),
        ([NO, NO], "**no**"),
        ([YES, NO], "partly"),
        ([YES, NO, OPEN], "open"),
        ([], "open"),
    ],
)
def test_an_aim_holds_if_all_its_checks_do(checks, word):
    assert verdict(checks) == word


def test_the_table_of_aims_says_what_was_found_where_and_why():
    title = "LOFE, Table 4: microarrays"
    checks = [
        Check(True, "DLBCL: at most 5", "4.9", aim="lofe microarrays"),
        Check(
            False, "breast cancer: at most 23", "30.0", aim="lofe microarrays", why="few samples"
        ),
        Check(False, "no aim", "never shown"),
        Check(True, "both", "8 of 8", aim="honest"),
    ]
    rows = aims_table([(title, check) for check in checks]).splitlines()[2:]
    assert len(rows) == len(AIMS)
    (row,) = [row for row in rows if row.startswith("| LOFE, Table 4")]
    section = "[LOFE, Table 4](#lofe-table-4-microarrays)"
    found = "DLBCL: 4.9; **not** breast cancer: 30.0 (few samples)"
    assert row.endswith(f" | partly | {found} | {section} |")
    assert [row for row in rows if row.endswith(f" | yes | 8 of 8 | {section} |")]
    assert "never shown" not in "".join(rows)


def test_every_mark_of_a_stored_check_is_one_of_the_aims():
    marks = {check.aim for what in shown_in(FOLDER) for check in what.checks}
    assert marks - {None} == set(AIMS) - {"whole"}


def test_links_are_those_of_github():
    assert (
        link("FREL, Fig. 2: stability and γ (all)", "x") == "[x](#frel-fig-2-stability-and-γ-all)"
    )
