"""LOFE as a classifier and as a selector: what it does with its weights."""

import numpy as np
import pytest
from scipy.special import softmax

from hitmiss import LOFE, FDRSelector, LOFERegressor, RReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import prediction
from hitmiss.estimators.prediction import leave_one_out_r2
from hitmiss.lofe.problem import Problem
from hitmiss.targets.numbers import Numbers
from tests import reference as ref

MAKERS = {2: datasets.make_xor, 3: datasets.make_clusters}


def data(n_classes):
    """Training samples, their labels and new samples."""
    X, y = MAKERS[n_classes](120, noise=0.6, n_irrelevant=5, random_state=0, return_X_y=True)
    return X[:90], y[:90], X[90:]


def reference_distances(lofe, X, y, new, **params):
    """Expected distances to each class by the formula; the training samples define the range."""
    spread = np.ptp(X, axis=0) if lofe.scale == "range" else 1.0
    return ref.class_distances(X / spread, y, new / spread, lofe.weights_, lofe.sigma, **params)


@pytest.fixture(params=[2, 3])
def n_classes(request):
    return request.param


@pytest.fixture(params=["range", None])
def fitted(request, n_classes):
    X, y, new = data(n_classes)
    return LOFE(sigma=1.5, scale=request.param).fit(X, y), X, y, new


def test_predict_takes_the_nearest_class(fitted):
    lofe, X, y, new = fitted
    E = reference_distances(lofe, X, y, new)
    np.testing.assert_array_equal(lofe.predict(new), E.argmin(axis=1))
    assert lofe.score(new, E.argmin(axis=1)) == 1


def test_predict_proba_is_a_softmax_of_the_distances(fitted):
    lofe, X, y, new = fitted
    P = softmax(-reference_distances(lofe, X, y, new), axis=1)
    np.testing.assert_allclose(lofe.predict_proba(new), P, atol=1e-9)


def test_decision_function_compares_with_the_closest_other_class(fitted):
    lofe, X, y, new = fitted
    E = reference_distances(lofe, X, y, new)
    if E.shape[1] == 2:
        expected = E[:, 0] - E[:, 1]
    else:
        others = [np.delete(E, c, axis=1).min(axis=1) for c in range(E.shape[1])]
        expected = np.column_stack(others) - E
    np.testing.assert_allclose(lofe.decision_function(new), expected, atol=1e-9)


def test_margins_pool_the_misses(fitted):
    lofe, X, y, new = fitted
    margins = lofe.margins(new)
    assert margins.shape == (len(new), len(lofe.classes_))
    for c in lofe.classes_:
        E = reference_distances(lofe, X, y == c, new)  # classes False and True
        np.testing.assert_allclose(margins[:, c], E[:, 0] - E[:, 1], atol=1e-9)


def test_loo_error_leaves_each_sample_out(fitted):
    lofe, X, y, _ = fitted
    E = reference_distances(lofe, X, y, X, leave_out=True)
    assert lofe.loo_error_ == pytest.approx(np.mean(E.argmin(axis=1) != y))
    assert 0 < lofe.loo_error_ < 0.5


def test_for_two_classes_everything_agrees():
    X, y, new = data(2)
    lofe = LOFE(sigma=1.5).fit(X, y)
    decision = lofe.decision_function(new)
    np.testing.assert_allclose(lofe.margins(new), np.column_stack([-decision, decision]), atol=1e-9)
    np.testing.assert_allclose(lofe.predict_proba(new)[:, 1], 1 / (1 + np.exp(-decision)))
    np.testing.assert_array_equal(lofe.predict(new), decision > 0)


def test_very_many_samples_are_predicted_as_a_few():
    X, y, new = data(3)
    lofe = LOFE().fit(X, y)
    many = np.tile(new, (300, 1))  # more than are worked on at once
    np.testing.assert_array_equal(
        lofe.predict_proba(many), np.tile(lofe.predict_proba(new), (300, 1))
    )


def test_the_weights_choose_the_selected():
    X, y = datasets.make_twonorm(120, n_irrelevant=50, random_state=0, return_X_y=True)
    lofe = LOFE().fit(X, y)
    np.testing.assert_allclose(lofe.feature_importances_, lofe.weights_ / lofe.weights_.max())
    np.testing.assert_array_equal(lofe.get_support(), lofe.feature_importances_ > 0.01)
    strict = LOFE(threshold=0.5).fit(X, y)
    np.testing.assert_array_equal(strict.get_support(), lofe.feature_importances_ > 0.5)
    np.testing.assert_array_equal(strict.transform(X), X[:, strict.get_support()])


