"""Ten microarrays: their true labels, permuted labels, and labels made from known genes."""

import functools

import numpy as np

from benchmarks.truth.synthetic import Draw, logistic_labels
from hitmiss import datasets

SIZES = {  # samples x genes, those that are complete and vary
    "leukemia_golub": "72 x 6,853",
    "gems_dlbcl": "77 x 5,462",
    "prostate_singh": "102 x 10,606",
    "breast_vantveer": "97 x 13,547",
    "gems_srbct": "83 x 2,308",
    "gems_9_tumors": "60 x 5,722",
    "gems_brain_tumor2": "50 x 9,449",
    "gems_leukemia1": "72 x 5,322",
    "gems_prostate_tumor": "102 x 9,629",
    "tox_171": "171 x 5,748",
}
# Intensities below this are noise of the scanner; they are raised to it before the logarithm.
FLOOR = 16
LOWEST = {"gems_srbct": 0.0}  # ratios, all above 0
LOGARITHMS = ("breast_vantveer",)  # of ratios, taken by the authors
GENES, SLOPE = 3, 3.0  # how many genes make a label, and how steeply


@functools.lru_cache(1)
def load(name):
    """Logarithms of the genes that are complete and vary, and the labels."""
    data = datasets.load(name)
    X, y = data.data.astype(float), data.target
    if name == "prostate_singh":  # the other rows are of another experiment, 12 times as bright
        rows = np.ravel(data.train_idx)
        X, y = X[rows], y[rows]
    X = X[:, ~np.isnan(X).any(axis=0)]
    if name not in LOGARITHMS:
        X = np.log2(np.maximum(X, LOWEST.get(name, FLOOR)))
    X = X[:, np.ptp(X, axis=0) > 0]
    X.setflags(write=False)  # the cache shares it
    return X, y


def true_labels(name, rng):
    """The labels as published; draws differ in the random numbers of the method alone."""
    return Draw(*load(name), np.array([], int))


def permuted_labels(name, rng):
    X, y = load(name)
    return Draw(X, rng.permutation(y), np.array([], int))


def made_labels(name, rng):
    """Labels by a logistic function of the sum of three standardized genes with random signs."""
    X, _ = load(name)
    # A gene that is at the floor in half of the samples could not be found by any method.
    known = np.flatnonzero(np.median(X, axis=0) > X.min(axis=0))
    relevant = np.sort(rng.choice(known, GENES, replace=False))
    genes = X[:, relevant]
    genes = (genes - genes.mean(axis=0)) / genes.std(axis=0)
    score = SLOPE * genes @ rng.choice([-1, 1], GENES)
    return Draw(X, logistic_labels(rng, score), relevant)
