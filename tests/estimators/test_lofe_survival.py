import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sksurv.metrics import concordance_index_censored

from hitmiss import LOFERegressor, LOFESurvival, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.prediction import leave_one_out_concordance
from hitmiss.inference import permutation_test
from hitmiss.lofe.problem import Problem
from hitmiss.targets.survival import Survival


def times(n_samples=150, n_irrelevant=20, seed=0, **how):
    return datasets.make_survival(
        n_samples, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True, **how
    )


@pytest.mark.parametrize("alpha", [1.0, "auto"])
def test_without_censoring_it_is_the_regressor(alpha):
    X, y = times(censored=0.0)
    numbers = LOFERegressor(alpha=alpha, tau=0.3).fit(X, y["time"])
    survival = LOFESurvival(alpha=alpha).fit(X, y)
    assert numbers.weights_.max() > 0.1
    np.testing.assert_allclose(survival.weights_, numbers.weights_, rtol=1e-9, atol=1e-9)


@pytest.mark.full
def test_the_pair_is_on_top_among_a_thousand():
    X, y = times(400, 1000)
    fitted = LOFESurvival(tol=1e-3).fit(X, y)
    assert set(fitted.ranking_[:2]) == {0, 1}
    assert fitted.converged_


def test_noise_has_no_weight_by_default():
    X, y = times(150, 300)
    noise = X[:, 2:]
    assert LOFESurvival(alpha=0.5).fit(noise, y).get_support().sum() > 5
    with pytest.warns(UserWarning, match="no feature does better than noise can"):
        fitted = LOFESurvival().fit(noise, y)
    assert not fitted.weights_.any()
    assert fitted.loo_concordance_ == 0.5


def test_score_is_the_concordance_of_the_risk():
    X, y = times()
    fitted = LOFESurvival().fit(X, y)
    new_X, new_y = times(seed=1)
    risk = fitted.predict(new_X)
    assert ((risk >= 0) & (risk <= 1)).all()
    expected = concordance_index_censored(new_y["event"], new_y["time"], risk)[0]
    assert fitted.score(new_X, new_y) == pytest.approx(expected)
    assert expected > 0.6


def by_hand(P, y):
    """Concordance of risks without both of a pair; censored ones are halfway to the end."""
    n, order = len(y), np.argsort(y["time"])
    left = np.empty(n)
    left[order] = np.cumprod(1 - y["event"][order] / np.arange(n, 0, -1))
    values, right, pairs = np.where(y["event"], left, left / 2), 0.0, 0
    for i in np.flatnonzero(y["event"]):
        for j in np.flatnonzero(y["time"] > y["time"][i]):
            others = np.delete(np.arange(n), [i, j])
            one, other = (P[k, others] @ values[others] / P[k, others].sum() for k in (i, j))
            right += 0.5 if abs(one - other) <= 1e-8 else one > other
            pairs += 1
    return right / pairs


def test_leaving_pairs_out_by_hand():
    X, y = times(60, 2)
    fitted = LOFESurvival(scale=None).fit(X, y)
    D = (np.abs(X[:, None] - X) * fitted.weights_).sum(axis=2)
    assert fitted.loo_concordance_ == pytest.approx(by_hand(np.exp(-D / 2), y), abs=1e-6)


def test_risks_that_say_nothing_are_guesses():
    """Leaving out one sample moves the mean of its group the other way; both together do not."""
    _, y = times(60)
    X = np.zeros((60, 1))
    X[:3] = 1.0  # three samples, of which none is told from the other two
    features, w = InMemory(X, Workers(1)), np.array([100.0])
    target = Survival(y["time"], y["event"])
    found = leave_one_out_concordance(features, Problem(target, 2.0, 1.0), w)
    D = 100 * np.abs(X - X.T)
    assert found == pytest.approx(by_hand(np.exp(-D / 2), y))
    same = leave_one_out_concordance(features, Problem(target, 1e9, 1.0), w)
    assert same == 0.5


def test_a_frame_with_two_columns():
    X, y = times()
    frame = pd.DataFrame({"time": y["time"], "event": y["event"]})
    one, other = LOFESurvival().fit(X, y), LOFESurvival().fit(X, frame)
    assert (one.weights_ == other.weights_).all()
    assert one.score(X, y) == other.score(X, frame)


def test_strata_shift_of_a_site_does_not_enter():
    X, y = times(200, 5, seed=2)
    site = np.arange(200) % 2
    X = np.column_stack([X, site + 0.01 * X[:, 0]])
    y["time"] *= np.where(site, 20.0, 1.0)
    with_site = LOFESurvival().fit(X, y)
    with pytest.warns(UserWarning, match="no hit or no miss"):  # censored before all events
        within = LOFESurvival().fit(X, y, strata=site)
    assert with_site.weights_[7] > 0
    assert within.weights_[7] == 0


@pytest.mark.full
def test_permuted_times():
    X, y = times(200, 10)
    test = permutation_test(LOFESurvival(), X, y, n_permutations=9, random_state=0)
    assert {0, 1} <= set(test.selected(0.2))
    frame = pd.DataFrame(y)
    again = permutation_test(LOFESurvival(), X, frame, n_permutations=9, random_state=0)
    np.testing.assert_array_equal(again.statistic, test.statistic)


def test_what_it_is():
    assert not is_regressor(LOFESurvival())
    assert not is_classifier(LOFESurvival())
    assert clone(LOFESurvival(tau=0.2)).tau == 0.2


def test_one_event_has_nothing_to_be_compared_with():
    y = [[0, 1], [0, 2], [1, 3], [0, 4]]
    with pytest.raises(ValueError, match="negative time in row 0"):
        LOFESurvival().fit(np.eye(4), [[1, -1], *y[1:]])
    with pytest.raises(ValueError, match="no event at all"):
        LOFESurvival().fit(np.eye(4), [[0, time] for _, time in y])
    with pytest.raises(ValueError, match="is 7 for all samples, so there is nothing to explain"):
        LOFESurvival().fit(np.eye(4), [[event, 7] for event, _ in y])
