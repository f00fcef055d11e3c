"""Verdicts of the pages, on results made by hand."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from reproduce import (
    EXPERIMENTS,
    experiment_named,
    frel_fig1_page,
    irelief_table2_page,
    lofe_fig8,
    lofe_table2_page,
    lofe_table2_reasons,
    lofe_table4,
    online_table2,
)
from reproduce.experiment import Key
from reproduce.figures import panels, shared_legend
from reproduce.page import stored

RESULTS = Path(__file__).parents[2] / "reproduce" / "results"


def stable(**intervals):
    """Records of methods by the lower and upper end of Nogueira's interval."""
    return {
        name: {"selection": [sum(ends) / 2, *ends], "ranks, Spearman": sum(ends) / 2}
        for name, ends in intervals.items()
    }


@pytest.mark.parametrize(
    ("low", "verdict"), [((0.1, 0.3), "yes"), ((0.1, 0.5), "open"), ((0.8, 0.9), "**no**")]
)
def test_an_order_by_intervals_may_stay_open(low, verdict):
    found = stable(a=low, b=(0.4, 0.6))
    assert frel_fig1_page.ordered(found, ["a"], ["b"], "top 50, Nogueira") == verdict
    by_points = "**no**" if verdict == "**no**" else "yes"
    assert frel_fig1_page.ordered(found, ["a"], ["b"], "ranks, Spearman") == by_points


def lofe_records(error, fdr=1.0, *, fixed=5.2, rule=10.0, plain=3.0):
    """Ten runs on twonorm, whose limit is 4.1 + 0.9, with every baseline at 5.2 or so.

    `fixed` is the error with the best fixed pair, `rule` that of LOFE's own rule with it, `plain`
    that of the SVM on the original features.
    """
    records = {}
    for run in range(10):
        tuned = {"parameters": {"sigma": 1.0, "alpha": 0.3}, "fdr_per_1000": fdr, "rule": 12.0}
        for method in lofe_table2_page.RULES:
            record = {**tuned, "test": [50.0, error + run / 100]}
            records[Key("twonorm", method, run)] = record
        for method in lofe_table2_page.LOST:
            records[Key("twonorm", method, run)] = {"test": [5.2 + run % 2 / 10]}
        for method in lofe_table2_page.FIXED:
            best = method == "lofe, 5/1"
            record = {**tuned, "test": [fixed if best else 40.0], "rule": rule if best else 12.0}
            records[Key("twonorm", method, run)] = record
        records[Key("twonorm", "svm_original", run)] = {"test": [plain]}
    return records


def verdicts(records, module):
    return {check.claim: check.held for check in module.checks(records)}


@pytest.mark.parametrize(("error", "held"), [(4.9, True), (5.1, False)])
def test_the_error_of_lofe_may_exceed_the_published_one_by_a_deviation(error, held):
    found = verdicts(lofe_records(error), lofe_table2_page)
    assert found["twonorm: error at most 5.0"] is held


def test_more_false_discoveries_or_losses_than_published_do_not_pass():
    fine = verdicts(lofe_records(4.9), lofe_table2_page)
    poor = verdicts(lofe_records(6.0, fdr=2.0), lofe_table2_page)
    fdr, lost = "FDR averaged over the sets at most 1.9 per 1,000", "LOFE loses to {} on at most"
    assert (bool(fine[fdr]), bool(poor[fdr])) == (True, False)
    assert fine[f"{lost.format('ks')} 0 sets"]
    assert not poor[f"{lost.format('ks')} 0 sets"]
    assert poor[f"{lost.format('ams_1000')} 1 sets"]  # one loss is as published


def test_a_missing_run_leaves_a_comparison_open():
    records = lofe_records(4.9)
    del records[Key("twonorm", "ks", 9)]
    found = verdicts(records, lofe_table2_page)
    assert found["LOFE loses to ks on at most 0 sets"] is None
    assert found["LOFE loses to simba on at most 0 sets"]


def test_without_a_run_a_limit_is_open():
    records = {Key("twonorm", "svm_original", 0): {"test": [3.0]}}
    found = verdicts(records, lofe_table2_page)
    assert found["twonorm: error at most 5.0"] is None
    assert not re.search(r"\bnan\b", lofe_table2_page.page(records))


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        (lofe_records(6.0, fixed=4.0, rule=13.0), "The reason is what is tuned for."),
        (lofe_records(6.0, fixed=4.0, rule=11.0), "The reason is the tuning."),
        (lofe_records(6.0, fixed=5.5), "the ranking by LOFE from 120 samples"),
        (lofe_records(6.0, fixed=5.5, plain=3.2), "is worse than published as well"),
    ],
)
def test_the_reason_for_a_large_error_comes_from_the_records(records, reason):
    lines = lofe_table2_reasons.reasons(records).splitlines()
    (line,) = [line for line in lines if line.startswith("- twonorm: ")]
    assert reason in line
    assert "σ = 5 and α = 1" in line


