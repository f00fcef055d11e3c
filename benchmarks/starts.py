"""Which fixed point LOFE finds: with and without irrelevant features, and from other starts.

Small random problems at kernel widths from 0.1 to 2, where several fixed points exist. An answer is
counted as missed if a lower fixed point is known: that of the same data without the irrelevant
features, those of the data with them, or that of one of twelve random starts.
"""

import time
import warnings
from typing import NamedTuple

import numpy as np

from benchmarks.timing import row
from hitmiss import LOFE

SIGMAS = (0.1, 0.178, 0.316, 0.562, 1.0, 2.0)
N_PROBLEMS = 300
N_RESTARTS = 12
LOWER = 1e-4  # relative difference of two objectives above which one is lower
OTHER = 1e-3  # of the weights, over the largest, above which an answer is another one


class Small(NamedTuple):
    """A problem, with irrelevant features apart."""

    X: np.ndarray
    y: np.ndarray
    noise: np.ndarray
    sigma: float
    alpha: float

    def fit(self, columns, **parameters):
        """LOFE on some columns; the objective is infinite where it did not settle."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return LOFE(self.sigma, self.alpha, n_jobs=1, **parameters).fit(columns, self.y)


class Outcome(NamedTuple):
    """What was found: relative differences of objectives, infinite where nothing can be said."""

    sigma: float
    seconds: float
    changed: float  # of the weights by irrelevant features, over the largest
    above_with: float  # of the answer with irrelevant features, over the one without
    above_without: float  # the other way round, if it does without them
    above_restart: float  # of the answer without them, over the best of the restarts


def run(quick=False):
    """A row per kernel width, and one over all that are small; `quick` takes fewer problems."""
    found = outcomes(36 if quick else N_PROBLEMS)
    return [counted(sigma, [f for f in found if f.sigma == sigma]) for sigma in SIGMAS] + [
        counted("all", found)
    ]


def counted(sigma, found):
    """How often a lower fixed point is known."""
    lower = sum(max(f.above_with, f.above_without) > LOWER for f in found)
    changed = sum(f.changed > OTHER for f in found)
    restart = sum(f.above_restart > LOWER for f in found)
    note = (
        f"of {len(found)} answers irrelevant features change {changed}, in {lower} of them one of "
        f"the two is not the lowest; {N_RESTARTS} restarts find a lower one in {restart}"
    )
    return row(f"starts, sigma {sigma}", float(np.mean([f.seconds for f in found])), note=note)


def outcomes(n_problems, seed=0):
    """What is found on random problems, the kernel widths in turn."""
    return [outcome(problem(seed, k), seed + k) for k in range(n_problems)]


def outcome(small, seed):
    """Both answers and the restarts of one problem."""
    began = time.perf_counter()
    without = small.fit(small.X)
    seconds = time.perf_counter() - began
    with_noise = small.fit(np.hstack([small.X, small.noise]))
    n = small.X.shape[1]
    difference = np.abs(with_noise.weights_ - np.pad(without.weights_, (0, small.noise.shape[1])))
    restarts = [small.fit(small.X, init=w) for w in random_starts(n, small.sigma, seed)]
    settled = [fit.objective_ for fit in restarts if fit.converged_]
    return Outcome(
        small.sigma,
        seconds,
        float(difference.max() / max(without.weights_.max(), with_noise.weights_.max(), 1e-9))
        if is_fixed_point(small, without) and without.converged_ and with_noise.converged_
        else 0.0,
        above(with_noise, without) if is_fixed_point(small, without) else 0.0,
        above(without, with_noise) if not with_noise.weights_[n:].any() else 0.0,
        (without.objective_ - min(settled, default=np.inf)) / without.objective_,
    )


def above(one, other):
    """How far the objective of one is above that of the other, if that is a fixed point."""
    return (one.objective_ - other.objective_) / one.objective_ if other.converged_ else 0.0


def is_fixed_point(small, without):
    """Whether an answer stays a fixed point when the irrelevant features are there."""
    if not without.converged_:
        return False
    start = np.pad(without.weights_, (0, small.noise.shape[1]))
    fit = small.fit(np.hstack([small.X, small.noise]), init=start, max_iter=1)
    return fit.optimality_gap_ < 1e-3


def random_starts(n_features, sigma, seed):
    """Weights of random size on random features."""
    rng = np.random.default_rng(seed)
    for _ in range(N_RESTARTS):
        size = 10 ** rng.uniform(-1, 2.5) * sigma
        chosen = rng.random(n_features) < rng.choice([0.3, 0.6, 1.0])
        chosen[rng.integers(n_features)] = True
        yield size * chosen * rng.exponential(size=n_features)


def problem(seed, k):
    """The k-th random problem."""
    rng = np.random.default_rng([seed, k])
    n, j = int(rng.integers(24, 70)), int(rng.integers(2, 8))
    X, y = list(KINDS.values())[k % len(KINDS)](n, j, rng)
    noise = rng.normal(size=(n, int(rng.choice([3, 10, 40]))))
    sigma = SIGMAS[(k // len(KINDS)) % len(SIGMAS)]
    return Small(X, y, noise, sigma, float(10 ** rng.uniform(-1, 0.5)))


def _shifted(n, j, rng):
    y = rng.permutation(n) % int(rng.choice([2, 3]))
    return rng.normal(size=(n, j)) + y[:, None] * rng.exponential(0.7, size=j), y


def _checkered(n, j, rng):
    X, noise = rng.random((n, j)), rng.random(n) < rng.choice([0.0, 0.1])
    cells = np.floor(X[:, : min(2, j)] * int(rng.integers(2, 4))).sum(axis=1)
    return X, _two(cells.astype(int) % 2 ^ noise)


def _clusters(n, j, rng):
    centers, y = rng.normal(size=(6, j)), np.arange(n) % 6
    return centers[y] + 0.4 * rng.normal(size=(n, j)), y % 2


def _whole_numbers(n, j, rng):
    X = rng.integers(0, 4, size=(n, j)).astype(float)
    return X, _two((X[:, 0] + X[:, 1] + rng.normal(size=n) > 3).astype(int))


def _rings(n, j, rng):
    X = rng.normal(size=(n, j))
    return X, _two((np.hypot(X[:, 0], X[:, 1]) > 1.2).astype(int))


def _noise(n, j, rng):
    return rng.normal(size=(n, j)), np.arange(n) % 2


def _two(y):
    """The labels, with two samples of each class at least."""
    y[:4] = [0, 0, 1, 1]
    return y


KINDS = {
    "shifted": _shifted,
    "checkered": _checkered,
    "clusters": _clusters,
    "whole numbers": _whole_numbers,
    "rings": _rings,
    "noise": _noise,
}
