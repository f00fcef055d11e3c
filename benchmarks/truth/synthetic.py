"""Made-up data of which it is known which features are real: nulls, sums, interactions, donors."""

from typing import NamedTuple

import numpy as np

from hitmiss.datasets import make_parity, make_spiral

RELEVANT = 5  # features of which the sum decides the class
SLOPE = 1.5  # of the logistic function of that sum
BLOCK, WITHIN = 10, 0.8  # size of a block of correlated features, correlation within
KIN = 0.7  # a feature correlated more than this with a relevant one is its kin
CELLS = 10  # of a donor


class Draw(NamedTuple):
    """One dataset and its truth."""

    X: np.ndarray
    y: np.ndarray
    relevant: np.ndarray  # indices of the relevant features
    groups: np.ndarray | None = None  # samples that belong together


def kin_of(draw):
    """Mask of shape (n_features, n_relevant): who is correlated with which relevant feature."""
    X = draw.X - draw.X.mean(axis=0)
    length = np.linalg.norm(X, axis=0)
    X /= np.where(length > 0, length, 1)
    return np.abs(X.T @ X[:, draw.relevant]) > KIN


def explained(draw):
    """Share of the variance of each feature that the relevant features explain, linearly."""
    X = draw.X - draw.X.mean(axis=0)
    A = X[:, draw.relevant]
    left = X - A @ np.linalg.lstsq(A, X, rcond=None)[0]
    return 1 - (left**2).sum(axis=0) / np.maximum((X**2).sum(axis=0), np.finfo(float).tiny)


def normal(rng, n, p):
    return rng.standard_normal((n, p))


def heavy_tailed(rng, n, p):
    """Student's t with two degrees of freedom, whose variance is infinite."""
    return rng.standard_t(2, (n, p))


def genotypes(rng, n, p):
    """Counts 0, 1, 2 of an allele, each feature with a frequency of its own."""
    return rng.binomial(2, rng.uniform(0.05, 0.5, p), (n, p)).astype(float)


def blocks(rng, n, p):
    """Blocks of features that share a cause."""
    cause = np.repeat(normal(rng, n, -(-p // BLOCK)), BLOCK, axis=1)[:, :p]
    return np.sqrt(WITHIN) * cause + np.sqrt(1 - WITHIN) * normal(rng, n, p)


def toeplitz(rng, n, p):
    """x_j = x_{j-1}/2 + sqrt(3/4) noise: correlation 1/2 to the power of the distance."""
    X = normal(rng, n, p)
    for j in range(1, p):
        X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    return X


def null(features, share=0.5):
    """Labels that have nothing to do with the features; a share of them 1."""

    def make(rng, n, p):
        X = features(rng, n, p)
        y = (np.arange(n) < share * n).astype(int)
        return Draw(X, rng.permutation(y), np.array([], int))

    return make


def logistic_labels(rng, score):
    """Labels with P(y=1) = 1/(1+exp(-score)); drawn again until each class has a tenth."""
    while True:
        y = (rng.random(len(score)) < 1 / (1 + np.exp(-score))).astype(int)
        if 0.1 <= y.mean() <= 0.9:
            return y


def sum_of_five(features):
    """Labels by a logistic function of the sum of five features with random signs."""

    def make(rng, n, p):
        X = features(rng, n, p)
        if features is blocks:  # one of a block at most
            relevant = BLOCK * rng.choice(p // BLOCK, RELEVANT, replace=False)
            relevant += rng.integers(BLOCK, size=RELEVANT)
        else:
            relevant = rng.choice(p, RELEVANT, replace=False)
        signs = rng.choice([-1, 1], RELEVANT)
        y = logistic_labels(rng, SLOPE * X[:, relevant] @ signs)
        return Draw(X, y, np.sort(relevant))

    return make


def xor(rng, n, p):
    """Uniform features; the class is whether two of them have the same sign."""
    X = rng.uniform(-1, 1, (n, p))
    relevant = np.sort(rng.choice(p, 2, replace=False))
    return Draw(X, (X[:, relevant].prod(axis=1) > 0).astype(int), relevant)


def shuffled(rng, data):
    """A dataset of the library with its features in random order, so that no place is special."""
    order = rng.permutation(data.data.shape[1])
    relevant = np.flatnonzero(np.isin(order, data.relevant))
    return Draw(data.data[:, order], data.target, relevant)


def parity(rng, n, p):
    return shuffled(rng, make_parity(n, n_irrelevant=p - 3, random_state=rng))


def spiral(rng, n, p):
    return shuffled(rng, make_spiral(n, n_irrelevant=p - 2, random_state=rng))


def donors(rng, n, p):
    """Cells of donors that differ in every feature; the labels say nothing but who the donor is."""
    n_donors = n // CELLS
    groups = np.repeat(np.arange(n_donors), CELLS)
    X = normal(rng, n_donors, p)[groups] + normal(rng, n_donors * CELLS, p)
    y = rng.permutation(np.arange(n_donors) % 2)[groups]
    return Draw(X, y, np.array([], int), groups)


def donors_ignored(rng, n, p):
    """The same, and nobody says which cells belong together."""
    return donors(rng, n, p)._replace(groups=None)
