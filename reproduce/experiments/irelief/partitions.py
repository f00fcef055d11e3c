"""Partitions of the nine sets, with irrelevant features and wrong labels, and their folds."""

import numpy as np

from reproduce.experiments.published import PUBLISHED
from reproduce.experiments.steps import seeds, splits

SIZES_OF = PUBLISHED["irelief_table2"]["train_test"]  # numbers of training and test samples
PREFIX = {"segmentation": "uci_", "yeast": "uci_"}
SETS = {name: PREFIX.get(name, "ida_") + name for name in SIZES_OF} | {"diabetics": "ida_diabetis"}
N_IRRELEVANT = 50
FOLDS = 10
QUICK_TEST, QUICK_FOLDS = 100, 3  # test samples and folds of a quick trial


def partition(name, percent, run, plan):
    """Partition with wrong labels in its training part, and the right labels of that part."""
    n_train, n_test = SIZES_OF[name]
    n_test = QUICK_TEST if plan.quick else n_test
    split = splits.random_split(SETS[name], run, (n_train, n_test), N_IRRELEVANT)
    wrong = mislabeled(split.y_train, percent / 100, seeds.generator("labels", name, run))
    return splits.ranged(split._replace(y_train=wrong)), split.y_train


def mislabeled(y, share, rng):
    """Labels of which this share, chosen at random, is changed to another class."""
    classes, codes = np.unique(y, return_inverse=True)
    chosen = rng.permutation(len(y))[: round(share * len(y))]
    steps = rng.integers(1, len(classes), len(chosen))
    codes[chosen] = (codes[chosen] + steps) % len(classes)
    return classes[codes]


def folds(run, plan):
    return splits.folds(QUICK_FOLDS if plan.quick else FOLDS, run)


def fold_splits(split, folds):
    """The training data of a split, as one split per fold."""
    X, y = split.train
    return [
        split._replace(X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test])
        for train, test in folds.split(X, y)
    ]
