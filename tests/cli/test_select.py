import csv
import hashlib
import json
import os
import signal
import warnings

import numpy as np
import pytest

import hitmiss as package
from hitmiss import LOFE, ReliefF, persistence

NAMES = {"weights.csv", "selected.txt", "model.npz", "report.html", "run.json"}
EVIL = ["=1+1", "@sum", "+a", "-b", "'c", "<script>alert(1)</script>", 'say "hi"', "🧬", "a,b", "d"]


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def test_the_folder_says_what_python_says(hitmiss, xor, xor_csv, tmp_path):
    out = tmp_path / "out"
    result = hitmiss("select", xor_csv, "--target", "kind", "--out", out)
    assert result.exit_code == 0
    assert {path.name for path in out.iterdir()} == NAMES
    lofe = LOFE().fit(xor.data, np.array(["ill", "well"])[xor.target])
    rows = rows_of(out / "weights.csv")
    assert [row["feature"] for row in rows] == [xor.feature_names[j] for j in lofe.ranking_]
    assert [float(row["weight"]) for row in rows] == lofe.weights_[lofe.ranking_].tolist()
    assert [int(row["rank"]) for row in rows] == list(range(1, 11))
    chosen = [row["feature"] for row in rows if row["selected"] == "1"]
    assert set(chosen) == {"x0", "x1"}
    assert (out / "selected.txt").read_text() == "".join(f"{name}\n" for name in chosen)
    assert "2 of 10 features" in result.stdout
    assert "Leave-one-out error" in result.stdout


def test_the_model_predicts_what_python_predicts(hitmiss, xor, xor_csv, tmp_path):
    hitmiss("select", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    lofe = LOFE().fit(xor.data, np.array(["ill", "well"])[xor.target])
    again = persistence.load(tmp_path / "out" / "model.npz")
    assert list(again.feature_names_in_) == xor.feature_names
    result = hitmiss("predict", tmp_path / "out" / "model.npz", xor_csv)
    predicted = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["class"] for row in predicted] == lofe.predict(xor.data).tolist()
    assert [row["sample"] for row in predicted] == [f"s{n}" for n in range(60)]
    P = [[float(row["P(ill)"]), float(row["P(well)"])] for row in predicted]
    np.testing.assert_array_equal(P, lofe.predict_proba(xor.data))