def test_the_ranking_is_by_weight_and_then_by_score():
    X, y = datasets.make_twonorm(120, n_irrelevant=500, random_state=0, return_X_y=True)
    lofe = LOFE(alpha=2.0, order="weight").fit(X, y)
    np.testing.assert_array_equal(np.sort(lofe.ranking_), np.arange(X.shape[1]))
    n = np.count_nonzero(lofe.weights_)
    assert np.all(np.diff(lofe.weights_[lofe.ranking_]) <= 0)
    assert np.all(np.diff(lofe.scores_[lofe.ranking_[n:]]) <= 0)
    np.testing.assert_allclose(lofe.scores_[lofe.ranking_[:n]], 1, atol=1e-3)
    assert lofe.scores_[lofe.ranking_[n:]].max() <= 1 + 1e-3


@pytest.mark.parametrize("max_features", [1, 5, 40, 520])
def test_max_features_goes_on_beyond_the_support(max_features):
    X, y = datasets.make_twonorm(120, n_irrelevant=500, random_state=0, return_X_y=True)
    lofe = LOFE(alpha=2.0, max_features=max_features).fit(X, y)
    support = lofe.get_support(indices=True)
    assert len(support) == lofe.transform(X).shape[1] == max_features
    np.testing.assert_array_equal(support, np.sort(lofe.ranking_[:max_features]))


@pytest.mark.filterwarnings("ignore:All weights are zero")
@pytest.mark.parametrize("k", [2, 3])
def test_without_any_weight_it_still_predicts_and_ranks(k):
    X, y, new = data(k)
    lofe = LOFE(alpha=1e3, max_features=2).fit(X, y)
    assert not lofe.weights_.any()
    assert lofe.transform(new).shape == (len(new), 2)
    np.testing.assert_allclose(lofe.predict_proba(new), 1 / k)
    assert set(lofe.predict(new)) <= set(y)
    np.testing.assert_array_equal(lofe.ranking_, np.argsort(-lofe.scores_, kind="stable"))


def test_of_classes_equally_near_but_for_rounding_the_first_is_predicted(monkeypatch):
    X, y = datasets.make_xor(60, random_state=0, return_X_y=True)
    lofe = LOFE().fit(X, y)
    for toward in (0.0, 1.0):
        E = np.array([[0.3, np.nextafter(0.3, toward)], [np.nextafter(0.3, toward), 0.3]])
        monkeypatch.setattr(prediction, "by_distances", lambda model, X, to, E=E: E)
        assert lofe.predict(X[:2]).tolist() == [lofe.classes_[0]] * 2


def test_a_last_bit_decides_no_error_left_out():
    # Every sample is as near to the other class as to its own: a tie that the first class wins.
    X = np.array([[1.0, 4], [4, 6], [1, 6], [4, 4]] * 3)
    y = np.array([0, 0, 1, 1] * 3)
    errors = [
        LOFE(alpha=0.01).fit(X * np.array([a, 1.0]), y).loo_error_ for a in (1, 3, 0.1, 0.7, 1 / 3)
    ]
    assert len(set(errors)) == 1


def test_leaving_one_out_of_three_by_hand():
    """Far apart, so that the nearest alone counts: 1 for 0, 0 for 1, 1 for 5."""
    X, y = np.array([[0.0], [100.0], [300.0]]), np.array([0.0, 1.0, 5.0])
    left = 1 + 1 + 16
    r2 = leave_one_out_r2(InMemory(X, Workers(1)), Problem(Numbers(y), 1.0, 1.0), np.ones(1))
    assert r2 == pytest.approx(1 - left / (3 * y.var()))


def test_weights_of_samples_count():
    X, y = np.array([[0.0], [100.0], [300.0]]), np.array([0.0, 1.0, 5.0])
    target = Numbers(y, sample_weight=np.array([1.0, 1.0, 0.0]))
    r2 = leave_one_out_r2(InMemory(X, Workers(1)), Problem(target, 1.0, 1.0), np.ones(1))
    assert r2 == pytest.approx(1 - 2 / 0.5)


@pytest.mark.parametrize("base", [LOFERegressor(), RReliefF()], ids=lambda b: type(b).__name__)
def test_which_features_of_numbers_are_real(base):
    X, y = datasets.make_additive(100, n_irrelevant=10, random_state=0, return_X_y=True)
    found = FDRSelector(base, 0.2, n_permutations=9, random_state=0).fit(X, y)
    assert {0, 2} <= set(found.get_support(indices=True))
    assert not hasattr(found, "classes_")
