import csv
import json

import pytest

from tests.cli.conftest import assert_one_sentence, rows_of


def test_compare_puts_the_f_test_first(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "lofe", "--relevant", "x0", "--relevant", "x1", "--folds", "2"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options, "-o", tmp_path / "out")
    assert result.exit_code == 0
    with (tmp_path / "out" / "comparison.csv").open() as f:
        baseline, lofe = csv.DictReader(f)
    assert (baseline["method"], lofe["method"]) == ("F-test", "lofe")
    assert (int(lofe["recovered"]), int(baseline["recovered"])) == (2, 0)
    assert float(lofe["error"]) < float(baseline["error"])
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"comparison.csv", "curves.csv", "selected.csv", "report.html", "run.json"}
    assert all(word in result.stdout for word in ("F-test", "lofe", "recovered", "stability"))
    report = (tmp_path / "out" / "report.html").read_text()
    assert "The rest of this page is about lofe, which has the smallest error." in report
    assert "goes on with lofe, which has the smallest error." in " ".join(result.stdout.split())
    assert "not measured" not in report
    assert "unknown" not in report


def test_compare_with_one_number_of_features_for_all(hitmiss, xor_csv):
    options = ["--methods", "relieff,fisherscore", "--max-features", "3", "--folds", "2"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options, "--json", "-q")
    found = json.loads(result.stdout)
    assert found["complete"] is True
    assert [row["n_selected"] for row in found["methods"]] == [3, 3, 3]
    baseline, _, fisher = found["methods"]
    assert baseline["selected"] == fisher["selected"]
    assert len(baseline["curve"]["errors"]) == len(baseline["curve"]["n_features"]) == 6


def test_names_are_separated_by_commas_or_given_again_alike(hitmiss, xor_csv):
    common = ["compare", xor_csv, "-t", "kind", "--folds", "2", "--json", "-q"]
    dropped = ["--drop", "irrelevant2,irrelevant3", "--relevant", "x0,x1"]
    one = hitmiss(*common, "--methods", "relieff, fisherscore", *dropped)
    again = ["--drop", "irrelevant2", "--drop", "irrelevant3", "--relevant", "x0"]
    two = hitmiss(*common, "-m", "relieff", "-m", "fisherscore", *again, "--relevant", "x1")
    rows, others = (json.loads(run.stdout)["methods"] for run in (one, two))
    assert [row["method"] for row in rows] == ["F-test", "relieff", "fisherscore"]
    for row, other in zip(rows, others, strict=True):
        assert {**row, "seconds": 0} == {**other, "seconds": 0}


def test_options_of_compare(hitmiss, good):
    common = ["compare", good, "-t", "kind", "-q"]
    assert_one_sentence(
        hitmiss(*common, "--relevant", "z"), "--relevant names 'z', which is not a feature"
    )
    assert_one_sentence(hitmiss(*common, "--methods", "lofe,x"), "There is no method 'x'")
    refused = hitmiss(*common, "--methods", "lofe,rrelieff")
    assert_one_sentence(refused, "rrelieff needs numbers, but the target is read as classes")
    assert_one_sentence(
        hitmiss(*common, "--folds", "9"), "n_splits=9 greater than the number of samples"
    )


def test_a_comparison_shows_the_error_of_its_folds(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "lofe", "--folds", "2", "-o", tmp_path / "out", "-q"]
    hitmiss("compare", xor_csv, "-t", "kind", *options)
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "The features were selected anew in each of 2 folds." in report


@pytest.mark.usefixtures("interrupted_methods")
def test_ctrl_c_during_a_comparison_keeps_what_is_done(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "relieff,interrupted,lofe", "--folds", "2", "-o", tmp_path / "out"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert "Interrupted after 2 of 4 methods." in result.stderr
    done = [row["method"] for row in rows_of(tmp_path / "out" / "comparison.csv")]
    assert done == ["F-test", "relieff"]
    assert json.loads((tmp_path / "out" / "run.json").read_text())["complete"] is False


def test_peers_stand_beside_our_methods(hitmiss, xor_csv):
    options = ["--methods", "lofe,F-test,l1,mrmr", "--folds", "2", "--repeats", "2", "--json", "-q"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options)
    rows = json.loads(result.stdout)["methods"]
    assert [row["method"] for row in rows] == ["F-test", "lofe", "l1", "mrmr"]
    for row in rows:
        assert 0 <= row["standard_error"] < 0.5
        n_sizes = len(row["curve"]["n_features"])
        assert len(row["curve"]["standard_errors"]) == len(row["curve"]["stability"]) == n_sizes
