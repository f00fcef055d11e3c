"""Verdicts of FREL's Fig. 2, on results made by hand."""

import pytest

from reproduce.experiments.frel.fig1 import SETS
from reproduce.experiments.frel.methods import GAMMAS
from reproduce.harness.experiment import Key
from reproduce.pages.frel import fig2


def by_gamma(change=0.0, gammas=GAMMAS):
    """Records of Fig. 2 that grow with gamma, but for a change at the third, alone, by the pass."""
    return {
        Key(case, f"{solver}, {gamma:g}", 0): {
            "alone": 0.5 + n / 100 + change * (n == 2 and solver == "paper"),
            "eq. 22": 0.9 + n / 1000,
            "Spearman": 0.9 - n / 10,
        }
        for case in SETS
        for solver in ("paper", "exact")
        for n, gamma in enumerate(gammas)
    }


@pytest.mark.parametrize(("change", "held"), [(0.0, True), (-0.011, True), (-0.013, False)])
def test_growth_with_gamma_may_take_no_step_down(change, held):
    found = {check.claim: check.held for check in fig2.checks(by_gamma(change))}
    assert found["TOX: stability of Log+L2 grows with γ (Algorithm 1, k = 1)"] is held
    assert found["TOX: stability of Log+L2 grows with γ (minimizer, k = 1)"] is True
    assert found["TOX: stability of En-Log+L2 by eq. 22 grows with γ (Algorithm 1, k = 1)"] is True
    text = "- TOX, Log+L2 (Algorithm 1, k = 1): it falls from γ = 0.1 to 1."
    assert (text in fig2.reasons(by_gamma(change))) is not held


def test_what_does_not_rise_does_not_grow():
    flat = {key: {**record, "eq. 22": 0.9} for key, record in by_gamma().items()}
    found = {check.claim: check.held for check in fig2.checks(flat)}
    assert found["TOX: stability of En-Log+L2 by eq. 22 grows with γ (minimizer, k = 1)"] is False
    text = "- TOX, En-Log+L2 by eq. 22 (minimizer, k = 1): it does not rise."
    assert text in fig2.reasons(flat)


def test_growth_with_gamma_is_judged_when_all_gammas_are_there():
    whole, part = ([*fig2.checks(by_gamma(gammas=some))][-1] for some in (GAMMAS, GAMMAS[:4]))
    assert whole.held is True
    assert whole.found == "12 of 12 grow"
    assert part.held is None
