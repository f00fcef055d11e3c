"""Errors of a classifier on selected features, on test data and by nested cross-validation."""

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from hitmiss.metrics import error_curve
from reproduce.experiments.steps.knn import growing_errors
from reproduce.experiments.steps.shuffling import shuffled
from reproduce.experiments.steps.splits import Split

SIZE_FOLDS = 5  # that choose the number of features


def top_errors(ranking, split, classifier, sizes):
    """Test errors with the k best features, for each k in sizes."""
    top = split.only(ranking[: sizes[-1]])
    if isinstance(classifier, KNeighborsClassifier):
        return growing_errors(top, classifier.n_neighbors, sizes)
    columns = np.arange(sizes[-1])
    return error_curve(columns, top.train, top.test, classifier=classifier, n_features=sizes).errors


def selected_error(features, split, classifier):
    """Test error with these features; with none, that of the most frequent training class."""
    if not len(features):
        return 1 - DummyClassifier().fit(*split.train).score(*split.test)
    narrow = split.only(features)
    return 1 - clone(classifier).fit(*narrow.train).score(*narrow.test)


def nested_errors(selector, split, classifier, sizes, rng, *, folds):
    """Errors by cross-validation on the training data, for each k in sizes.

    Every fold ranks the features for itself.

    Parameters
    ----------
    selector : estimator
        Ranks the features; cloned for every fold.
    split : Split
        Only its training data is used.
    classifier : estimator
        Whose errors they are; cloned for every fold.
    sizes : sequence of int
        Growing numbers of top-ranked features.
    rng : Generator
        Draws the order in which the selector sees the features.
    folds : cross-validator
        Cuts the training data.
    """
    X, y = split.train
    errors = []
    for train, test in folds.split(X, y):
        inner = Split(X[train], y[train], X[test], y[test], split.n_original)
        ranking = shuffled(selector, inner, rng).ranking
        errors.append(top_errors(ranking, inner, classifier, sizes))
    return np.mean(errors, axis=0)


def percent(errors):
    """Errors in percent, as they are stored."""
    return np.round(100 * np.asarray(errors), 2).tolist()
