import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import FREL, Ensemble, datasets
from hitmiss.metrics import ranking_stability
from reproduce.experiments.frel.methods import PLAIN, Method
from reproduce.experiments.frel.subsampling import (
    eq22,
    fit_all,
    mean_ranks,
    selected,
    stability_by_members,
    subsets,
)


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
