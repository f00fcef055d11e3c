"""`hitmiss select --attributable`: which discoveries can be told from their correlates."""

import json

import numpy as np
import openpyxl
import pytest

from hitmiss import LOFE, FDRSelector, LOFERegressor
from hitmiss.cli._shared import plan
from hitmiss.cli._shared.plan import Wanted
from tests.cli.conftest import assert_one_sentence, rows_of

TESTED = ["-t", "kind", "--quick", "--permutations", "20", "--attributable"]
MEANS = "Attributable means that no feature but kin (correlated above 0.7) could take its place"


@pytest.fixture
def both():
    """Two features decide the class; the third is their sum with noise."""
    X = np.random.default_rng(0).normal(size=(100, 20))
    y = np.where(X[:, 0] + X[:, 1] > 0, "well", "ill")
    X[:, 2] += X[:, 0] + X[:, 1]
    return X, y


@pytest.fixture
def sum_csv(both, write_csv):
    header = ["kind", *(f"g{j}" for j in range(20))]
    X, y = both
    return write_csv([header, *([k, *x] for k, x in zip(y, X.tolist(), strict=True))])


@pytest.mark.full
def test_it_is_what_python_says(hitmiss, both, sum_csv, tmp_path):
    out = tmp_path / "out"
    result = hitmiss("select", sum_csv, *TESTED, "--out", out)
    assert result.exit_code == 0, result.stderr
    expected = FDRSelector(LOFE(), attributable=True, random_state=0).fit(*both)
    rows = {row["feature"]: row for row in rows_of(out / "weights.csv")}
    for key, values in {
        "q_value": expected.association_,
        "attribution": expected.attribution_,
        "attributable_q": expected.q_values_,
        "attributable": expected.get_support(),
    }.items():
        assert [float(rows[f"g{j}"][key]) for j in range(20)] == values.tolist()
    sheet = openpyxl.load_workbook(out / "results.xlsx")["features"]
    assert [cell.value for cell in sheet[1]] == list(rows["g0"])
    assert 0 < expected.get_support().sum() < (expected.association_ <= 0.1).sum() == 3


@pytest.mark.full
def test_every_place_says_it(hitmiss, sum_csv, tmp_path):
    out = tmp_path / "out"
    result = hitmiss("select", sum_csv, *TESTED, "--out", out)
    run = json.loads((out / "run.json").read_text())
    found = run["attribution"]
    n = len(found["attributable"])
    assert (found["fdr"], found["n_discoveries"], run["verdict"]["n_attributable"]) == (0.1, 3, n)
    first, *lines = result.stdout.splitlines()
    assert first.endswith(f", {n} attributable.")
    assert run["verdict"]["sentence"] == first
    named = ", ".join(found["attributable"])
    assert f"Attributable: {n} of 3 with q ≤ 0.1: {named}." in lines
    assert any(line.startswith(MEANS) for line in lines)
    listed = {item["feature"]: item["attributable"] for item in run["selected"]}
    printed = {row[0]: "yes" in row for row in map(str.split, lines) if row and row[0] in listed}
    assert printed == {name: bool(flag) for name, flag in listed.items()}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert first.removesuffix(".") in page
    assert page.count(MEANS) == 1  # in the banner
    assert f">{n} of 3<" in page
    assert f"q ≤ 0.1, no feature but kin could replace {named}.<" in page
    assert '"label":"Attributable","kind":"flag"' in page.replace(": ", ":").replace(", ", ",")


def test_without_it_nothing_is_said(hitmiss, xor_csv):
    result = hitmiss("select", xor_csv, *TESTED[:-1], "--json", "-q")
    found = json.loads(result.stdout)
    assert found["attribution"] is found["verdict"]["n_attributable"] is None
    assert "attributable" not in found["verdict"]["sentence"]
    assert "attribution" not in found["selected"][0]


