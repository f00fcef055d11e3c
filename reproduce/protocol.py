"""Steps that the experiments share: partitions, tuning, errors against the number of features."""

import functools
import zlib
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from hitmiss import LOFECV, datasets
from hitmiss.metrics import error_curve
from reproduce.nearest import growing_errors

LOFE_GRID = {
    "sigmas": [0.5, 1.0, 2.0, 5.0, 10.0],
    "alphas": [5.0, 3.0, 2.0, 1.4, 1.0, 0.7, 0.5, 0.3],
}
LOFE_FOLDS = 10
SVM_GRID = {"C": [0.1, 1, 10, 100, 1000], "gamma": (2.0 ** np.arange(-10, 3, 2)).tolist()}
SVM_FOLDS = 10
SIZE_FOLDS = 5


class Split(NamedTuple):
    """Training and test data, the original features first."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    n_original: int

    @property
    def train(self):
        return self.X_train, self.y_train

    @property
    def test(self):
        return self.X_test, self.y_test

    def only(self, features):
        """The same with these features only."""
        return self._replace(X_train=self.X_train[:, features], X_test=self.X_test[:, features])


@functools.cache
def dataset(name):
    """X and y of a real dataset."""
    return datasets.load(name, return_X_y=True)


def generator(*parts):
    """Random generator that depends on the names and numbers given, and on nothing else."""
    return np.random.default_rng([zlib.crc32(repr(part).encode()) for part in parts])


def random_split(name, run, sizes, n_irrelevant):
    """Random partition number `run` of a dataset, with irrelevant N(0, 1) features appended.

    Parameters
    ----------
    name : str
        The dataset.
    run : int
        Partitions of different runs are independent.
    sizes : tuple of int
        Numbers of training and of test samples.
    n_irrelevant : int
        Number of irrelevant features.
    """
    X, y = dataset(name)
    rng = generator(name, run)
    rows = rng.permutation(len(y))[: sum(sizes)]
    wide = datasets.add_irrelevant(X[rows], n_irrelevant, dtype=np.float32, random_state=rng)
    n, labels = sizes[0], y[rows]
    return Split(wide[:n], labels[:n], wide[n:], labels[n:], X.shape[1])


def standardized(split):
    """Every feature with mean 0 and deviation 1 on the training data."""
    return scaled(split, split.X_train.mean(axis=0), split.X_train.std(axis=0))


def ranged(split):
    """Every feature from 0 to 1 on the training data."""
    return scaled(split, split.X_train.min(axis=0), np.ptp(split.X_train, axis=0))


def scaled(split, zero, unit):
    """Features measured from `zero` in `unit`; a constant one only from zero."""
    unit = np.where(unit > 0, unit, 1)
    return split._replace(
        X_train=(split.X_train - zero) / unit, X_test=(split.X_test - zero) / unit
    )


def folds(n_folds, run):
    return StratifiedKFold(n_folds, shuffle=True, random_state=run)


def tuned_svm(X, y, run, plan):
    """C and gamma of an SVM with an RBF kernel, by cross-validation; of ties the smallest."""
    distances = euclidean_distances(np.asarray(X, float), squared=True)
    scores = [
        [fold_scores(np.exp(-gamma * distances), y, rows) for gamma in SVM_GRID["gamma"]]
        for rows in folds(2 if plan.quick else SVM_FOLDS, run).split(X, y)
    ]
    mean = np.mean(scores, axis=0).T  # a row per C
    best = np.unravel_index(mean.argmax(), mean.shape)
    return {name: grid[k] for (name, grid), k in zip(SVM_GRID.items(), best, strict=True)}


def fold_scores(kernel, y, rows):
    """Accuracy on the test rows of a kernel matrix, for each C."""
    train, test = rows
    fit, predict = kernel[np.ix_(train, train)], kernel[np.ix_(test, train)]
    return [
        SVC(C=C, kernel="precomputed").fit(fit, y[train]).score(predict, y[test])
        for C in SVM_GRID["C"]
    ]


def tuned_lofe(X, y, run, plan):
    """Sigma and alpha of LOFE, by cross-validation of its own rule.

    Returns
    -------
    best, strongest : dict
        The pair of best mean score; and the strongest penalty within one standard error of it.
    """
    search = LOFECV(**LOFE_GRID, cv=folds(2 if plan.quick else LOFE_FOLDS, run), n_jobs=1)
    search.fit(X, y)
    found = search.cv_results_
    n_folds = sum(name.startswith("split") for name in found)
    error = found["std_test_score"] / np.sqrt(n_folds - 1)
    mean, best = found["mean_test_score"], int(found["mean_test_score"].argmax())
    near = (found["sigma"] == found["sigma"][best]) & (mean >= mean[best] - error[best])
    return tuple(
        {name: float(found[name][k]) for name in ("sigma", "alpha")}
        for k in (best, int(np.flatnonzero(near)[0]))
    )


class Shuffled(NamedTuple):
    """A selector that saw the features in another order; what it says is told in theirs."""

    selector: BaseEstimator
    order: np.ndarray

    @property
    def ranking(self):
        """Features, best first."""
        return self.order[self.selector.ranking_]

    @property
    def weights(self):
        """Weight of every feature."""
        weights = np.empty(len(self.order))
        weights[self.order] = self.selector.weights_
        return weights

    @property
    def selected(self):
        """Features that the selector keeps, in their order."""
        return np.sort(self.order[self.selector.get_support()])

    def score(self, X, y):
        """Of the selector's own rule."""
        return self.selector.score(X[:, self.order], y)


def shuffled(selector, split, rng):
    """A clone fitted on training data with the features in random order: ties favor none of them.

    Returns
    -------
    Shuffled
        Its ranking and weights are in the order of the split.
    """
    order = rng.permutation(split.X_train.shape[1])
    return Shuffled(clone(selector).fit(split.X_train[:, order], split.y_train), order)


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
    chosen = split.only(features)
    return 1 - clone(classifier).fit(*chosen.train).score(*chosen.test)


def nested_errors(selector, split, classifier, sizes, rng, *, folds):
    """The same by cross-validation on the training data, where every fold ranks for itself."""
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
