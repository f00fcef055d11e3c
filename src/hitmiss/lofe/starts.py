"""Starts of a search: gradients at w = 0, and the features that pruning leaves."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, main_pairs, weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import AllPairs, Pairs


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


def gradient_and_margins(
    features: Features, Q: Neighbors, pull: NDArray, share: NDArray
) -> NDArray:
    """`gradient` and `mean_margins` in one pass, which finds every difference once.

    Parameters
    ----------
    features, Q, pull, share
        As in these two.

    Returns
    -------
    ndarray of shape (2, n_features)
    """
    return features.sums([weighted_rows(Q, pull), weighted_rows(Q, share)])


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
    return features.sums(main_pairs(features, weighted_rows(Q, pull)) for Q in found)


def part_scores(features: Features, problem: Problem) -> NDArray:
    """How well every feature does with the neighbors of the part of all that suits it best.

    All features are dealt out to parts. The neighbors of a part depend on less noise than those of
    all, and one part holds the partner of a feature that makes sense only together with it. So the
    score is the largest, over the parts, of the gradient of the feature at w = 0 over the standard
    deviation of that of all features. Two parts at a time are copied.

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
    distances = UnitDistances(features, problem.pairs)
    while len(left) > heuristics.LEFT:
        pairs, deviation = distances.of(some)
        (Q,) = pairs.soft_from(some, [heuristics.LOCAL / deviation], problem.target, 1.0)
        size = max(int(share * len(left)), heuristics.LEFT)
        better = top(gradient(some, Q, problem.first_pull), size)
        distances.leave_out(some, better)
        left, some = left[better], some.columns(better)
    return Pruned(left, heuristics.LOCAL * problem.sigma / spread(some))


class UnitDistances:
    """Distances under unit weights of ever fewer features, less those of the ones that go.

    Parameters
    ----------
    features : Features
        All features.
    pairs : Pairs
        How pairs of samples are looked at.
    """

    def __init__(self, features: Features, pairs: Pairs):
        self.pairs = pairs
        self._D = pairs.unit if isinstance(pairs, AllPairs) else None
        self._n_left = self._n_summed = features.n_features  # in D, and in the sum that began it

    def of(self, some: InMemory) -> tuple[Pairs, float]:
        """The pairs of samples with their distances, and how much these deviate.

        Parameters
        ----------
        some : InMemory
            The features that are left.
        """
        if not isinstance(self.pairs, AllPairs):
            return self.pairs, spread(some)
        if self._D is None or self._n_left != some.n_features:
            self._D, self._n_left = _unit_distances(some), some.n_features
            self._n_summed = some.n_features
        return AllPairs(self._D), _deviation(self._D)

    def leave_out(self, some: InMemory, better: NDArray) -> None:
        """Subtract what the others had, where these are fewer and enough is left of the sum.

        Parameters
        ----------
        some : InMemory
            The features that were left so far.
        better : ndarray of int
            Those of them that stay, ascending.
        """
        n_gone, n_left = some.n_features - len(better), len(better)
        exact = heuristics.CANCELED * n_left >= self._n_summed
        if self._D is None or n_gone > n_left or not exact:
            return
        gone = np.delete(np.arange(some.n_features), better)
        self._D, self._n_left = self._D - _unit_distances(some.columns(gone)), n_left


def spread(features: InMemory) -> float:
    """Standard deviation of the distances under unit weights; 1 if there is none."""
    step = -(-features.n_samples // heuristics.MEASURED)
    some = InMemory(features.values[::step], features.workers, features.scaling.of_scaled())
    return _deviation(_unit_distances(some))


def _unit_distances(features: InMemory) -> NDArray:
    return features.distances(np.ones(features.n_features))


def _deviation(D: NDArray) -> float:
    """Standard deviation of the distances of so many samples as are measured."""
    step = -(-len(D) // heuristics.MEASURED)
    some = D[::step, ::step]
    found = float(some[~np.tri(len(some), dtype=bool)].std(dtype=float))
    return found if found > 0 else 1.0


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])
