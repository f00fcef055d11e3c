"""All real data sets: how each is read, and how it is split."""

import functools
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from benchmarks.truth import microarrays
from hitmiss import datasets

FEW_FEATURES = 100  # sets of fewer get irrelevant ones, as in the papers, or there is no choice
N_IRRELEVANT = 1000  # standard normal
LARGEST_TRAINING, LARGEST_TEST = 400, 1000  # samples: bounds the time of peers
FEW_SAMPLES = 300  # sets of fewer are split into folds, so that every sample is tested once
N_FOLDS = 3
SMALLEST_CLASS = 5  # samples: a class of fewer cannot be in every fold, and is left out

GENES = (*microarrays.SIZES, "lymphoma_discrete")
TABLES = (
    "ida_banana",
    "ida_breast_cancer",
    "ida_diabetis",
    "ida_flare_solar",
    "ida_german",
    "ida_heart",
    "ida_image",
    "ida_ringnorm",
    "ida_splice",
    "ida_thyroid",
    "ida_twonorm",
    "ida_waveform",
    "uci_segmentation",
    "uci_yeast",
)
SETS = (*TABLES, *GENES)
# The same samples, or most of them: each of a pair counts half.
TWICE = (
    ("leukemia_golub", "gems_leukemia1"),
    ("prostate_singh", "gems_prostate_tumor"),
    ("ida_image", "uci_segmentation"),
)


class Part(NamedTuple):
    """A split of a set into samples to choose features by, and samples to judge them by."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def share(name):
    """How much a set counts in a mean."""
    return 0.5 if any(name in pair for pair in TWICE) else 1.0


@functools.lru_cache(1)
def load(name):
    """Samples and classes; intensities as logarithms, without classes too small to be split."""
    if name in microarrays.SIZES:
        X, y = microarrays.load(name)
    else:
        data = datasets.load(name)
        X, y = data.data.astype(float), data.target
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    kept = counts[codes] >= SMALLEST_CLASS
    X, y = X[kept], np.unique(codes[kept], return_inverse=True)[1]
    return X[:, np.ptp(X, axis=0) > 0], y


def parts(name, repeat):
    """The splits of one repeat, with irrelevant features where there are few.

    Parameters
    ----------
    name : str
        One of `SETS`.
    repeat : int
        Seed of the split and of the irrelevant features.

    Returns
    -------
    list of Part
        Of few samples one for each fold, otherwise a single one.
    """
    X, y = load(name)
    if X.shape[1] < FEW_FEATURES:
        noise = np.random.default_rng([repeat, 1]).normal(size=(len(X), N_IRRELEVANT))
        X = np.hstack([X, noise])
    # A method that leaves features level must not find the relevant ones by their place. The order
    # is the same in all repeats, so that lists can be compared.
    X = X[:, np.random.default_rng(2).permutation(X.shape[1])]
    return [Part(X[a], y[a], X[b], y[b]) for a, b in _splits(y, repeat)]


def _splits(y, repeat):
    if len(y) < FEW_SAMPLES:
        folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=repeat)
        return list(folds.split(y, y))
    n_train = min(LARGEST_TRAINING, 2 * len(y) // 3)
    n_test = min(LARGEST_TEST, len(y) - n_train)
    one = StratifiedShuffleSplit(1, train_size=n_train, test_size=n_test, random_state=repeat)
    return list(one.split(y, y))
