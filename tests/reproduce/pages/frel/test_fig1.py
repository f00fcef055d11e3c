"""Verdicts of FREL's Figs. 1 and 3 to 5, on results made by hand."""

import numpy as np
import pytest

from hitmiss.metrics import nogueira_stability
from reproduce import frel_fig1, frel_fig1_page
from reproduce.frel_fig1_statements import (
    BY_NOTHING,
    NOGUEIRA,
    SETS,
    STATEMENTS,
    checks,
    names_of_seven,
    ordered,
    supports,
)
from reproduce.harness.experiment import Key
from tests.reproduce.stored import stored_records


def curve(last, start=0.3, before=None):
    """Stability by number of members."""
    return dict(zip(("1", "5", "10", "20"), (start, start, before or last, last), strict=True))


def selections(n_shared, n_rows=10, n_top=5):
    """Features selected on each subsample, of which the first are the same on all."""
    own = [range(n_shared + n_top * row, n_top * (row + 1)) for row in range(n_rows)]
    return [[*range(n_shared), *some] for some in own]


def record(stable, right=0.9, n_shared=3, **growth):
    both = {by: curve(stable, **growth) for by in ("eq. 22", "Spearman")}
    return {
        "alone": stable,
        "ensemble": both,
        "selected": selections(n_shared),
        "n_features": 60,
        "accuracy": {
            form: dict.fromkeys(("1NN", "3NN", "linear SVM", "polynomial SVM"), right)
            for form in ("alone", "ensemble")
        },
    }


AS_PUBLISHED = {
    "En-Relief": record(0.8),
    "En-ReliefF": record(0.8),
    "En-Fisher": record(0.8),
    "En-Log+L1": record(0.5, n_shared=1),
    "En-Log+L2": record(0.95, n_shared=5),
    "En-Square+L2": record(0.94, n_shared=5),
    "VR-Lmba": record(0.8),
}


def made(changes=(), readings=BY_NOTHING, cases=("tox_171",)):
    """Records that are as published under all readings, with changes under some."""
    records = {}
    for case in cases:
        for reading in BY_NOTHING:
            now = AS_PUBLISHED | (dict(changes) if reading in readings else {})
            for name, method in names_of_seven(reading).items():
                if now[name]:
                    records[Key(case, method, 0)] = now[name]
    return records


def literal(records):
    """Verdicts of the six statements on TOX, read literally."""
    return [check.held for check in checks(records) if check.subject == "TOX"]


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({}, []),
        ({"En-Log+L1": record(0.85)}, [0]),
        ({"En-Log+L2": record(0.79)}, [1]),
        ({"En-Fisher": record(0.945)}, [1]),
        ({"VR-Lmba": record(0.93, right=0.95)}, [2]),
        ({"En-Relief": record(0.8, start=0.8, before=0.805)}, [3]),
        ({"En-Relief": record(0.8, before=0.77)}, [4]),
        ({"En-Square+L2": record(0.94, right=0.84)}, [5]),
        ({"En-Relief": record(0.8, right=0.96)}, [5]),
    ],
)
def test_each_statement_can_fail(changes, failed):
    expected = [n not in failed for n in range(len(STATEMENTS))]
    assert literal(made(changes)) == expected
    chosen = {name: record for name, record in changes.items() if "+" in name}  # by a reading
    assert literal(made(chosen, BY_NOTHING[1:])) == [True] * len(STATEMENTS)


def test_without_one_of_the_seven_nothing_is_judged():
    records = made({"En-Log+L2": None}, BY_NOTHING[:1])
    assert literal(records) == [None] * len(STATEMENTS)
    assert "| TOX | Algorithm 1, k = 1, eq. 22 | open | open |" in frel_fig1_page.body(records)


def test_the_readings_that_hold_are_counted_and_listed():
    changes = {"En-Log+L1": record(0.85, n_shared=4)}
    records = made(changes, BY_NOTHING[2:], SETS)
    first, *_, last = checks(records)
    assert first.claim == (
        "leukemia: En-Log+L1 is the least stable of the seven (Algorithm 1, k = 1, eq. 22)"
    )
    assert first.found == "it to hold under 6 of 12 readings"
    assert last.held
    assert last.found == "18 of 18 statements hold, read literally"
    page = frel_fig1_page.body(records)
    row = "| En-Log+L1 is the least stable of the seven | yes; 6 of 12 readings | yes; 6 of 12 read"
    assert row in page
    assert "| TOX | Algorithm 1, k = 1, Nogueira | yes | yes | yes | – | – | yes | En-Log" in page
    assert "| TOX | minimizer, k = 10, Nogueira | **no** | yes | yes | – | – | yes | En-Log" in page
    assert page.count("<details>") == page.count("</details>") == 3


def test_what_was_found_instead_is_told_where_it_does_not_hold():
    text = frel_fig1_page.reasons(made({"En-Relief": record(0.8, before=0.77)}))
    assert "- TOX, gain from 10 to 20 members: En-Relief (0.030)" in text
    assert "the most stable first" not in text


@pytest.mark.parametrize(("low", "verdict"), [(1, True), (3, None), (5, False)])
def test_nogueiras_test_may_leave_an_order_open(low, verdict):
    noisy = {**record(0.5), "selected": [*selections(3)[:9], *selections(4)[9:]]}
    found = {"a": record(0.5, n_shared=low), "b": noisy}
    assert ordered(found, ["a"], ["b"], NOGUEIRA) is verdict


def test_intervals_may_overlap_where_the_test_tells_a_difference():
    rng = np.random.default_rng(35)

    def drawn(n_common):
        return [[*range(n_common), *rng.choice(40, 10 - n_common, False) + 20] for _ in range(10)]

    shaky, steady = ({**record(0.5), "selected": drawn(n)} for n in (4, 5))
    a, b = (nogueira_stability(supports(some)) for some in (shaky, steady))
    assert a.upper > b.lower
    assert ordered({"a": shaky, "b": steady}, ["a"], ["b"], NOGUEIRA) is True


def test_lmba_is_vr_lmba_in_the_stored_results():
    records = stored_records(frel_fig1.SECTION)
    if not records:
        pytest.skip("there are no results of frel-fig1 with these settings")
    pairs = 0
    for key, plain in records.items():
        if key.method.startswith("Lmba"):
            reduced = records[key._replace(method=f"VR-{key.method}")]
            assert {**plain, "seconds": 0} == {**reduced, "seconds": 0}
            pairs += 1
    assert pairs == 6
