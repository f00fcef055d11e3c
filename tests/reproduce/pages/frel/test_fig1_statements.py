import numpy as np
import pytest

from hitmiss.metrics import nogueira_stability
from reproduce.experiments.frel.readings import NOGUEIRA, WITHOUT_MEASURE
from reproduce.pages.frel.fig1_statements import STATEMENTS, checks, ordered, supports
from tests.reproduce.pages.frel.fig1_results import made, record, selections


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
    assert literal(made(chosen, WITHOUT_MEASURE[1:])) == [True] * len(STATEMENTS)


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
