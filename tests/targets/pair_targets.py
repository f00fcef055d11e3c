"""Targets of pairs that tests ask, and what NumPy says of their neighbors."""

import numpy as np

from hitmiss.targets.target import PairTarget


class Given(PairTarget):
    """Likeness and comparability as given, for all pairs."""

    def __init__(self, S, C=None, weights=None):
        self.S, self.C, self.weights = S, C, weights

    def __len__(self):
        return len(self.S)

    def likeness(self, rows, cols):
        return self.S[np.ix_(rows, cols)]

    def comparability(self, rows, cols):
        return None if self.C is None else self.C[np.ix_(rows, cols)]

    @property
    def kinds(self):
        return np.zeros(len(self), int)

    def of(self, rows):
        parts = (None if A is None else A[np.ix_(rows, rows)] for A in (self.S, self.C))
        return Given(*parts, None if self.weights is None else self.weights[rows])

    def relabeled(self, order):
        return Given(self.S[np.ix_(order, order)], self.C, self.weights)

    def digest(self):
        return self.S.tobytes()


def random_target(n_samples, seed=0, weights=False):
    """Likeness of numbers, comparable within two strata but for some pairs."""
    rng = np.random.default_rng(seed)
    r, stratum = rng.random(n_samples), rng.integers(0, 2, n_samples)
    S = np.exp(-np.abs(r[:, None] - r) / 0.3)
    C = (stratum[:, None] == stratum) * rng.random((n_samples, n_samples))
    return Given(S, C, rng.random(n_samples) if weights else None)


def shares(target):
    """``C S`` and ``C (1 - S)`` of all pairs."""
    every = np.arange(len(target))
    S, C = target.likeness(every, every), target.comparability(every, every)
    C = (1.0 if C is None else C) * ~np.eye(len(S), dtype=bool)
    return C * S, C * (1 - S)


def soft(D, target, sigma):
    """Signed probabilities, and the hits alone, by definition."""
    sides = [A * np.exp(-D / sigma) for A in shares(target)]
    has = (sides[0] > 0).any(axis=1) & (sides[1] > 0).any(axis=1)
    sums = (np.where(has[:, None], A.sum(axis=1, keepdims=True), np.inf) for A in sides)
    hit, miss = (A / total for A, total in zip(sides, sums, strict=True))
    return miss - hit, hit
