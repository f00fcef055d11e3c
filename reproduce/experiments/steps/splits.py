"""Training and test data: random partitions, scaled on the training part, and folds."""

import functools
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

from hitmiss import datasets
from reproduce.experiments.steps.seeds import generator


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
