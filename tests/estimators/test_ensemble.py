import os

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hitmiss import FREL, LOFE, Ensemble, FisherScore, Relief, ReliefF, RReliefF, datasets


def twonorm(n_samples=60, n_irrelevant=100):
    return datasets.make_twonorm(
        n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True
    )


def replay(ensemble, X, y):
    """Algorithm 2 as a loop, with the ensemble's own draws."""
    rng, weights = np.random.default_rng(ensemble.random_state), []
    for _ in range(ensemble.n_estimators):
        rng.integers(2**31)  # the member's seed
        rows = np.sort(rng.permutation(len(y))[: int(np.ceil(ensemble.max_samples * len(y)))])
        weights.append(ensemble.base.fit(X[rows], y[rows]).weights_)
    return np.array(weights)


def test_is_algorithm_2():
    X, y = twonorm()
    ensemble = Ensemble(FREL(n_neighbors=3), 7, 0.8, random_state=3, max_features=20).fit(X, y)
    W = replay(ensemble, X, y)
    np.testing.assert_array_equal(ensemble.member_weights_, W)
    np.testing.assert_allclose(ensemble.weights_, W.mean(axis=0))
    np.testing.assert_allclose(ensemble.weights_std_, W.std(axis=0))
    top = np.argsort(-W, axis=1)[:, :20]
    frequency = np.bincount(top.ravel(), minlength=W.shape[1]) / 7
    np.testing.assert_allclose(ensemble.selection_frequency_, frequency)


def test_ranks_by_hand():
    class Given(BaseEstimator):
        def fit(self, X, y):
            self.weights_ = np.array([3.0, 1.0, 1.0, 0.0]) if X[0, 0] < 1 else np.arange(4.0)
            return self

    X, y = np.arange(16.0).reshape(4, 4), [0, 0, 1, 1]
    ensemble = Ensemble(Given(), 2, 3, aggregate="ranks", random_state=1).fit(X, y)
    expected = {0.0: [1, 0.5, 0.5, 0], 1.0: [0, 1 / 3, 2 / 3, 1]}
    rows = [expected[w] for w in ensemble.member_weights_[:, 2] - 1]
    np.testing.assert_allclose(ensemble.weights_, np.mean(rows, axis=0))


@pytest.mark.parametrize(
    "base",
    [
        None,
        Relief(),
        ReliefF(),
        FisherScore(),
        LOFE(),
        LogisticRegression(max_iter=500),
        RandomForestClassifier(10),
        DecisionTreeClassifier(),
    ],
    ids=lambda base: type(base).__name__,
)
def test_any_base(base):
    X, y = datasets.make_clusters(90, n_irrelevant=5, random_state=0, return_X_y=True)
    ensemble = Ensemble(base, 5, random_state=0, max_features=2).fit(X, y)
    assert set(ensemble.get_support(indices=True)) == {0, 1}
    np.testing.assert_array_equal(ensemble.selection_frequency_[:2], 1)
    twin = Ensemble(base, 5, random_state=0, max_features=2).fit(X, y)
    np.testing.assert_array_equal(ensemble.weights_, twin.weights_)  # seeds of members included


def test_where_the_weights_of_a_base_are():
    X, y = twonorm()
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    called = Ensemble(pipeline, 3, importance_getter=lambda fitted: fitted[-1].coef_[0])
    assert called.fit(X, y).weights_.shape == (120,)
    signed = Ensemble(FREL(), 3, random_state=0).fit(X, y)
    absolute = Ensemble(FREL(), 3, importance_getter=lambda f: abs(f.weights_), random_state=0)
    np.testing.assert_allclose(absolute.fit(X, y).member_weights_, abs(signed.member_weights_))
    by_name = Ensemble(FREL(), 3, importance_getter="feature_importances_", random_state=0)
    assert by_name.fit(X, y).member_weights_.max(axis=1) == pytest.approx(1)
    with pytest.raises(ValueError, match="StandardScaler has neither weights_ nor"):
        Ensemble(StandardScaler(), 3).fit(X, y)


