import pytest

from reproduce.pages.irelief.table2_checks import checks
from tests.reproduce.pages.irelief.table2_results import results


def verdicts(records):
    return {check.claim: check.held for check in checks(records)}


@pytest.mark.parametrize(("ours", "held"), [(20.0, True), (30.0, False)])
def test_irelief_must_not_lose_with_features_chosen_on_the_training_data(ours, held):
    found = verdicts(results(ours))
    assert found["losses: I-RELIEF never loses to RELIEF-F, 9/9/0 as published"] is held


def test_irelief_is_judged_when_all_runs_are_there():
    found = verdicts(results(30.0, n_runs=19))
    assert set(found.values()) == {None}
