import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from hitmiss import datasets
from hitmiss.metrics import error_curve


def problem():
    train, test = (
        datasets.make_twonorm(100, n_irrelevant=60, random_state=seed, return_X_y=True)
        for seed in (0, 1)
    )
    return np.arange(80), train, test


def test_the_errors_are_those_of_the_classifier_on_the_best_features():
    ranking, train, test = problem()
    curve = error_curve(ranking[::-1], train, test, n_features=[3, 80])
    for k, error in zip(curve.n_features, curve.errors, strict=True):
        last = slice(80 - k, 80)
        model = KNeighborsClassifier(3).fit(train[0][:, last][:, ::-1], train[1])
        assert error == pytest.approx(1 - model.score(test[0][:, last][:, ::-1], test[1]))


def test_the_best_error_is_at_the_relevant_features():
    ranking, train, test = problem()
    curve = error_curve(ranking, train, test)
    assert curve.best_error == curve.errors.min()
    assert curve.errors[curve.n_features == curve.best_n_features] == curve.best_error
    assert (curve.errors[curve.n_features < curve.best_n_features] > curve.best_error).all()
    assert curve.best_n_features <= 25
    assert curve.errors[-1] > curve.best_error


def test_the_default_numbers_of_features():
    ranking, train, test = problem()
    sizes = error_curve(ranking, train, test, classifier=DummyClassifier()).n_features
    assert sizes[:20].tolist() == list(range(1, 21))
    assert sizes[-1] == 80
    assert (np.diff(sizes) >= 1).all()
    assert len(sizes) < 40
    few = error_curve([4, 2], train, test, classifier=DummyClassifier())
    assert few.n_features.tolist() == [1, 2]


@pytest.mark.parametrize("sizes", [[0], [81], []])
def test_numbers_of_features_must_be_possible(sizes):
    with pytest.raises(ValueError, match="numbers from 1 to 80"):
        error_curve(*problem(), n_features=sizes)
