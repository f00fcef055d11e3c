"""What a feature that says nothing can reach.

A feature gets a weight if its gradient exceeds the penalty. The samples of every feature are
exchanged while neighbors and pulls of the samples stay: the largest gradient is then that of
chance. At w = 0 this is the same as permuted labels.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem


def noise_level(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """The largest gradient over features whose samples are exchanged, for each of some exchanges.

    Of many features every exchange is of some, evenly spaced, so that all of them together are of
    as many as there are; the largest is then one number. Of many samples they are fewer, and the
    largest of all is what it would be if gradients were normal.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved, with a matrix of pairs.
    w : ndarray of shape (n_features,)
        Weights under which neighbors and pulls are found.
    """
    Q, support = problem.neighbors(features, w), np.flatnonzero(w)
    few = features.columns(support, dtype=float)
    pull = problem.pull(few.margins(Q) @ w[support]) if len(support) else problem.first_pull
    S, rng = np.asarray(weighted_rows(Q, pull), features.dtype), np.random.default_rng(0)
    orders = (rng.permutation(len(pull)) for _ in range(heuristics.NOISE_DRAWS))
    stride = _stride(features)
    some = None if stride == 1 else np.arange(0, features.n_features, stride)
    if some is not None and features.n_samples >= heuristics.NOISE_ROWS:
        exchanged = _of_moved(features.columns(some), S, orders)
    else:
        exchanged = features.sums((S[np.ix_(order, order)] for order in orders), some)
    if some is None:
        return exchanged.max(axis=1)
    return np.atleast_1d(largest_of(features.n_features, exchanged))


def _of_moved(some: InMemory, S: NDArray, orders: Iterator[NDArray]) -> NDArray:
    """The gradients where samples change places, of numbers all at once: S is the larger part.

    Parameters
    ----------
    some : InMemory
        Few features.
    S : ndarray of shape (n_samples, n_samples)
        Weights of pairs.
    orders : iterator of ndarray
        Of the samples.
    """
    moved = [some.X[order] for order in orders]
    if some.rule(slice(0, some.n_features)) is None:
        return InMemory(np.hstack(moved), some.workers).sums([S])
    return np.vstack([InMemory(X, some.workers, some.scaling).sums([S]) for X in moved])


def _stride(features: Features) -> int:
    """Distance between the features of an exchange; 1 where every exchange is of all."""
    work = features.n_samples**2 * features.n_features
    if features.n_features <= heuristics.NOISE_FEATURES and work <= heuristics.NOISE_WORK:
        return 1
    left = -(-work // heuristics.NOISE_WORK) if features.n_samples >= heuristics.NOISE_ROWS else 1
    least = max(features.n_features // heuristics.NOISE_FEWEST, 1)
    return max(heuristics.NOISE_DRAWS, min(left, least))


def largest_of(n_features: int, values: NDArray) -> float:
    """The largest of so many values, of which some are known: the distance from their mean grows.

    Parameters
    ----------
    n_features : int
        How many there are.
    values : ndarray
        Those that are known.
    """
    if values.size >= n_features:
        return float(values.max())
    mean, (all_, known) = values.mean(), (ndtri(1 - 0.5 / n) for n in (n_features, values.size))
    return float(mean + (values.max() - mean) * all_ / known)