def test_where_nothing_is_there_no_chain_is_run(hitmiss, write_csv, monkeypatch):
    monkeypatch.setattr("hitmiss.inference.attribution", None)
    X = np.random.default_rng(1).normal(size=(30, 6)).round(3).tolist()
    path = write_csv([["kind", *"abcdef"], *([n % 2, *x] for n, x in enumerate(X))])
    result = hitmiss("select", path, *TESTED, "--set", "alpha=1000")
    assert result.exit_code == 0
    assert result.stdout.startswith("Nothing here: ")
    assert "ttributable" not in result.stdout


def test_ctrl_c_keeps_the_test(hitmiss, sum_csv, tmp_path, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("hitmiss.inference.attribution", interrupted)
    result = hitmiss("select", sum_csv, *TESTED, "--stability", "3", "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert result.stderr.endswith("\nInterrupted during the attribution.\n")
    assert result.stdout.splitlines()[0].split("; ")[-1].startswith("3 with q ≤ 0.1")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["permutation_test"]["n_permutations"] == 20
    assert (run["complete"], run["attribution"], run["stability"]) == (False, None, None)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--quick"], "leave out --quick, or use --permutations 20."),
        (["--permutations", "0"], "leave out --quick, or use --permutations 20."),
        (["-m", "relieff"], "--attributable needs --method lofe without --markers"),
        (["--markers"], "without --markers; got --method lofe."),
        (["-m", "fdrselector"], "got --method fdrselector."),
    ],
)
def test_what_it_does_not_go_with(hitmiss, good, options, sentence):
    result = hitmiss("select", good, "-t", "kind", "--attributable", *options)
    assert_one_sentence(result, sentence)


@pytest.mark.full
def test_numbers(hitmiss, both, write_csv):
    X = both[0]
    rows = np.column_stack([X[:, 0] + X[:, 1], X]).tolist()
    path = write_csv([["dose", *(f"g{j}" for j in range(20))], *rows])
    result = hitmiss("select", path, "-t", "dose", *TESTED[2:], "--json", "-q")
    assert result.exit_code == 0, result.stderr
    expected = FDRSelector(LOFERegressor(), attributable=True, random_state=0)
    expected.fit(X, X[:, 0] + X[:, 1])
    names = [f"g{j}" for j in expected.get_support(indices=True)]
    assert sorted(json.loads(result.stdout)["attribution"]["attributable"]) == sorted(names)


@pytest.mark.full
def test_a_selector_that_attributes_itself_is_shown_alike(hitmiss, sum_csv):
    by = ["-m", "fdrselector", "-s", "attributable=true"]
    own = json.loads(hitmiss("select", sum_csv, *TESTED[:3], *by, "--json", "-q").stdout)
    found = json.loads(hitmiss("select", sum_csv, *TESTED, "--json", "-q").stdout)
    assert own["attribution"] == found["attribution"]
    assert own["verdict"]["n_significant"] == found["verdict"]["n_significant"] == 3


def test_its_time_is_planned_by_what_is_selected(both):
    X, y = both
    lofe = LOFE().fit(X, y)
    found = plan.plan(Wanted(n_permutations=20, attribution=True), lofe, 1.0, y)
    assert found.seconds["attribution"] == plan.ATTRIBUTION * (1 + lofe.get_support().sum())
    assert found.numbers["attribution"] == 1
    assert found.numbers["permutations"] == 20  # in any case: what is attributed is what it finds
    assert found.numbers["subsamples"] == 20  # its time is asked for, and leaves the minute whole


def test_the_progress_has_its_own_label(both):
    from hitmiss.inference import attribution

    class Seen:
        label, total, done = "", 0, 0

        def begin(self, label, total):
            self.label, self.total = label, total

        def advance(self):
            self.done += 1

    seen = Seen()
    X, y = both
    attribution(LOFE().fit(X, y), X, y, random_state=0, verbose=seen)
    assert seen.label in plan.PARTS
    assert seen.done == seen.total > 1
