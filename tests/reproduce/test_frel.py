"""FREL: subsamples, ensembles and selections; and the verdicts, on results made by hand."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import FREL, Ensemble, datasets
from hitmiss.metrics import nogueira_stability, ranking_stability
from reproduce import experiment_named, frel_fig1_page, frel_fig2
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
from reproduce.frel_methods import GAMMAS, PLAIN, Method
from reproduce.frel_stability import (
    eq22,
    fit_all,
    mean_ranks,
    selected,
    stability_by_members,
    subsets,
)
from reproduce.harness.experiment import Key
from reproduce.harness.readme import stored

RESULTS = Path(__file__).parents[2] / "reproduce" / "results"


def test_mean_ranks_are_those_of_the_ensemble_of_the_library():
    X, y = datasets.make_twonorm(40, n_irrelevant=60, random_state=0, return_X_y=True)
    base = FREL(n_neighbors=2, **PLAIN)
    ensemble = Ensemble(base, 6, 0.9, aggregate="ranks", random_state=3).fit(X, y)
    rng, members = np.random.default_rng(3), []
    for _ in range(6):
        rng.integers(2**31)  # the seed of a member, which FREL has no use for
        rows = np.sort(rng.permutation(40)[:36])
        members.append(Method(base).weigh(X[rows], y[rows]))
    np.testing.assert_array_equal(ensemble.member_weights_, members)
    ranks = mean_ranks(np.array(members))
    np.testing.assert_allclose(ranks, 1 + (X.shape[1] - 1) * (1 - ensemble.weights_))
    assert set(selected(ranks, 10)) == set(ensemble.ranking_[:10])


@given(st.integers(10, 200), st.integers(0, 4))
def test_subsamples_are_nine_tenths_whatever_the_number_of_members(n, n_members):
    draws, more = subsets(n, n_members), subsets(n, n_members + 1)
    for (rows, inner), (same, longer) in zip(draws, more, strict=True):
        np.testing.assert_array_equal(rows, same)
        assert len(set(rows)) == len(rows) == int(np.ceil(0.9 * n))
        assert len(inner) == n_members
        for some, again in zip(inner, longer, strict=False):
            np.testing.assert_array_equal(some, again)
            assert set(some) <= set(rows)
            assert len(set(some)) == len(some) == int(np.ceil(0.9 * len(rows)))


def test_features_that_tie_across_the_last_place_are_not_selected():
    ranks = np.array([3.5, 1.0, 3.5, 2.0, 5.0])
    chosen = {n: selected(ranks, n).tolist() for n in (1, 2, 3, 4)}
    assert chosen == {1: [1], 2: [1, 3], 3: [1, 3], 4: [0, 1, 2, 3]}
    assert not len(selected(np.ones(4), 2))


def test_eq_22_is_the_correlation_of_permutations_and_rewards_members_that_disagree():
    rng = np.random.default_rng(0)
    alone = np.array([rng.permutation(30) + 1.0 for _ in range(4)])
    assert eq22(alone) == pytest.approx(ranking_stability(-alone))
    members = rng.normal(size=(4, 40, 30))  # nothing but noise
    found = stability_by_members(members)
    assert list(found["eq. 22"]) == [1, 5, 10, 20, 40]
    assert found["eq. 22"][40] > 0.9
    assert abs(found["Spearman"][40]) < 0.3


def test_members_are_fitted_on_their_rows():
    X, y = datasets.make_twonorm(20, random_state=0, return_X_y=True)
    method = Method(FREL(**PLAIN))
    draws = subsets(20, n_members=2)
    single, members = fit_all(method, X, y, draws)
    assert members.shape == (10, 2, X.shape[1])
    X = X.astype(np.float32)
    rows, inner = draws[4]
    np.testing.assert_array_equal(single[4], method.weigh(X[rows], y[rows]))
    np.testing.assert_array_equal(members[4, 1], method.weigh(X[inner[1]], y[inner[1]]))


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
    assert "| TOX | Algorithm 1, k = 1, eq. 22 | open | open |" in frel_fig1_page.page(records)


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
    page = frel_fig1_page.page(records)
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
    store = stored(experiment_named("frel-fig1"), RESULTS / "frel-fig1.json")
    if not store or not store.records:
        pytest.skip("there are no results of frel-fig1 with these settings")
    pairs = 0
    for key, plain in store.records.items():
        if key.method.startswith("Lmba"):
            reduced = store.records[key._replace(method=f"VR-{key.method}")]
            assert {**plain, "seconds": 0} == {**reduced, "seconds": 0}
            pairs += 1
    assert pairs == 6


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
    found = {check.claim: check.held for check in frel_fig2.checks(by_gamma(change))}
    assert found["TOX: stability of Log+L2 grows with γ (Algorithm 1, k = 1)"] is held
    assert found["TOX: stability of Log+L2 grows with γ (minimizer, k = 1)"] is True
    assert found["TOX: stability of En-Log+L2 by eq. 22 grows with γ (Algorithm 1, k = 1)"] is True
    text = "- TOX, Log+L2 (Algorithm 1, k = 1): it falls from γ = 0.1 to 1."
    assert (text in frel_fig2.reasons(by_gamma(change))) is not held


def test_what_does_not_rise_does_not_grow():
    flat = {key: {**record, "eq. 22": 0.9} for key, record in by_gamma().items()}
    found = {check.claim: check.held for check in frel_fig2.checks(flat)}
    assert found["TOX: stability of En-Log+L2 by eq. 22 grows with γ (minimizer, k = 1)"] is False
    text = "- TOX, En-Log+L2 by eq. 22 (minimizer, k = 1): it does not rise."
    assert text in frel_fig2.reasons(flat)


def test_growth_with_gamma_is_judged_when_all_gammas_are_there():
    whole, part = ([*frel_fig2.checks(by_gamma(gammas=some))][-1] for some in (GAMMAS, GAMMAS[:4]))
    assert whole.held is True
    assert whole.found == "12 of 12 grow"
    assert part.held is None
