import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from hitmiss import LOFECV, datasets
from reproduce.experiments.steps import splits, tuning
from reproduce.harness.experiment import Plan


@pytest.mark.parametrize("seed", [0, 1])
def test_the_svm_is_tuned_as_a_grid_search_would(seed):
    X, y = datasets.make_waveform(50, random_state=seed, return_X_y=True)
    plan = Plan(1, quick=True)
    search = GridSearchCV(SVC(), tuning.SVM_GRID, cv=splits.folds(2, seed), refit=False)
    assert tuning.tuned_svm(X, y, seed, plan) == search.fit(X, y).best_params_


def test_lofe_is_tuned_by_both_rules_at_once():
    X, y = datasets.make_twonorm(60, n_irrelevant=20, random_state=0, return_X_y=True)
    best, strongest = tuning.tuned_lofe(X, y, 1, Plan(1, quick=True))
    for found, rule in ((best, "best"), (strongest, "one-standard-error")):
        cv = LOFECV(**tuning.LOFE_GRID, cv=splits.folds(2, 1), rule=rule, n_jobs=1).fit(X, y)
        assert found == {"sigma": cv.sigma_, "alpha": cv.alpha_}
    assert strongest["alpha"] > best["alpha"]
