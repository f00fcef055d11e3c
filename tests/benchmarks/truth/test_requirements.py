"""Requirements are met or not by the records alone."""

import pytest

from benchmarks.truth.evidence import Evidence
from benchmarks.truth.methods import OURS
from benchmarks.truth.requirements import rows
from benchmarks.truth.scenarios import table


def record(k, q=(), relevant=(), kin=()):
    """Draw k with features 0, 1, ... at levels q."""
    return {
        "draw": k,
        "q": {str(j): level for j, level in enumerate(q)},
        "relevant": list(relevant),
        "kin": {str(j): [j] for j in kin},
        "seconds": 1.0,
    }


def found(what, ours, costs=(), **others):
    """The row of a requirement, given records of scenarios."""
    methods = {OURS: ours, **others}
    records = {
        method: {(name, r["draw"]): r for name, those in by_name.items() for r in those}
        for method, by_name in methods.items()
    }
    (row,) = (r for r in rows(Evidence(table(), records, costs)) if r["what"].startswith(what))
    return row


def test_nothing_is_judged_before_it_is_measured():
    found = rows(Evidence(table(), {}))
    assert len(found) > 30
    assert {row["met"] for row in found} == {None}
    assert not any("nan" in row["required"] for row in found)


def test_rows_are_final_once_all_draws_are_there():
    draws = [record(k, relevant=[0]) for k in range(100)]
    assert found("xor: power, q", {"xor": draws})["complete"]
    assert not found("xor: power, q", {"xor": draws[:99]})["complete"]


@pytest.mark.parametrize(("lists", "met"), [(16, True), (17, False)])
def test_nulls_may_have_a_list_in_q_and_two_standard_errors_of_draws(lists, met):
    draws = [record(k, q=[0.1] if k < lists else []) for k in range(100)]
    row = found("500 global nulls: P(any), q = 0.1", {"null: normal": draws})
    assert row["met"] is met
    assert row["required"] == "at most q + 2 se = 0.160"
    assert row["note"] == "100 of 500 draws"


def test_share_must_grow_with_q():
    draws = [record(0, [0.05]), record(1, [0.1]), record(2, [0.2]), record(3)]
    assert found("500 global nulls: P(any) with q", {"null: normal": draws})["met"]
    assert not found("500 global nulls: P(any) with q", {"null: normal": draws[:2]})["met"]


def test_kin_counts_as_true_and_strictly_as_false():
    draws = [record(k, q=[0.05, 0.05], relevant=[0], kin=[0, 1]) for k in range(4)]
    row = found("blocks .8: mean FDP, q = 0.05", {"blocks .8": draws})
    assert row["met"]
    assert row["found"].startswith("0.000")
    assert "strict 0.500" in row["note"]
    draws = [record(k, q=[0.05, 0.05], relevant=[0], kin=[0]) for k in range(4)]
    assert not found("blocks .8: mean FDP, q = 0.05", {"blocks .8": draws})["met"]


def test_attributable_ones_have_rows_beside_those_of_all():
    name = "made: tox_171"
    ours = {name: [record(k, [0.05, 0.05], [0, 2], kin=[0]) for k in range(4)]}
    apart = {name: [record(k, [0.05], [0, 2], kin=[0]) for k in range(3)]}
    what = "labels made from genes: mean FDP"
    assert not found(f"{what}, q = 0.1", ours, attributable=apart)["met"]
    row = found(f"{what}, attributable, q = 0.1", ours, attributable=apart)
    assert row["met"]
    assert row["note"] == "power with kin 0.500 of 0.500; 3 of 100 draws"


@pytest.mark.parametrize(("hits", "met"), [(3, True), (2, False)])
def test_power_that_is_required(hits, met):
    draws = [record(k, q=[0.1] if k < hits else [], relevant=[0]) for k in range(4)]
    assert found("xor: power, q = 0.1", {"xor": draws})["met"] is met


@pytest.mark.parametrize(("false", "met"), [(False, False), (True, True)])
def test_peer_is_ahead_only_if_its_false_discoveries_are_kept(false, met):
    ours = {"xor": [record(0, relevant=[0]), record(1, [0.1], relevant=[0])]}
    levels = [0.1, 0.1, 0.1] if false else [0.1]
    theirs = {"xor": [record(0, levels, relevant=[0])]}
    row = found("xor: power beside IPSS", ours, ipss=theirs)
    assert row["met"] is met
    assert ("not kept" in row["note"]) is false
    assert row["note"].endswith("1 of 25 draws")


def test_a_peer_with_more_draws_than_planned():
    both = {"xor": [record(k, [0.1], [0]) for k in range(2)]}
    assert found("xor: power beside BorutaPy", both, boruta=both)["note"].endswith("2 of 2 draws")


def test_peer_that_finds_as_much_is_not_ahead():
    both = {"xor": [record(k, [0.1] * 3, range(10)) for k in range(7)]}
    assert found("xor: power beside IPSS", both, ipss=both)["met"] is True


def test_true_labels_need_three_genes_in_every_run():
    name = "true: gems_dlbcl"
    row = found("true labels of gems_dlbcl", {name: [record(0, [0.1] * 3), record(1, [0.1] * 4)]})
    assert (row["found"], row["met"]) == ("3 4", True)
    row = found("true labels of gems_dlbcl", {name: [record(0, [0.1] * 2), record(1, [0.1] * 4)]})
    assert row["met"] is False


def test_donors_are_kept_with_groups_and_not_without():
    empty = [record(k) for k in range(20)]
    full = [record(k, [0.01]) for k in range(20)]
    assert found("donors as wholes: P(any), q = 0.1", {"donors": empty})["met"]
    assert found("donors ignored", {"donors ignored": full})["met"]
    assert not found("donors ignored", {"donors ignored": empty})["met"]


@pytest.mark.parametrize(("seconds", "met"), [(2.5, True), (2.6, False)])
def test_costs_are_ratios(seconds, met):
    cost = {"what": "test", "seconds": seconds, "processor": 3, "most": 25}
    cost |= {"unit": "a fit", "unit_seconds": 0.1, "unit_processor": 0.1}
    assert found("test, in times of a fit", {}, costs=[cost])["met"] is met
