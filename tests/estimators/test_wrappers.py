import os

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import hitmiss
from hitmiss import (
    FREL,
    LOFE,
    BackwardElimination,
    Ensemble,
    FDRSelector,
    FisherScore,
    IRelief,
    LOFERegressor,
    LOFESurvival,
    Markers,
    Relief,
    ReliefF,
    RReliefF,
    TuRF,
    datasets,
    report,
)
from hitmiss.estimators.selector import with_nominal
from hitmiss.estimators.wrappers import allows_nan, with_numbers
from tests import relief_reference as relief


def test_every_parameter_of_that_name_is_set():
    given = FDRSelector(ReliefF())
    found = with_nominal(given, [1, 2])
    assert found.base.categorical == [1, 2]
    assert given.base.categorical == "auto"
    assert with_nominal(FisherScore(), [1]).get_params() == FisherScore().get_params()


def test_words_are_codes_only_for_those_who_know():
    X = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 2.0, 3.0]})
    estimator, codes = with_numbers(ReliefF(), X)
    assert estimator.categorical == [0]
    np.testing.assert_array_equal(codes, [[0, 1], [1, 2], [0, 3]])
    forest = RandomForestClassifier()
    same, table = with_numbers(forest, X)
    assert same is forest
    assert table is X


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (ReliefF(), True),
        (ReliefF(missing="error"), False),
        (FDRSelector(ReliefF()), True),
        (KNeighborsClassifier(), False),
    ],
)
def test_who_takes_gaps(estimator, expected):
    assert allows_nan(estimator) is expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (None, "classes"),
        (ReliefF(), "classes"),
        (LOFERegressor(), "numbers"),
        (TuRF(RReliefF()), "numbers"),
        (LOFESurvival(), "survival"),
    ],
)
def test_what_is_explained_is_what_the_base_explains(base, expected):
    for around in (FDRSelector, Ensemble, BackwardElimination, TuRF):
        assert around(base).explains == expected


def test_estimators_of_others_explain_numbers_if_they_are_regressors():
    scaled = make_pipeline(StandardScaler(), Lasso())
    for base, expected in {
        Lasso(): "numbers",
        scaled: "numbers",
        LogisticRegression(): "classes",
    }.items():
        assert FDRSelector(base).explains == Ensemble(base).explains == expected


AROUND = {
    "TuRF": lambda base: TuRF(base, 2),
    "BackwardElimination": lambda base: BackwardElimination(base, 2),
    "Ensemble": lambda base: Ensemble(base, 3, random_state=0, max_features=2),
    "FDRSelector": lambda base: FDRSelector(base, max_features=2, random_state=0),
}


@pytest.mark.full
@pytest.mark.parametrize("kind", [float, int])
@pytest.mark.parametrize("base", [RReliefF(), LOFERegressor()], ids=["RReliefF", "LOFERegressor"])
@pytest.mark.parametrize("around", AROUND)
def test_numbers_around_a_base_of_numbers(around, base, kind):
    X, y = datasets.make_additive(80, n_irrelevant=4, random_state=0, return_X_y=True)
    y = (20 * (y - y.mean()) / y.std()).astype(kind)
    found = AROUND[around](base).fit(X, y)
    assert set(found.get_support(indices=True)) == set(base.fit(X, y).ranking_[:2])
    assert not hasattr(found, "classes_")
    with pytest.raises(ValueError, match="y must hold numbers, and it holds 'a'"):
        AROUND[around](base).fit(X, ["a", "b"] * 40)


@pytest.mark.parametrize("around", ["Ensemble", "FDRSelector"])
def test_numbers_around_a_regressor_of_others(around):
    X, y = datasets.make_additive(80, n_irrelevant=4, random_state=0, return_X_y=True)
    found = AROUND[around](Lasso(0.01)).fit(X, y)
    assert found.weights_.shape == (X.shape[1],)
    assert set(found.ranking_[:1]) == {int(np.abs(Lasso(0.01).fit(X, y).coef_).argmax())}