def test_twice_gives_the_same_bytes(hitmiss, xor_csv, tmp_path):
    for name in ("one", "two", "two"):  # the last replaces its own
        options = ["--method", "simba", "--out", tmp_path / name]
        assert hitmiss("select", xor_csv, "-t", "kind", *options).exit_code == 0
    for name in ("weights.csv", "selected.txt", "model.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_record_is_enough_to_do_it_again(hitmiss, xor_csv, tmp_path):
    options = [
        "--method",
        "ReliefF",
        "--set",
        "n_neighbors=3",
        "--seed",
        "5",
        "--drop",
        "irrelevant5",
    ]
    hitmiss("select", xor_csv, "-t", "kind", *options, "-o", tmp_path / "out")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["command"] == "select"
    assert (run["method"], run["settings"], run["seed"]) == ("ReliefF", ["n_neighbors=3"], 5)
    assert run["parameters"]["n_neighbors"] == 3
    assert run["data"]["sha256"] == hashlib.sha256(xor_csv.read_bytes()).hexdigest()
    assert run["data"]["drop"] == ["irrelevant5"]
    assert run["n_features"] == 9
    assert {"hitmiss", "python", "numpy", "scikit-learn", "numba"} <= run["versions"].keys()


def test_the_column_taken_as_sample_names_is_named(hitmiss, xor, xor_csv, write_csv, tmp_path):
    taken = "is taken as sample names"
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    plain = write_csv([["kind", *xor.feature_names], *data])
    for path, options, said, name in (
        (xor_csv, [], True, "id"),
        (xor_csv, ["--samples", "id"], False, "id"),
        (plain, [], False, None),
    ):
        out = tmp_path / "out"
        result = hitmiss("select", path, "-t", "kind", "-m", "relieff", "-o", out, *options)
        assert (f"Column 'id' {taken}" in result.stderr) is said
        assert (taken in result.stderr) is said
        assert json.loads((out / "run.json").read_text())["data"]["samples"] == name
    assert taken not in hitmiss("select", xor_csv, "-t", "kind", "-m", "relieff", "-q").stderr


def test_the_sample_names_of_a_comparison_are_on_record(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "fisherscore", "--folds", "2", "-o", tmp_path / "out"]
    assert "Column 'id'" in hitmiss("compare", xor_csv, "-t", "kind", *options).stderr
    assert json.loads((tmp_path / "out" / "run.json").read_text())["data"]["samples"] == "id"


def test_json_is_all_there_is_on_standard_output(hitmiss, xor_csv):
    result = hitmiss("select", xor_csv, "-t", "kind", "--json", "--quiet")
    found = json.loads(result.stdout)
    assert {item["feature"] for item in found["selected"]} == {"x0", "x1"}
    assert found["converged"] is True
    assert found["classes"] == ["ill", "well"]
    assert result.stderr == ""


def test_names_of_any_kind(hitmiss, xor, write_csv, tmp_path):
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    path = write_csv([["kind", *EVIL], *data])
    result = hitmiss(
        "select", path, "-t", "kind", "-o", tmp_path / "out", "--set", "max_features=10"
    )
    assert result.exit_code == 0
    selected = (tmp_path / "out" / "selected.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(selected) == sorted(EVIL)
    cells = [row["feature"] for row in rows_of(tmp_path / "out" / "weights.csv")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert [cell.removeprefix("'") for cell in cells] == selected
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in report


def test_control_characters_do_not_reach_the_terminal(hitmiss, xor, write_csv):
    names = ["\x1b[31mred", *xor.feature_names[1:]]
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    result = hitmiss("select", write_csv([["kind", *names], *data]), "-t", "kind")
    assert "\x1b" not in result.stdout
    assert "[31mred" in result.stdout


def test_features_in_rows(hitmiss, xor, write_csv):
    rows = [["gene", *(f"s{n}" for n in range(60))], ["kind", *xor.target]]
    rows += [[name, *x] for name, x in zip(xor.feature_names, xor.data.T.tolist(), strict=True)]
    result = hitmiss("select", write_csv(rows), "-t", "kind", "--transpose", "--json", "-q")
    assert {item["feature"] for item in json.loads(result.stdout)["selected"]} == {"x0", "x1"}


def test_missing_values_can_be_left_out(hitmiss, xor, write_csv):
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    data[3][9] = ""
    path = write_csv([["kind", *xor.feature_names], *data])
    for how, shape in (("drop-features", (60, 9)), ("drop-samples", (59, 10))):
        result = hitmiss("select", path, "-t", "kind", "--missing", how, "--json", "-q")
        found = json.loads(result.stdout)
        assert (found["n_samples"], found["n_features"]) == shape


def test_a_file_name_that_is_no_text(hitmiss, xor_csv, tmp_path):
    odd = tmp_path / os.fsdecode(b"\xff[b].csv")
    odd.write_bytes(xor_csv.read_bytes())
    result = hitmiss("select", odd, "-t", "kind", "-o", tmp_path / "out", "--json", "-q")
    assert result.exit_code == 0
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["data"]["file"].endswith("\ufffd[b].csv")


def test_stability_is_part_of_the_record(hitmiss, xor_csv):
    result = hitmiss("select", xor_csv, "-t", "kind", "--stability", "3", "--json", "-q")
    stability = json.loads(result.stdout)["stability"]
    assert (stability["n_subsamples"], stability["nogueira"]["stability"]) == (3, 1)


def test_warnings_are_lines_on_standard_error(hitmiss, xor_csv, tmp_path):
    options = ["--set", "alpha=1e9", "--out", tmp_path / "out"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    assert "Warning: All weights are zero: alpha=1e+09 is too strong" in result.stderr
    assert "0 of 10 features" in result.stdout
    assert (tmp_path / "out" / "selected.txt").read_text() == ""
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert "All weights are zero" in run["warnings"][0]
    assert hitmiss("select", xor_csv, "-t", "kind", *options[:2], "-q").stderr == ""


class Interrupted(ReliefF):
    """Somebody presses Ctrl-C during the fit."""

    def _weigh(self, blocks, y):
        signal.raise_signal(signal.SIGINT)


class Nervous(ReliefF):
    """Somebody presses Ctrl-C, but not while all samples are there."""

    def _weigh(self, blocks, y):
        if len(y) < 60:
            signal.raise_signal(signal.SIGINT)
        return super()._weigh(blocks, y)


@pytest.fixture
def impatient(monkeypatch):
    """Methods that are interrupted."""
    for item in (Interrupted, Nervous):
        monkeypatch.setitem(package._LAZY, item.__name__, __name__)
        monkeypatch.setattr(package, item.__name__, item, raising=False)


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_ends_cleanly(hitmiss, xor_csv, tmp_path):
    result = hitmiss("select", xor_csv, "-t", "kind", "-m", "interrupted", "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.endswith("\nInterrupted; nothing was kept.\n")
    assert list(tmp_path.iterdir()) == [xor_csv]


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_during_the_subsamples_keeps_the_selection(hitmiss, xor_csv, tmp_path):
    options = ["-m", "nervous", "--stability", "3", "-o", tmp_path / "out"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert result.stderr.endswith("\nInterrupted after 0 of 3 subsamples.\n")
    assert {path.name for path in (tmp_path / "out").iterdir()} == NAMES
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["complete"], run["stability"]) == (False, None)


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_during_a_comparison_keeps_what_is_done(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "relieff,interrupted,lofe", "--folds", "2", "-o", tmp_path / "out"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert "Interrupted after 2 of 4 methods." in result.stderr
    done = [row["method"] for row in rows_of(tmp_path / "out" / "comparison.csv")]
    assert done == ["F-test", "relieff"]
    assert json.loads((tmp_path / "out" / "run.json").read_text())["complete"] is False


def test_no_warning_escapes(hitmiss, xor_csv):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hitmiss("select", xor_csv, "-t", "kind", "--set", "max_iter=1").exit_code == 0
