import pytest

from reproduce.experiments.batches.bladder import AUTO, EFFECTS, METHODS, OWN
from reproduce.harness.experiment import Key
from reproduce.pages.batches import bladder


@pytest.fixture
def records():
    """Two draws: without strata two of four others are shifted, with strata one of ten."""
    found = {}
    for case in EFFECTS:
        for run in range(2):
            plain = {"true": 3, "others": 4, "shifted": 2, "explained": [0.3] * 4, "p": 0.05}
            strata = {"true": 3, "others": 10, "shifted": run, "explained": [0.1] * 10, "p": 0.5}
            for method, record in zip(METHODS, (plain, strata), strict=True):
                record |= {"base": [0.2, 0.2], "told": 4}
                record["listed"] = {"true": 1, "others": 0, "shifted": 0}
                found[Key(case, method, run)] = record
    for case, (n_true, _) in AUTO.items():
        for run in range(2):
            plain, strata = ({"true": n_true, "others": 2, "shifted": n} for n in (2, 0))
            found[Key(case, "plain", run)], found[Key(case, "strata", run)] = plain, strata
    own = {"genes": [1, 2], "wrong": 0, "left_out": 18, "samples": [18, 48]}
    return found | {Key(OWN, method, 0): own for method in METHODS}


def checked(records):
    """By a word of its text, whether a check is met."""
    return {check.claim: check.held for check in bladder.checks(records)}


def test_chance_is_told_from_the_batch(records):
    p, n_shifted, n_others = bladder.more_than_blindly(records, "strata")
    assert (n_shifted, n_others) == (3, 60)
    assert p > 0.99
    assert bladder.more_than_blindly(records, "plain")[0] < 0.01
    met = [met for text, met in checked(records).items() if "blindly" in text]
    assert met == [True, True]


def test_one_shifted_gene_with_strata_is_too_many(records):
    met = checked(records)
    assert not met["nothing: with strata none, in every draw"]
    assert not met["five strong genes: with strata no shifted gene is selected, in every draw"]
    assert met["q ≤ 0.1: with strata no shifted gene, in every draw of all cases"]
    records[Key("five genes", "strata", 1)]["listed"]["shifted"] = 1
    assert not checked(records)["q ≤ 0.1: with strata no shifted gene, in every draw of all cases"]


def test_the_table_has_what_q_values_leave(records):
    page = bladder.body(records)
    assert "| five genes | LOFE | 3.0 | 4.0 | 2.0 | 30 % | 1.0 | 0.0 | 0.0 | 2 |" in page
    assert "| nothing | LOFE, strata=batch |  | 10.0 | 0.5 | 10 % |  | 0.0 | 0.0 | 0 |" in page
    assert "4.0 of the five genes, and 4.0 of the five strong ones" in page


def test_what_noise_does_not_exceed_is_held_against_both_halves(records):
    claims = {claim: held for claim, held in checked(records).items() if "auto" in claim}
    assert len(claims) == 5
    assert all(claims.values())
    records[Key("one gene, alpha auto", "strata", 1)] |= {"true": 0, "shifted": 1}
    records[Key("one gene, alpha auto", "plain", 1)]["shifted"] = 0
    claims = {claim: held for claim, held in checked(records).items() if "one gene" in claim}
    assert len(claims) == 3
    assert not any(claims.values())
    page = bladder.body(records)
    assert "| one gene, alpha auto | LOFE, strata=batch | 0.5 | 2.0 | 0.5 | 1 |" in page
    assert "| nothing, alpha auto | LOFE |  | 2.0 | 2.0 | 2 |" in page
