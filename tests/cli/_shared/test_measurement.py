"""What `hitmiss select` measures, and what it makes of it."""

import json

import pytest

from hitmiss.cli._shared import plan
from tests.cli.conftest import assert_one_sentence

TESTED = ["--quick", "--cv", "3", "--permutations", "20"]


@pytest.fixture(autouse=True)
def time_enough(monkeypatch):
    """A busy machine measures as much as an idle one."""
    monkeypatch.setattr(plan, "LIMIT", 1e9)


def first_line(text):
    return text.splitlines()[0]


def test_by_default_everything_is_measured(hitmiss, xor_csv, tmp_path):
    result = hitmiss("select", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    assert first_line(result.stdout) == (
        "2 features; error 0 % (guessing 50 %), permutation p 0.048; 2 with q ≤ 0.1."
    )
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert next(iter(run)) == "verdict"
    assert run["verdict"]["level"] == "real"
    assert run["verdict"]["sentence"] == first_line(result.stdout)
    assert (run["n_folds"], run["n_permutations"], run["n_subsamples"]) == (5, 20, 20)
    assert run["permutation_test"] == {"p_value": 1 / 21, "n_permutations": 20}
    assert {item["q_value"] for item in run["selected"]} == {1 / 21}
    assert result.stdout.index("Cross-validated") < result.stdout.index("Leave-one-out")
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert report.index("error 0 % (guessing 50 %)") < report.index("Leave-one-out error")


def test_where_nothing_is_there_nothing_is_listed(hitmiss, noise_csv, tmp_path):
    options = [*TESTED, "-t", "kind", "--set", "alpha=0.5", "-o", tmp_path / "out"]
    result = hitmiss("select", noise_csv, *options)
    assert result.exit_code == 0
    assert first_line(result.stdout).startswith("Nothing here: permutation p 0.")
    assert "features anyway; use --show-anyway to list them.\n" in result.stdout
    assert "selected.txt (empty, because nothing was found)" in result.stdout
    assert (tmp_path / "out" / "selected.txt").read_text() == ""
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["selected"], run["verdict"]["level"]) == ([], "nothing")
    assert "<summary>Show the list anyway</summary>" in (tmp_path / "out/report.html").read_text()


def test_the_list_is_shown_where_it_is_asked_for(hitmiss, noise_csv):
    options = [*TESTED, "-t", "kind", "--set", "alpha=0.5", "--show-anyway"]
    shown = hitmiss("select", noise_csv, *options).stdout
    assert first_line(shown).startswith("Nothing here: ")
    found = json.loads(hitmiss("select", noise_csv, *options, "--json", "-q").stdout)
    assert found["verdict"]["n_selected"] == len(found["selected"]) > 0
    assert all(f" {item['feature']} " in shown for item in found["selected"])


def test_what_would_take_too_long_is_left_out(hitmiss, xor_csv, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "LIMIT", 1e-9)
    result = hitmiss("select", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    assert first_line(result.stdout) == "2 features, not tested."
    assert "Not measured within a minute: cross-validation (about " in result.stdout
    assert "; --thorough measures everything.\n" in result.stdout
    assert '"level": "untested"' in (tmp_path / "out" / "run.json").read_text()
    assert "<h2>Not tested</h2>" in (tmp_path / "out" / "report.html").read_text()


def test_quick_gives_the_bare_list(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind")
    assert first_line(result.stdout).startswith("2 of 10 features in ")
    found = json.loads(hitmiss("select", "--quick", xor_csv, "-t", "kind", "--json", "-q").stdout)
    assert (found["verdict"], found["permutation_test"], found["stability"]) == (None,) * 3


@pytest.mark.usefixtures("interrupted_methods")
def test_ctrl_c_keeps_the_permutations_that_are_done(hitmiss, xor_csv, tmp_path):
    options = ["-m", "interruptedafterthree", "--cv", "3", "-o", tmp_path / "out"]
    result = hitmiss("select", "--thorough", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert result.stderr.endswith("\nInterrupted after 3 of 20 permutations.\n")
    sentence = "permutation p 0.25 (too few to tell: 3 of 20 permutations)"
    assert sentence in first_line(result.stdout)
    assert sentence in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["complete"], run["stability"]) == (False, None)
    assert run["permutation_test"]["n_permutations"] == 3


@pytest.mark.usefixtures("interrupted_methods")
def test_what_cannot_be_measured_is_left_out_unless_it_was_asked_for(hitmiss, xor_csv):
    options = ["-t", "kind", "-m", "noparts"]
    result = hitmiss("select", xor_csv, *options)
    assert result.exit_code == 0
    assert "Not measured: cross-validation (There are too few samples)." in result.stderr
    assert "permutation p 0.048" in first_line(result.stdout)
    assert hitmiss("select", xor_csv, *options, "--cv", "3").exit_code == 2


def test_a_method_that_tests_itself_is_not_tested_again(hitmiss, xor_csv):
    options = ["-m", "fdrselector", "-s", "base=relieff", "-s", "n_permutations=30", "--quick"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert first_line(result.stdout) == "2 features; permutation p 0.032; 2 with q ≤ 0.1."


def test_features_with_a_small_q_value_that_are_not_selected_are_named(hitmiss, xor_csv):
    options = ["-m", "relieff", "--top", "1", "--quick", "--permutations", "20"]
    lines = hitmiss("select", xor_csv, "-t", "kind", *options).stdout.splitlines()
    assert lines[0].endswith("; 2 with q ≤ 0.1 (1 of them listed).")
    assert any(line.startswith("Not selected, but with q ≤ 0.1: x") for line in lines)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--quick", "--thorough"], "Use either --quick or --thorough, not both."),
        (["--fdr", "0.01"], "--fdr 0.01 needs --permutations 99 or more."),
        (["--fdr", "1"], "--fdr must be a share between 0 and 1; got 1."),
        (["--permutations", "5"], "--fdr 0.1 needs --permutations 9 or more."),
    ],
)
def test_options_that_make_no_sense(hitmiss, good, options, sentence):
    assert_one_sentence(hitmiss("select", good, "-t", "kind", *options), sentence)


def test_tiny_tables_have_a_verdict_too(hitmiss, good):
    result = hitmiss("select", good, "-t", "kind")
    assert result.exit_code == 0
    assert "Labels can be exchanged in 6 ways only" in result.stderr


def test_of_the_warnings_of_a_measurement_one_is_shown(hitmiss, xor_csv):
    options = ["--set", "alpha=5", "--cv", "3", "--stability", "3", "--permutations", "0"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    warned = [line for line in result.stderr.splitlines() if line.startswith("Warning: All")]
    assert len(warned) == 3  # of the fit, the folds and the subsamples
    assert warned[1].endswith(" (In the cross-validation, with 2 others.)")
    assert "Stability" not in result.stdout
