import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from hitmiss import LOFE, LOFECV, FisherScore, datasets
from reproduce import protocol
from reproduce.harness.experiment import Plan
from reproduce.irelief_table2 import mislabeled
from reproduce.lofe_table4 import fold
from reproduce.protocol import Split


@pytest.fixture
def folder(tmp_path, monkeypatch):
    X, y = datasets.make_twonorm(60, random_state=0, return_X_y=True)
    np.savez(tmp_path / "norm.npz", X=X, y=y)
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    holes[:, 3] = np.nan
    np.savez(tmp_path / "holes.npz", X=holes, y=y)
    monkeypatch.setenv("HITMISS_DATA", str(tmp_path))
    protocol.dataset.cache_clear()
    yield
    protocol.dataset.cache_clear()


@pytest.mark.usefixtures("folder")
def test_a_partition_is_random_and_repeats():
    first, again, other = (protocol.random_split("norm", run, (30, 20), 5) for run in (0, 0, 1))
    assert first.X_train.shape == (30, 25)
    assert first.X_test.shape == (20, 25)
    assert first.n_original == 20
    np.testing.assert_array_equal(first.X_train, again.X_train)
    assert not np.array_equal(first.X_train, other.X_train)
    rows = {tuple(row) for row in first.X_train[:, :20]} & {tuple(r) for r in first.X_test[:, :20]}
    assert not rows


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("scale", [protocol.standardized, protocol.ranged])
def test_scaling_sees_training_data_only(scale):
    split = protocol.random_split("norm", 0, (30, 20), 0)
    far = split._replace(X_test=split.X_test + 1000)
    np.testing.assert_array_equal(scale(split).X_train, scale(far).X_train)
    shift = scale(far).X_test - scale(split).X_test
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), rtol=1e-3)


def test_constant_features_are_no_trouble():
    X = np.array([[1.0, 5.0], [3.0, 5.0]])
    split = Split(X, np.array([0, 1]), X + 1, np.array([0, 1]), 2)
    assert protocol.ranged(split).X_train.tolist() == [[0, 0], [1, 0]]
    assert protocol.ranged(split).X_test.tolist() == [[0.5, 1], [1.5, 1]]
    assert protocol.standardized(split).X_train.tolist() == [[-1, 0], [1, 0]]


def test_ties_favor_no_feature():
    X = np.tile(np.arange(10.0)[:, None], 50)
    y = np.arange(10) >= 5
    split = Split(X, y, X, y, 50)
    first = [
        protocol.shuffled(FisherScore(n_jobs=1), split, np.random.default_rng(seed)).ranking[0]
        for seed in range(30)
    ]
    assert len(set(first)) > 10


def test_what_a_shuffled_selector_says_refers_to_the_features_given():
    X, y = datasets.make_twonorm(80, n_irrelevant=30, random_state=0, return_X_y=True)
    rng = np.random.default_rng(0)
    plain, found = (
        LOFE(n_jobs=1).fit(X, y),
        protocol.shuffled(LOFE(n_jobs=1), Split(X, y, X, y, 20), rng),
    )
    assert not np.array_equal(found.order, np.arange(50))
    np.testing.assert_allclose(found.weights, plain.weights_, atol=1e-5)
    n = np.count_nonzero(plain.weights_)  # the others are tied
    np.testing.assert_array_equal(found.ranking[:n], plain.ranking_[:n])
    np.testing.assert_array_equal(found.selected, np.flatnonzero(plain.get_support()))
    assert found.score(X, y) == plain.score(X, y)


def test_nested_errors_of_pure_noise_are_those_of_chance():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2000)), np.arange(60) % 2
    split = Split(X, y, X, y, 2000)
    knn, selector = KNeighborsClassifier(3), FisherScore(n_jobs=1)
    ranking = protocol.shuffled(selector, split, rng).ranking
    peeking = protocol.top_errors(ranking, split, knn, [20])
    folds = protocol.folds(5, 0)
    nested = protocol.nested_errors(selector, split, knn, [20], rng, folds=folds)
    assert peeking[0] < 0.15
    assert nested[0] > 0.3


def test_without_features_the_most_frequent_class_is_predicted():
    X, y = np.zeros((5, 3)), np.array([0, 0, 0, 1, 1])
    split = Split(X, y, X[:4], np.array([0, 1, 1, 1]), 3)
    knn = KNeighborsClassifier(1)
    assert protocol.selected_error(np.array([], int), split, knn) == 0.75


@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.floats(0, 1))
def test_wrong_labels_are_wrong_and_as_many_as_asked(labels, share):
    y = np.array([0, 1, *labels])
    before = y.copy()
    wrong = mislabeled(y, share, np.random.default_rng(0))
    assert np.sum(wrong != y) == round(share * len(y))
    assert set(wrong) <= set(y)
    np.testing.assert_array_equal(y, before)


@pytest.mark.usefixtures("folder")
def test_missing_values_are_filled_from_the_training_part():
    split = fold("holes", 7, None)
    assert split.X_train.shape == (59, 20)
    assert np.isfinite(split.X_train).all()
    assert np.isfinite(split.X_test).all()
    assert (split.X_train[:, 3] == 0).all()
    assert split.X_train.min() == 0
    assert split.X_train.max() == 1


@pytest.mark.parametrize("seed", [0, 1])
def test_the_svm_is_tuned_as_a_grid_search_would(seed):
    X, y = datasets.make_waveform(50, random_state=seed, return_X_y=True)
    plan = Plan(1, quick=True)
    search = GridSearchCV(SVC(), protocol.SVM_GRID, cv=protocol.folds(2, seed), refit=False)
    assert protocol.tuned_svm(X, y, seed, plan) == search.fit(X, y).best_params_


def test_lofe_is_tuned_by_both_rules_at_once():
    X, y = datasets.make_twonorm(60, n_irrelevant=20, random_state=0, return_X_y=True)
    best, strongest = protocol.tuned_lofe(X, y, 1, Plan(1, quick=True))
    for found, rule in ((best, "best"), (strongest, "one-standard-error")):
        cv = LOFECV(**protocol.LOFE_GRID, cv=protocol.folds(2, 1), rule=rule, n_jobs=1).fit(X, y)
        assert found == {"sigma": cv.sigma_, "alpha": cv.alpha_}
    assert strongest["alpha"] > best["alpha"]
