"""Starts of a search: gradients at w = 0, and the features that pruning leaves."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem


def gradient(features: Features, Q: Neighbors, pull: NDArray) -> NDArray:
    """``c_j = sum_n pull_n z_n(j)`` of every feature j, without the margin vectors z.

    Parameters
    ----------
    features : Features
        The data.
    Q : Neighbors
        Signed probabilities of the neighbors.
    pull : ndarray of shape (n_samples,)
        Pull of every sample.
    """
    return features.sums([weighted_rows(Q, pull)])[0]


def mean_margins(features: Features, Q: Neighbors, share: NDArray) -> NDArray:
    """``m_j = sum_n share_n z_n(j)`` of every feature j.

    Parameters
    ----------
    features : Features
        The data.
    Q : Neighbors
        Signed probabilities of the neighbors.
    share : ndarray of shape (n_samples,)
        Of every sample in the mean, see `Problem.share`.
    """
    return features.sums([weighted_rows(Q, share)])[0]


def first_gradients(
    features: Features, problem: Problem, starts: Sequence[float | NDArray]
) -> NDArray:
    """Gradient of every feature at w = 0, with the neighbors of each start.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    starts : sequence of float or ndarray of shape (n_features,)
        Weights to start from; a number stands for uniform weights.

    Returns
    -------
    ndarray of shape (n_starts, n_features)
    """
    pull = problem.first_pull
    found = problem.pairs.soft_from(features, starts, problem.target, problem.sigma)
    return features.sums(weighted_rows(Q, pull) for Q in found)


def part_scores(features: Features, problem: Problem) -> NDArray:
    """How well every feature does with the neighbors of the part of all that suits it best.

    All features are dealt out to parts. The neighbors of a part depend on less noise than those of
    all, and one part holds the partner of a feature that makes sense only together with it. So the
    score is the largest, over the parts, of the gradient of the feature at w = 0 over the standard
    deviation of that of all features. The data are not copied.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved, with a matrix of pairs.
    """
    order = np.random.default_rng(0).permutation(features.n_features)
    unit, score = problem.replaced(sigma=1.0), np.full(features.n_features, -np.inf)
    parts = [np.sort(order[k :: heuristics.PARTS]) for k in range(heuristics.PARTS)]
    for k in range(0, len(parts), 2):  # two sums take one pass
        some = [features.columns(part) for part in parts[k : k + 2]]
        weights = [np.full(s.n_features, heuristics.PART_LOCAL / spread(s)) for s in some]
        found = [unit.neighbors(s, w) for s, w in zip(some, weights, strict=True)]
        for c in features.sums([weighted_rows(Q, unit.first_pull) for Q in found]):
            score = np.maximum(score, c / (c.std() or 1.0))
    return score


class Pruned(NamedTuple):
    """The features that are left, and the uniform weight at which their neighbors are local."""

    left: NDArray
    weight: float


def prune(features: Features, problem: Problem, kept: NDArray, share: float) -> Pruned:
    """The features left when the worst ones go, again and again.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    kept : ndarray of int
        The features to begin with.
    share : float
        Of the features that every round keeps.
    """
    left, some = kept, features.columns(kept)
    unit = problem.replaced(sigma=1.0)
    while len(left) > heuristics.LEFT:
        w = np.full(len(left), heuristics.LOCAL / spread(some))
        Q = unit.neighbors(some, w)
        size = max(int(share * len(left)), heuristics.LEFT)
        better = top(gradient(some, Q, unit.first_pull), size)
        left, some = left[better], some.columns(better)
    return Pruned(left, heuristics.LOCAL * problem.sigma / spread(some))


def spread(features: InMemory) -> float:
    """Standard deviation of the distances under unit weights; 1 if there is none."""
    step = -(-features.n_samples // heuristics.MEASURED)
    some = InMemory(features.values[::step], features.workers, features.scaling.of_scaled())
    distances = some.distances(np.ones(some.n_features))
    found = float(distances[np.triu_indices(some.n_samples, 1)].std(dtype=float))
    return found if found > 0 else 1.0


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])
