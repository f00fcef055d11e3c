"""Checks of the smaller experiments fail where their results are spoiled."""

import pytest

from reproduce.pages.contents import section_named
from tests.reproduce.stored import stored_records

FAR = [1.0] + [0.0] * 70

WITHOUT_REASONS = ("lofe-spiral", "lofe-fig9")  # what was found says it all

# Experiment; case and method whose records are changed, and how; what must fail, and as it begins.
SPOILED = [
    ("lofe-fig2", "spiral", "200", {"others": {"7": 3.0}}, "in the end the pair alone"),
    ("lofe-spiral", "irrelevant", "50", {"relevant": [31.0, 28.5]}, "the weights do not depend on"),
    (
        "lofe-spiral",
        "alpha",
        "0.1",
        {"others": [60.0]},
        "the pair has the largest weights for every α",
    ),
    (
        "lofe-spiral",
        "sigma",
        "5.0",
        {"relevant": [0.0, 9.0]},
        "the pair has the largest weights for every σ",
    ),
    ("lofe-spiral", "convergence", "10.0", {"converged": False}, "converges for every σ"),
    ("lofe-spiral", "convergence", "1.0", {"residuals": [1.0] * 30}, "a larger σ converges sooner"),
    ("lofe-fig8", "banana", "all", {"others": {"7": 1.0}}, "banana: the weights of all features"),
    ("lofe-fig8", "banana", "all", {"others": dict.fromkeys("abcdefghijkl", 0.02)}, "on all sets"),
    ("lofe-fig9", "weights", "lofe", {"n": 24_481}, "LOFE gives a weight to fewer genes"),
    ("lofe-fig9", "weights", "lofe", {"alike": 0.9}, "the 10 best genes of LOFE are less corr"),
    ("lofe-table1s", "twonorm", "2 10000", {"test": 40.0}, "twonorm, α = 2: with 10,000"),
    ("irelief-fig7", "ringnorm 0 %", "irelief", {"weights": [0.0] * 20 + [1.0] * 50}, "ringnorm 0"),
    ("irelief-fig10", "twonorm", "sigma 5", {"weights": FAR[:70]}, "twonorm: weights alike"),
    ("irelief-fig10", "waveform", "sigma 0.3", {"converged": False}, "waveform: σ = 0.05 alone"),
    ("irelief-fig10", "waveform", "sigma 2", {"steps": [1.0] * 9}, "waveform: a larger σ"),
    ("irelief-fig10", "waveform", "sigma 1", {"weights": FAR[:71]}, "waveform: the same weights"),
    ("irelief-fig12", "waveform", "a = 0.25", {"distances": [0.3] * 5}, "waveform: very close"),
    ("irelief-fig12", "ringnorm", "a = 1", {"distances": [0.1] * 5}, "ringnorm: converges for"),
    ("irelief-fig14", "gems_srbct", "irelief_2", {"wrong": "1" * 20}, "SRBCT: I-RELIEF-2 errs ab"),
    ("irelief-fig14", "gems_srbct", "irelief_2", {"wrong": "1" * 20}, "SRBCT: I-RELIEF-2 errs ne"),
    ("irelief-fig14", "gems_9_tumors", "irelief_auto", {"wrong": "1" * 20}, "I-RELIEF-2 with"),
    ("online-fig1", "50", "online_lofe", {"pair": [0.0, 1.0]}, "50 irrelevant: the pair has"),
    ("online-fig1", "5000", "online_lofe", {"n_others": 1}, "5,000 irrelevant: all other weights"),
    ("online-fig2", "twonorm", "evidence", {"test": 9.0}, "twonorm: tuned α within 2 points"),
    ("online-fig2", "starts", "10.0", {"path": [[1, 10.0], [400, 2.0]]}, "waveform: α comes to"),
    ("online-table2", "twonorm", "batch", {"test": 9.0}, "twonorm: points beyond the error"),
    ("online-table2", "splice", "batch", {"test": 12.5}, "splice: batch is better than"),
]


@pytest.mark.parametrize(("name", "case", "method", "change", "claim"), SPOILED)
def test_a_spoiled_result_fails_its_check_and_is_named(name, case, method, change, claim):
    what = section_named(name)
    records = stored_records(what)
    spoiled = {k: r | change if k[:2] == (case, method) else r for k, r in records.items()}
    (before,) = [c for c in what.checks(records) if c.claim.startswith(claim)][:1]
    (after,) = [c for c in what.checks(spoiled) if c.claim == before.claim]
    assert before.held
    assert after.failed
    reasons = what.reasons(spoiled)
    assert after.subject.split(",")[0] in reasons
    assert reasons or name in WITHOUT_REASONS
