"""The page: what it says of results made up."""

import matplotlib.pyplot as plt
import numpy as np

from reproduce.harness.readme import failed_subjects, text, write_readme
from reproduce.harness.results import conditions_of_most, results_in
from reproduce.harness.section import Check
from tests.reproduce.made_up import experiment, finished, section


def nothing(results):
    """An introduction that says nothing."""
    return ""


def written(folder, what):
    return write_readme(folder, [what], nothing).read_text(encoding="utf-8")


def page_of(folder, what, runs=4):
    """The page after so many runs of one experiment."""
    finished(folder / "results" / "made-up.json", what.experiment, runs=runs)
    return written(folder, what)


def test_the_page_is_made_from_stored_results_alone(tmp_path):
    figures = {"picture": lambda records: plt.subplots()[0]}
    what = section(experiment(runs=4), figures=figures)
    page = page_of(tmp_path, what)
    assert "## Made up: an experiment\n\n`made-up`: 5 of 5 tasks, 4 of 4 runs whole, " in page
    assert "![picture](results/picture.png)" in page
    assert (tmp_path / "results" / "picture.png").stat().st_size > 0
    assert "quick trial" not in page
    what.experiment.protocol["sigma"] = 3.0
    page = written(tmp_path, what)
    assert "Outdated: run it again with `--fresh`." in page
    assert "| Made up: an experiment |  |  | outdated |  |" in page


def test_text_alone_draws_nothing(tmp_path):
    def never(records):
        raise AssertionError

    what = section(experiment(), figures={"picture": never})
    finished(tmp_path / "results" / "made-up.json", what.experiment)
    assert "![picture](results/picture.png)" in text(results_in(tmp_path, [what]), nothing)


def test_what_has_not_run_is_named_and_has_no_section(tmp_path):
    page = written(tmp_path, section(experiment()))
    assert "| Made up: an experiment |  |  | not run yet |  |" in page
    assert "## Made up" not in page


def test_what_holds_is_computed_from_the_results(tmp_path):
    def checks(records):
        n = len(records)
        yield Check(n >= 5, "at least five records", n)
        yield Check(n >= 6, "set: at least six records", n)

    what = section(experiment(runs=4), checks=checks, reasons=lambda records: "There are not more.")
    page = page_of(tmp_path, what)
    assert "| Made up: an experiment | 1 of 2 | set | 5 of 5 tasks, 4 of 4 runs whole | " in page
    assert "\n- yes: at least five records; found 5.\n" in page
    assert "\n- **no**: set: at least six records; found 5.\n\nThere are not more.\n" in page
    page = page_of(tmp_path, what, runs=5)
    assert "| Made up: an experiment | 2 of 2 |  |" in page
    assert "There are not more." not in page


def test_an_open_check_is_neither_held_nor_failed(tmp_path):
    checks = [Check(None, "later", "no run yet"), Check(np.bool_(True), "now", 1)]
    what = section(experiment(), checks=lambda records: checks, reasons=lambda records: "Because.")
    page = page_of(tmp_path, what)
    assert "| Made up: an experiment | 1 of 2, 1 open |" in page
    assert "\n- open: later; found no run yet.\n" in page
    assert "Because." not in page
    assert Check(np.bool_(False), "never", 0).failed


def test_the_page_says_how_much_is_missing(tmp_path):
    page = page_of(tmp_path, section(experiment(runs=4)), runs=3)
    assert "`made-up`: 4 of 5 tasks, 3 of 4 runs whole, " in page


def test_the_machine_is_named_once_and_where_it_is_another(tmp_path):
    sections = [section(experiment(name)) for name in ("one", "two", "three")]
    for what, here in zip(sections, ("a machine.", "a machine.", "another."), strict=True):
        path = tmp_path / "results" / f"{what.experiment.name}.json"
        finished(path, what.experiment, here=here)
    results = results_in(tmp_path, sections)
    assert conditions_of_most(results) == "a machine."
    page = text(results, nothing)
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
    assert failed_subjects(checks) == "heart (2); it is quicker"
