import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from hitmiss import LOFE, LOFECV, BackwardElimination, Markers, datasets
from hitmiss.inference import permutation_test


@pytest.fixture(scope="module")
def data():
    return datasets.make_twonorm(100, n_irrelevant=60, random_state=0, return_X_y=True)


def test_scores_equal_those_of_a_grid_search(data):
    folds, sigmas, alphas = StratifiedKFold(4), [1.0, 3.0], [3.0, 2.0, 1.0]
    ours = LOFECV(sigmas, alphas, cv=folds, n_jobs=1).fit(*data)
    grid = GridSearchCV(LOFE(n_jobs=1), {"sigma": sigmas, "alpha": alphas}, cv=folds).fit(*data)
    theirs = {
        (p["sigma"], p["alpha"]): m
        for p, m in zip(
            grid.cv_results_["params"], grid.cv_results_["mean_test_score"], strict=True
        )
    }
    results = ours.cv_results_
    expected = [theirs[pair] for pair in zip(results["sigma"], results["alpha"], strict=True)]
    np.testing.assert_allclose(results["mean_test_score"], expected, atol=0.011)  # one sample
    assert ours.best_score_ == results["mean_test_score"].max()
    assert results["rank_test_score"][results["mean_test_score"].argmax()] == 1


def test_the_answer_is_lofe_with_the_chosen_pair(data):
    model = LOFECV([1.0, 2.0], 5, cv=3).fit(*data)
    plain = LOFE(model.sigma_, model.alpha_).fit(*data)
    np.testing.assert_array_equal(model.weights_, plain.weights_)
    np.testing.assert_array_equal(model.predict(data[0]), plain.predict(data[0]))
    assert model.optimality_gap_ == plain.optimality_gap_


def test_one_standard_error_keeps_fewer_features(data):
    best, sparse = (
        LOFECV(2.0, 10, cv=5, rule=rule).fit(*data) for rule in ("best", "one-standard-error")
    )
    results = best.cv_results_
    k = results["mean_test_score"].argmax()
    splits = np.array([results[f"split{i}_test_score"][k] for i in range(5)])
    lowest = results["mean_test_score"][k] - splits.std(ddof=1) / np.sqrt(5)
    allowed = results["alpha"][results["mean_test_score"] >= lowest]
    assert sparse.alpha_ == allowed.max() > best.alpha_
    assert np.count_nonzero(sparse.weights_) < np.count_nonzero(best.weights_)


def test_any_scorer_and_any_n_jobs(data):
    one, two = (
        LOFECV(2.0, 4, cv=3, scoring="neg_log_loss", n_jobs=n_jobs).fit(*data) for n_jobs in (1, 2)
    )
    assert one.best_score_ < 0
    for name, column in one.cv_results_.items():
        np.testing.assert_array_equal(column, two.cv_results_[name])
    np.testing.assert_array_equal(one.weights_, two.weights_)


@pytest.mark.full
def test_much_work_goes_to_processes_and_gives_the_same(data, monkeypatch):
    few = LOFECV(2.0, 4, cv=3, n_jobs=2).fit(*data)
    monkeypatch.setattr("hitmiss.estimators.lofecv.PROCESS_VALUES", 0)
    much = LOFECV(2.0, 4, cv=3, n_jobs=2).fit(*data)
    np.testing.assert_array_equal(much.weights_, few.weights_)
    for name, values in few.cv_results_.items():
        np.testing.assert_array_equal(much.cv_results_[name], values)


def test_labels_of_any_type_and_a_pipeline(data):
    X, y = data
    names = np.array(["healthy", "ill"])[y]
    model = make_pipeline(LOFECV(2.0, 4, cv=3))
    assert cross_val_score(model, X, names, cv=3).mean() > 0.7


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sigmas": -1.0}, "sigmas"),
        ({"sigmas": []}, "sigmas"),
        ({"alphas": [0.0]}, "alphas"),
        ({"rule": "two"}, "rule"),
        ({"cv": 90}, "n_splits|members"),
    ],
)
def test_wrong_parameters(data, settings, message):
    with pytest.raises(ValueError, match=message):
        LOFECV(**settings).fit(*data)


def test_an_empty_answer_is_that_of_the_folds(data):
    with pytest.warns(UserWarning, match="zero: in cross-validation no penalty that keeps a feat"):
        LOFECV(2.0, [1e6], cv=2).fit(*data)


def test_the_answer_is_lofe_also_for_a_narrow_kernel():
    rng, y = np.random.default_rng(7), np.arange(24) % 2
    X = rng.normal(size=(24, 5))
    X[:, 0] += y
    found, plain = LOFECV(0.1, [0.3], cv=2).fit(X, y), LOFE(0.1, 0.3).fit(X, y)
    np.testing.assert_array_equal(found.weights_, plain.weights_)
    assert found.objective_ == plain.objective_


@pytest.mark.filterwarnings("ignore:All weights are zero")  # of permuted labels
def test_as_a_base_and_in_tests():
    X, y = datasets.make_twonorm(40, n_irrelevant=5, random_state=0, return_X_y=True)
    base, groups = LOFECV(2.0, 3, cv=2, n_jobs=1), np.arange(40) // 4 * 2 + y  # pairs of a class
    test = permutation_test(base, X, y, n_permutations=2, random_state=0)
    np.testing.assert_array_equal(test.statistic, clone(base).fit(X, y).weights_)
    grouped = permutation_test(base, X, y, n_permutations=2, groups=groups, random_state=0)
    expected = clone(base).fit(X, y, groups=groups)
    np.testing.assert_array_equal(grouped.statistic, expected.weights_)
    assert BackwardElimination(base, n_features=5).fit(X, y).get_support().sum() == 5
    markers = Markers(base).fit(X, y)
    np.testing.assert_array_equal(markers.class_weights_[1], clone(base).fit(X, y == 1).weights_)


def test_more_folds_than_groups_are_told(data):
    X, y = data
    with pytest.raises(ValueError, match=r"cv=5 folds need as many groups, .* 3; use cv=3 or few"):
        LOFECV(2.0, 3).fit(X, y, groups=np.arange(len(y)) % 3)


def test_a_column_may_name_the_groups(data):
    X, y = data
    donor = [f"donor {k}" for k in np.arange(100) // 4]
    frame = pd.DataFrame(X).add_prefix("gene").assign(donor=donor)
    model = LOFECV(2.0, 3, cv=3)
    by_name, by_value = model.fit(frame, y, groups="donor"), clone(model).fit(X, y, groups=donor)
    for name, column in by_value.cv_results_.items():
        np.testing.assert_array_equal(by_name.cv_results_[name], column)
