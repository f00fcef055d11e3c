"""Steps that the experiments share: partitions, tuning, errors against the number of features."""

import functools
import zlib
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from hitmiss import LOFE, datasets
from hitmiss.metrics import error_curve

LOFE_GRID = {"alpha": [3.0, 2.0, 1.0, 0.5], "sigma": [1.0, 2.0, 5.0]}  # of ties, the first wins
LOFE_FOLDS = 5
SVM_GRID = {"C": [0.1, 1, 10, 100, 1000], "gamma": (2.0 ** np.arange(-14, 3, 2)).tolist()}
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
    """C and gamma of an SVM with an RBF kernel, by cross-validation."""
    n_folds = 2 if plan.quick else SVM_FOLDS
    search = GridSearchCV(SVC(), SVM_GRID, cv=folds(n_folds, run), refit=False)
    return search.fit(X, y).best_params_


def tuned_lofe(X, y, run, plan):
    """Sigma and alpha of LOFE, by cross-validation of its own rule."""
    n_folds = 2 if plan.quick else LOFE_FOLDS
    search = GridSearchCV(LOFE(n_jobs=1), LOFE_GRID, cv=folds(n_folds, run), refit=False)
    return search.fit(X, y).best_params_


def fitted(selector, X, y, rng):
    """A clone fitted on the features in random order, so that ties favor none of them.

    Returns
    -------
    selector : estimator
        The clone.
    ranking : ndarray
        Features of X, best first.
    """
    order = rng.permutation(X.shape[1])
    selector = clone(selector).fit(X[:, order], y)
    return selector, order[selector.ranking_]


def test_errors(ranking, split, classifier, sizes):
    """Test errors with the k best features, for each k in sizes."""
    top = split.only(ranking[: sizes[-1]])
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
        _, ranking = fitted(selector, *inner.train, rng)
        errors.append(test_errors(ranking, inner, classifier, sizes))
    return np.mean(errors, axis=0)


def percent(errors):
    """Errors in percent, as they are stored."""
    return np.round(100 * np.asarray(errors), 2).tolist()