def test_wrong_parameters_are_named():
    X, y = twonorm(20, 3)
    for wrong in (0, 1.5, -0.1, 21, True, "half"):
        with pytest.raises(ValueError, match="max_samples must be a share"):
            Ensemble(max_samples=wrong).fit(X, y)
    with pytest.raises(ValueError, match="n_estimators"):
        Ensemble(n_estimators=0).fit(X, y)
    with pytest.raises(ValueError, match="aggregate must be one of 'weights', 'ranks'"):
        Ensemble(aggregate="votes").fit(X, y)
    with pytest.raises(ValueError, match="base must be an estimator"):
        Ensemble(base="relief").fit(X, y)


def test_stratified_subsets_keep_small_classes():
    X, y = twonorm(60, 5)
    y = np.where(np.arange(60) < 4, 2, y)
    seen = []

    class Counting(BaseEstimator):
        def fit(self, X, y):
            seen.append(np.bincount(y, minlength=3)[2])
            self.weights_ = np.ones(X.shape[1])
            return self

    Ensemble(Counting(), 10, 0.5, stratify=True, random_state=0).fit(X, y)
    assert seen == [2] * 10


@pytest.mark.full
@pytest.mark.parametrize("aggregate", ["weights", "ranks"])
def test_processes_change_no_bit(aggregate):
    X, y = twonorm(60, 3000)
    settings = {"n_estimators": 4, "aggregate": aggregate, "random_state": 0}
    one, two = (Ensemble(n_jobs=n, **settings).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.member_weights_, two.member_weights_)
    np.testing.assert_array_equal(one.weights_, two.weights_)


@pytest.mark.full
def test_a_dead_worker_is_an_error_and_the_next_fit_has_new_ones():
    class Dying(BaseEstimator):
        def fit(self, X, y):
            os._exit(1)

    X, y = twonorm(20, 3)
    with pytest.raises(RuntimeError, match=r"A process died .* fewer processes than n_jobs=2"):
        Ensemble(Dying(), 4, n_jobs=2).fit(X, y)
    assert Ensemble(FREL(), 2, n_jobs=2, random_state=0).fit(X, y).weights_.shape == (23,)


def test_progress(capsys, monkeypatch):
    monkeypatch.setattr("hitmiss._util.progress.WORTH_A_LINE", 0.0)
    X, y = twonorm(20, 3)
    Ensemble(Relief(), 3, verbose=True).fit(X, y)
    assert "members" in capsys.readouterr().err


def test_more_members_spread_less():
    X, y = twonorm(40, 200)
    spread = {
        m: np.std([Ensemble(Relief(), m, random_state=s).fit(X, y).weights_ for s in range(8)], 0)
        for m in (1, 4, 16)
    }
    means = [spread[m].mean() for m in (1, 4, 16)]
    np.testing.assert_allclose(means[1:], [means[0] / 2, means[0] / 4], rtol=0.15)


def test_missing_values_are_left_to_the_base():
    X, y = twonorm(40, 3)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    base = ReliefF(missing="pairwise")
    found = Ensemble(base, 1, 1.0, random_state=0).fit(X, y)
    np.testing.assert_array_equal(found.weights_, base.fit(X, y).weights_)


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 61.0)], ids=["plain", "weighted"])
@pytest.mark.parametrize("strata", [None, np.arange(60) % 2], ids=["together", "apart"])
def test_numbers_are_explained_by_a_base_of_numbers(weights, strata):
    X, y = datasets.make_additive(60, n_irrelevant=3, random_state=0, return_X_y=True)
    samples = {"sample_weight": weights, "strata": strata}
    found = Ensemble(RReliefF(9), 1, 1.0, stratify=True, random_state=0).fit(X, y, **samples)
    np.testing.assert_array_equal(found.weights_, RReliefF(9).fit(X, y, **samples).weights_)
    assert not hasattr(found, "classes_")