def test_survival_around_a_base_of_survival():
    X, y = datasets.make_survival(60, n_irrelevant=3, random_state=0, return_X_y=True)
    for around in ("BackwardElimination", "Ensemble"):
        found = AROUND[around](LOFESurvival(alpha=0.3)).fit(X, y)
        assert found.get_support().sum() == 2


def test_a_report_of_numbers_around_a_base():
    X, y = datasets.make_additive(60, n_irrelevant=2, random_state=0, return_X_y=True)
    selector = FDRSelector(RReliefF(), random_state=0, max_features=2).fit(X, y)
    columns = report.summarize(selector, X, y)["table"]["columns"]
    assert "Rank correlation" in [column["label"] for column in columns]


@pytest.mark.parametrize(
    "around",
    [
        FDRSelector(TuRF(ReliefF(missing="pairwise"), 2), n_permutations=9, random_state=0),
        Ensemble(TuRF(ReliefF(missing="pairwise"), 2), 2, random_state=0),
        BackwardElimination(TuRF(ReliefF(missing="pairwise"), 2), 2),
        Markers(TuRF(ReliefF(missing="pairwise"), 2)),
    ],
    ids=lambda item: type(item).__name__,
)
def test_a_rule_of_missing_values_reaches_through_two_wrappers(around):
    X, y = datasets.make_twonorm(40, n_irrelevant=0, random_state=0, return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    assert around.fit(X, y).n_missing_.tolist() == np.isnan(X).sum(axis=0).tolist()


BASES = [
    *("Relief", "ReliefF", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar", "IRelief"),
    *("OnlineIRelief", "Simba", "FisherScore", "KolmogorovSmirnov"),
]


def by_hand(base, X, y, n_features, step):
    """Fit, drop, fit again on what is left, with public calls only."""
    kept, dropped = np.arange(X.shape[1]), []
    while True:
        order = kept[base.fit(X[:, kept], y).ranking_]
        if len(kept) <= n_features:
            return np.concatenate([order, *dropped]), base.weights_
        n_kept = max(n_features, len(kept) - max(1, int(step * len(kept))))
        dropped.insert(0, order[n_kept:])
        kept = np.sort(order[:n_kept])


@pytest.mark.parametrize(("step", "n_features"), [(0.5, 3), (0.1, 7), (0.01, 28)])
def test_it_is_what_it_says(step, n_features):
    X, y = relief.gaussian_classes(50, n_features=30)
    found = BackwardElimination(ReliefF(5), n_features, step).fit(X, y)
    ranking, weights = by_hand(ReliefF(5), X, y, n_features, step)
    np.testing.assert_array_equal(found.ranking_, ranking)
    np.testing.assert_array_equal(found.get_support(indices=True), np.sort(ranking[:n_features]))
    np.testing.assert_allclose(found.weights_[found.get_support()], weights, rtol=1e-12)
    np.testing.assert_array_equal(found.base_.weights_, found.weights_[found.get_support()])


@pytest.mark.parametrize("base", BASES)
def test_any_selector_can_be_the_base(base):
    X, y = datasets.make_xor(n_irrelevant=30, random_state=0, return_X_y=True)
    base = getattr(hitmiss, base)()
    quick = {"random_state": 0, "n_restarts": 1, "n_passes": 1, "sigma": 5.0}
    base.set_params(**{name: quick[name] for name in quick.keys() & base.get_params().keys()})
    found = BackwardElimination(base, n_features=6).fit(X, y)
    ranking, weights = by_hand(base, X, y, 6, 0.5)
    np.testing.assert_array_equal(found.ranking_, ranking)
    np.testing.assert_allclose(found.weights_[found.get_support()], weights, rtol=1e-6)


def test_the_rounds_of_ten_features():
    X, y = relief.gaussian_classes(40, n_features=10)
    found = BackwardElimination(ReliefF(), n_features=2).fit(X, y)
    assert sorted(found.rounds_.tolist()) == [1] * 5 + [2] * 2 + [3] + [4] * 2  # 10, 5, 3, 2
    assert found.n_iter_ == 4
    np.testing.assert_array_equal(found.rounds_[found.ranking_], -np.sort(-found.rounds_))
    np.testing.assert_array_equal(found.feature_importances_ != 0, found.get_support())
    assert found.feature_importances_.max() == 1


def test_no_more_features_than_wanted_are_all_kept():
    X, y = relief.gaussian_classes(40)
    found = BackwardElimination().fit(X, y)
    assert found.get_support().all()
    np.testing.assert_allclose(found.weights_, IRelief().fit(X, y).weights_)


def test_irelief_finds_the_ring_among_thousands():
    """I-RELIEF/BS, its default base."""
    ring = datasets.make_ringnorm(200, n_irrelevant=2000, dtype=np.float32, random_state=0)
    once = IRelief(max_features=20).fit(ring.data, ring.target).get_support(indices=True)
    found = BackwardElimination(n_features=20).fit(ring.data, ring.target)
    hits = len(set(found.get_support(indices=True)) & set(ring.relevant))
    assert hits >= len(set(once) & set(ring.relevant))
    assert hits >= 17


def test_turf_recovers_an_interaction_that_relieff_loses():
    once, tuned = [], []
    for seed in range(6):
        xor = datasets.make_xor(60, n_irrelevant=500, random_state=seed)
        once.append(set(ReliefF().fit(xor.data, xor.target).ranking_[:2]) == {0, 1})
        tuned.append(set(TuRF(n_features=2).fit(xor.data, xor.target).ranking_[:2]) == {0, 1})
    assert sum(once) <= 2
    assert sum(tuned) >= 5


def test_turf_is_backward_elimination_around_relieff():
    X, y = relief.gaussian_classes(40, n_features=30)
    turf = TuRF(n_features=4).fit(X, y)
    other = BackwardElimination(ReliefF(), n_features=4, step=0.1).fit(X, y)
    np.testing.assert_array_equal(turf.weights_, other.weights_)
    np.testing.assert_array_equal(turf.ranking_, other.ranking_)


def test_max_features_cuts_the_ranking_anywhere():
    X, y = relief.gaussian_classes(40, n_features=12)
    for k in (1, 3, 9):
        found = TuRF(n_features=3, max_features=k).fit(X, y)
        np.testing.assert_array_equal(found.get_support(indices=True), np.sort(found.ranking_[:k]))


def test_the_base_scales_and_stays_as_it_is():
    X, y = relief.gaussian_classes(40, n_features=12)
    X = X * np.geomspace(1, 1e4, 12)
    base = ReliefF(scale=None)
    found = BackwardElimination(base, n_features=3).fit(X, y)
    assert found.scale is None
    assert not hasattr(base, "weights_")
    ranking, _ = by_hand(ReliefF(scale=None), X, y, 3, 0.5)
    np.testing.assert_array_equal(found.ranking_, ranking)


@pytest.mark.parametrize("step", [0, 1, -0.5, 2, "half"])
def test_step_must_be_a_share(step):
    with pytest.raises(ValueError, match="step must be a"):
        TuRF(step=step).fit(np.eye(6), [0, 1] * 3)


@pytest.mark.parametrize("base", [LogisticRegression(), "ReliefF", ReliefF])
def test_the_base_must_be_a_selector_of_ours(base):
    with pytest.raises(ValueError, match="base must be a selector of hitmiss"):
        TuRF(base).fit(np.eye(6), [0, 1] * 3)


def test_the_parameters_of_the_base_are_checked():
    with pytest.raises(ValueError, match="n_neighbors must be"):
        TuRF(ReliefF(0)).fit(np.eye(6), [0, 1] * 3)


def test_the_estimated_time_is_that_of_one_round_to_that_of_all():
    least, most = ReliefF()._pair_nanoseconds
    assert BackwardElimination(ReliefF(), step=0.5)._pair_nanoseconds == (least, 2 * most)
    assert BackwardElimination(FisherScore())._pair_nanoseconds is None


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
