import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from hitmiss import FisherScore
from reproduce.experiments.steps import error_rates, shuffling, splits
from reproduce.experiments.steps.splits import Split


def test_nested_errors_of_pure_noise_are_those_of_chance():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2000)), np.arange(60) % 2
    split = Split(X, y, X, y, 2000)
    knn, selector = KNeighborsClassifier(3), FisherScore(n_jobs=1)
    ranking = shuffling.shuffled(selector, split, rng).ranking
    peeking = error_rates.top_errors(ranking, split, knn, [20])
    folds = splits.folds(5, 0)
    nested = error_rates.nested_errors(selector, split, knn, [20], rng, folds=folds)
    assert peeking[0] < 0.15
    assert nested[0] > 0.3


def test_without_features_the_most_frequent_class_is_predicted():
    X, y = np.zeros((5, 3)), np.array([0, 0, 0, 1, 1])
    split = Split(X, y, X[:4], np.array([0, 1, 1, 1]), 3)
    knn = KNeighborsClassifier(1)
    assert error_rates.selected_error(np.array([], int), split, knn) == 0.75
