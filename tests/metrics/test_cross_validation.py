import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_predict

from hitmiss import LOFE, FisherScore, ReliefF, datasets
from hitmiss.metrics import cross_validated_error, f_test, guessing_error


def noise():
    """Sixty samples of 500 features that say nothing."""
    return np.random.default_rng(0).normal(size=(60, 500)), np.arange(60) % 2


def twonorm():
    return datasets.make_twonorm(60, n_irrelevant=40, random_state=0, return_X_y=True)


def error(estimator, X, y, **kwargs):
    return cross_validated_error(estimator, X, y, verbose=False, **kwargs)


def test_guessing_by_hand():
    assert guessing_error([3, 1, 1, 1]) == 0.25
    assert guessing_error(np.array(["a", "b", "c", "a"])) == 0.5
    assert guessing_error([True]) == 0


@pytest.mark.filterwarnings("ignore:All weights are zero")
@pytest.mark.parametrize("params", [{}, {"alpha": "evidence"}])
def test_a_classifier_is_scored_as_by_scikit_learn(params):
    X, y = twonorm()
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    wrong = cross_val_predict(LOFE(**params), X, y, cv=folds) != y
    assert error(LOFE(**params), X, y, n_folds=3, random_state=1) == wrong.mean()


@pytest.mark.filterwarnings("ignore:All weights are zero")
@pytest.mark.parametrize("selector", [LOFE(), FisherScore(max_features=5), f_test(5)])
def test_the_selection_is_made_anew_in_every_fold(selector):
    X, y = noise()
    assert error(selector, X, y) > 0.35
    assert error(selector, *twonorm()) < 0.3


def test_another_classifier_on_the_selected_features():
    X, y = twonorm()
    selector = FisherScore(max_features=5)
    found = error(selector, X, y, classifier=LogisticRegression())
    wrong = 0
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        kept = selector.fit(X[train], y[train]).get_support()
        model = LogisticRegression().fit(X[train][:, kept], y[train])
        wrong += np.sum(model.predict(X[test][:, kept]) != y[test])
    assert found == wrong / 60


def test_where_nothing_is_selected_the_commonest_class_is_guessed():
    X, y = noise()
    y[:20] = 1
    assert error(SelectKBest(k=0), X, y) == guessing_error(y)


def test_the_seed_makes_the_folds():
    X, y = noise()
    first, *others = (error(ReliefF(max_features=5), X, y, random_state=k) for k in (0, 0, 1, 2, 3))
    assert others[0] == first
    assert set(others) > {first}


def test_too_many_folds_are_refused():
    with pytest.raises(ValueError, match="n_splits=50 cannot be greater"):
        error(ReliefF(), *noise(), n_folds=50)


def donors(seed=0):
    """Cells of eight donors, alike within a donor; labels by donor, nothing there."""
    rng, donor = np.random.default_rng(seed), np.repeat(np.arange(8), 8)
    X = 3 * rng.standard_normal((8, 10))[donor] + rng.standard_normal((64, 10))
    return X, donor % 2, donor


def test_groups_are_together_in_a_fold():
    X, y, donor = donors()
    relieff = ReliefF(max_features=5)
    assert error(relieff, X, y) < 0.1  # the donor is recognized, not the class
    assert error(relieff, X, y, n_folds=4, groups=donor) > 0.25


def test_any_splitter_and_what_the_fit_takes():
    X, y, donor = donors()
    cv, strata, weights = GroupKFold(4), np.arange(64) % 2, np.arange(1.0, 65)
    given = {"groups": donor, "strata": strata, "sample_weight": weights}
    wrong = np.zeros(64)
    for train, test in cv.split(X, y, donor):
        model = LOFE().fit(X[train], y[train], **{k: v[train] for k, v in given.items()})
        wrong[test] = model.predict(X[test]) != y[test]
    assert error(LOFE(), X, y, cv=cv, **given) == pytest.approx(wrong @ weights / weights.sum())
    with pytest.raises(ValueError, match="FisherScore takes no strata; leave it out"):
        error(FisherScore(max_features=2), X, y, strata=strata)