def test_reasons_name_the_sets_that_are_lost_and_the_false_discoveries():
    text = lofe_table2_reasons.reasons(lofe_records(6.0, fdr=3.0))
    assert "LOFE against ks, 0/0/1: loses twonorm (6.0(0.0) and 5.2(0.1); 4.1(0.9) and" in text
    assert "twonorm (3.0, published 2.2; median α 0.3)" in text
    assert "LOFE against" not in lofe_table2_reasons.reasons(lofe_records(4.9))


def irelief_records(ours, theirs=25.0, n_runs=20):
    """Runs on one case; the better number of features on the test data is not chosen."""
    records = {}
    for run in range(n_runs):
        for method, error in (("irelief", ours), ("relieff", theirs)):
            record = {"test": [error + run % 3, 0.0], "nested": [1.0, 2.0], "auc": 0.9}
            records[Key("waveform 10 %", method, run)] = record
    return records


@pytest.mark.parametrize(("ours", "held"), [(20.0, True), (30.0, False)])
def test_irelief_must_not_lose_with_features_chosen_on_the_training_data(ours, held):
    found = verdicts(irelief_records(ours), irelief_table2_page)
    assert found["I-RELIEF never loses to RELIEF-F (published: 9/9/0)"] is held


def test_irelief_is_judged_when_all_runs_are_there():
    found = verdicts(irelief_records(30.0, n_runs=19), irelief_table2_page)
    assert set(found.values()) == {None}


def test_the_reasons_say_whose_error_is_not_the_published_one():
    # published: I-RELIEF 11.2(1.2), RELIEF-F 12.2(1.3), a win
    far = "than the published one by at least 2 standard errors on"
    better = irelief_table2_page.reasons(irelief_records(10.0, 10.0))
    assert "not won here: waveform 10 %." in better
    assert f"Our RELIEF-F is better {far} waveform 10 % (" in better
    assert f"Our I-RELIEF is worse {far} none." in better
    worse = irelief_table2_page.reasons(irelief_records(30.0))
    assert f"Our I-RELIEF is worse {far} waveform 10 % (" in worse
    assert "Lost: waveform 10 %, " in worse
    assert "test data 0.0(0.0) and 0.0(0.0), so it is the number of features chosen." in worse


def test_an_irrelevant_weight_makes_two_vectors_differ():
    def both(others):
        return {
            Key("heart", "original", 0): {"weights": [1.0, 0.5], "others": {}},
            Key("heart", "all", 0): {"weights": [1.0, 0.5], "others": others},
        }

    assert lofe_fig8.cosine(both({}), "heart") == pytest.approx(1)
    records = both({"7": 1.0, "9": 0.005})
    assert lofe_fig8.cosine(records, "heart") < 0.8
    assert lofe_fig8.cosine(records, "heart", only_original=True) == pytest.approx(1)
    assert lofe_fig8.n_selected(records, "heart") == 1
    assert "- heart, 58 samples: the largest irrelevant features have 1.00, 0.01" in (
        lofe_fig8.reasons(records)
    )


def test_a_chance_minimum_passes_with_a_look_at_the_test_data_only():
    records = {
        Key("dlbcl", "lofe", sample): {
            "wrong": "1" + "01"[sample % 20 == 0] + "1" * 48,  # two genes are right by chance
            "nested": [10.0, *[5.0] * 49] if sample % 2 else [5.0, *[10.0] * 49],
            "fit_seconds": 0.1,
        }
        for sample in range(77)
    }
    looked, strict = lofe_table4.checks(records)
    assert looked.held
    assert strict.failed
    assert "5.2 with 2 genes, 100.0 with 1 and 100.0 with 3," in lofe_table4.reasons(records)
    del records[Key("dlbcl", "lofe", 3)]
    assert {check.held for check in lofe_table4.checks(records)} == {None}


def test_online_reasons_name_what_is_kept():
    kept = {"n_used": 20, "fdr_per_1000": 3.0, "fit_seconds": 1.0}
    records = {
        Key("heart", "svm_original", 0): {"test": 1.0},
        Key("flare_solar", "svm_original", 0): {"test": 30.0},
        Key("flare_solar", "batch", 0): {**kept, "test": 40.0},
        Key("flare_solar", "online", 0): {**kept, "test": 31.0, "fit_seconds": 2.0},
    }
    failed = [check.claim.split(":")[0] for check in online_table2.checks(records) if check.failed]
    assert failed == ["flare_solar", "online takes less time than batch on most sets"]
    text = online_table2.reasons(records)
    assert "- flare_solar, batch: 20.0 features, of which 15.0 irrelevant, with α = 1" in text
    assert "flare_solar, online" not in text
    assert "Online is slower" in text


def test_one_legend_has_every_curve_once():
    figure, axes = panels(3, 2)
    for ax, labels in zip(axes, ("ab", "bc", "a"), strict=True):
        for label in labels:
            ax.plot([0, 1], label=label)
    shared_legend(figure)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]
    assert [ax.axison for ax in figure.axes] == [True, True, True, False]
    plt.close(figure)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_does_not_hold_has_a_reason(name):
    what, path = experiment_named(name), RESULTS / f"{name}.json"
    store = stored(what, path) if path.exists() else None
    if store is None:
        pytest.skip(f"there are no results of {name} with these settings")
    failed = [check for check in what.checks(store.records) if check.failed]
    assert not failed or what.reasons(store.records).strip()
