"""Verdicts and reasons of LOFE's Table 2, on results made by hand."""

import re

import numpy as np
import pytest

from reproduce import lofe_table2_checks, lofe_table2_page, lofe_table2_reasons
from reproduce.harness.experiment import Key
from reproduce.lofe_table2_page import FIXED, LOST, MARGIN, WEIGHTED

CASE = "twonorm"  # limit 4.1 + 0.9; the SVM on the original features 2.8(0.3)


def results(error, *, fdr=1.0, widened=7.0, margin=7.0, fixed=7.0, rule=12.0, plain=2.8):
    """Ten runs with LOFE's error as given, its own rule at 12, and every baseline at 5.2 or so.

    The others are the errors with a gamma per feature, of the order by mean margin (one, or one per
    run), with the best fixed pair, of LOFE's own rule with that pair, and of the SVM on the
    original features.
    """
    records = {}
    for run in range(10):
        tuned = {"parameters": {"sigma": 1.0, "alpha": 0.3}, "fdr_per_1000": fdr, "rule": 12.0}
        found = {"n_selected": 20, "own": 30.0 + run, "widened": [50.0, widened]}
        records[Key(CASE, "lofe", run)] = {**tuned, **found, "test": [50.0, error + run / 100]}
        for method in LOST:
            records[Key(CASE, method, run)] = {"test": [5.2 + run % 2 / 10]}
        for method in FIXED:
            best = method == "lofe, 5/1"
            record = {"test": [fixed if best else 40.0], "rule": rule if best else 12.0}
            records[Key(CASE, method, run)] = {**tuned, **record}
        records[Key(CASE, MARGIN, run)] = {"test": [np.broadcast_to(margin, 10)[run]]}
        records[Key(CASE, "svm_original", run)] = {"test": [plain]}
    return records


def verdicts(records):
    return {check.claim: check.held for check in lofe_table2_checks.checks(records)}


@pytest.mark.parametrize(("error", "held"), [(4.9, True), (5.1, False)])
def test_the_error_may_exceed_the_published_one_by_a_deviation(error, held):
    assert verdicts(results(error))["twonorm: error at most 5.0"] is held


def test_more_false_discoveries_or_losses_than_published_do_not_pass():
    fine, poor = verdicts(results(4.9)), verdicts(results(6.0, fdr=2.0))
    fdr, lost = "FDR averaged over the sets at most 1.9 per 1,000", "against {}: LOFE loses at most"
    assert (bool(fine[fdr]), bool(poor[fdr])) == (True, False)
    assert fine[f"{lost.format('KS')} 0 of the sets"]
    assert not poor[f"{lost.format('KS')} 0 of the sets"]
    assert poor[f"{lost.format('AMS')} 1 of the sets"]  # one loss is as published


def test_a_missing_run_leaves_a_comparison_open():
    records = results(4.9)
    del records[Key(CASE, "ks", 9)]
    found = verdicts(records)
    assert found["against KS: LOFE loses at most 0 of the sets"] is None
    assert found["against Simba: LOFE loses at most 0 of the sets"]


def test_without_a_run_a_limit_is_open():
    records = {Key(CASE, "svm_original", 0): {"test": [3.0]}}
    assert verdicts(records)["twonorm: error at most 5.0"] is None
    assert not re.search(r"\bnan\b", lofe_table2_page.body(records))


def test_every_method_needs_an_error_that_did_not_look_at_the_test_data():
    records, claim = results(4.9), "every method on every set also with"
    (held,) = [held for text, held in verdicts(records).items() if text.startswith(claim)]
    assert held is None
    for key in records:
        if key.method in lofe_table2_page.SELECTORS:
            records[key]["nested"] = [1.0, 2.0][: len(records[key]["test"])]
    (held,) = [held for text, held in verdicts(records).items() if text.startswith(claim)]
    assert held is True


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"widened": 4.0}, "γ: 4.0 with γ p / k, within the limit"),
        ({"margin": 4.0}, "order: 4.0 by mean margin, within the limit"),
        ({"margin": 4.5, "widened": 4.0}, "γ: 4.0 with γ p / k, within the limit"),
        ({"margin": [2.0, 9.0] * 5}, "no reason found"),  # a gain within two standard errors
        ({"margin": 5.5}, "order: 5.5 by mean margin, in part"),
        ({"margin": 5.5, "plain": 3.2}, "order: 5.5 by mean margin, in part; and the samples"),
        ({"plain": 3.2}, "the samples"),
        ({"fixed": 4.0, "rule": 11.0}, "tuning: 4.0 with another σ/α, within the limit"),
        ({"fixed": 4.0, "rule": 13.0}, "no reason found"),  # the rule itself asks for another pair
    ],
)
def test_the_reason_of_a_large_error_is_what_gains_most(changes, reason):
    records = results(6.0, **changes)
    (row,) = rows_of(lofe_table2_reasons.reasons(records), "reason")
    assert row[0] == CASE
    assert row[-1] == reason
    failed = [c for c in lofe_table2_checks.checks(records) if c.failed and c.subject == CASE]
    assert [check.why for check in failed] == [row[-1]]


def rows_of(text, last):
    """Cells of the table whose head ends with a name."""
    (part,) = [part for part in text.split("\n\n") if part.split("\n")[0].endswith(f"| {last} |")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.split("\n")[2:]]


def test_every_check_that_fails_has_its_reason():
    records = results(6.0, fdr=3.0)
    text = lofe_table2_reasons.reasons(records)
    failed = [check for check in lofe_table2_checks.checks(records) if check.failed]
    assert [check.aim for check in failed] == ["lofe errors", "lofe fdr", *["lofe outcomes"] * 4]
    assert [row[0] for row in rows_of(text, "reason")] == [CASE]
    assert "are selected on twonorm (3.0, published 2.2; median σ/α 1/0.3)." in text
    for check in failed[2:]:
        lost = f"- {check.subject} 0/0/1: loses twonorm (6.0(0.0) / 4.1(0.9), +6.8; 5.2(0.1) / "
        assert lost in text
    assert "loses" not in lofe_table2_reasons.reasons(results(4.9))


@pytest.mark.parametrize(("weighted", "named"), [(12.0, True), (34.4, False), (90.0, False)])
def test_the_weights_that_the_svm_lacks_are_named_where_they_help(weighted, named):
    records = results(4.9)
    for run in range(10):
        records[Key(CASE, WEIGHTED, run)] = {"own": weighted}
    text = lofe_table2_page.weights_sentence(records, [CASE])
    assert ("twonorm -22.5 ± 1.0, 12.0(0.0), " in text) == named
