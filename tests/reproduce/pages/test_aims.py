import pytest

from reproduce.harness.results import results_in
from reproduce.harness.section import Check
from reproduce.pages.aims import AIMS, aims_table, complete, verdict
from reproduce.pages.contents import all_sections
from tests.reproduce.made_up import experiment, finished, section
from tests.reproduce.stored import FOLDER

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
        Check(True, "both", "8 of 8", aim="size on training"),
    ]
    rows = aims_table([(title, check) for check in checks]).splitlines()[2:]
    assert len(rows) == len(AIMS)
    (row,) = [row for row in rows if row.startswith("| LOFE, Table 4: ")]
    link = "[LOFE, Table 4](#lofe-table-4-microarrays)"
    found = "DLBCL: 4.9; **not** breast cancer: 30.0 (few samples)"
    assert row.endswith(f" | partly | {found} | {link} |")
    assert [row for row in rows if row.endswith(f" | yes | 8 of 8 | {link} |")]
    assert "never shown" not in "".join(rows)


def test_every_mark_of_a_stored_check_is_one_of_the_aims():
    marks = {check.aim for what in results_in(FOLDER, all_sections()) for check in what.checks}
    assert marks - {None} == set(AIMS) - {"complete"}


@pytest.mark.parametrize(("runs", "n_done"), [(3, 0), (4, 1)])
def test_an_experiment_with_a_missing_run_is_not_complete(runs, n_done, tmp_path):
    what = section(experiment(runs=4))
    finished(tmp_path / "results" / "made-up.json", what.experiment, runs=runs)
    check = complete(results_in(tmp_path, [what]))
    assert check.held is bool(n_done)
    assert check.found.startswith(f"{n_done} of 1 experiments, ")
