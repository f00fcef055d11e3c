"""What a feature that says nothing can reach.

A feature gets a weight if its gradient exceeds the penalty. The samples of every feature are
exchanged while neighbors and pulls of the samples stay: the largest gradient is then that of
chance. At w = 0 this is the same as permuted labels.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.rough_moves import is_rough, rough_pair_weights


class Exchanges(NamedTuple):
    """How samples change places, and of which features."""

    orders: list[NDArray]
    some: NDArray | None  # None where every exchange is of all features


def exchanges_of(features: Features) -> Exchanges:
    """Exchanges of the samples, the same ones in whatever order samples and features come.

    What tells samples apart are their distances from all others. More exchanges are made where they
    take hardly any time; of many features, or of many samples, each is of some features, evenly
    spaced.

    Parameters
    ----------
    features : Features
        All features.
    """
    n_samples, n_features = features.n_samples, features.n_features
    n_orders = heuristics.NOISE_CHEAP // (n_samples**2 * n_features)
    n_orders = int(np.clip(n_orders, *heuristics.NOISE_DRAWS))
    some = _evenly_spaced(n_samples, n_features)
    index = np.arange(n_features) if some is None else some
    D = features.columns(index, dtype=float).distances(np.ones(len(index)))
    first = np.lexsort([_rounded((D * D).sum(axis=1)), _rounded(D.sum(axis=1))])
    place, rng = np.argsort(first), np.random.default_rng(0)
    orders = [first[rng.permutation(n_samples)][place] for _ in range(n_orders)]
    return Exchanges(orders, some)


def _evenly_spaced(n_samples: int, n_features: int) -> NDArray | None:
    """The features of an exchange; None where every exchange is of all."""
    fit = int(heuristics.NOISE_WORK // n_samples**2)
    if n_features <= min(heuristics.NOISE_FEATURES, fit):
        return None
    size = max(min(fit, heuristics.NOISE_SOME), heuristics.NOISE_FEWEST)
    return np.linspace(0, n_features - 1, min(size, n_features)).astype(int)


def _rounded(values: NDArray) -> NDArray:
    """Without the last digits, in which the order of a sum shows."""
    return np.round(values / (values.max() or 1.0), heuristics.NOISE_DIGITS)


def noise_level(features: Features, problem: Problem, w: NDArray, exchanges: Exchanges) -> NDArray:
    """The largest gradient to be expected of features whose samples are exchanged, and its spread.

    Both are what the largest gradients of all exchanges lead to, which vary less than the largest
    of each. The spread is the scale of a Gumbel distribution.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved, with a matrix of pairs.
    w : ndarray of shape (n_features,)
        Weights under which neighbors and pulls are found.
    exchanges : Exchanges
        Of the samples.
    """
    orders, some = exchanges
    many = some is not None and features.n_samples >= heuristics.NOISE_ROWS
    S = _rough_weights(features, problem, w) if many else _pair_weights(features, problem, w)
    if some is not None and many:
        exchanged = _of_moved(features.columns(some), S, orders)
    else:
        exchanged = features.sums((S[np.ix_(order, order)] for order in orders), some)
    return np.array(largest_of(features.n_features, exchanged))


def _rough_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """The weights of pairs of many samples: noise varies by far more than these are off."""
    support = np.flatnonzero(w)
    few = features.columns(support)
    if len(support) and is_rough(few, problem):
        return rough_pair_weights(few, problem, w[support])
    return _pair_weights(features, problem, w)


def _pair_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """The weights of pairs: neighbors of all samples, each times its pull."""
    Q, support = problem.neighbors(features, w), np.flatnonzero(w)
    few = features.columns(support, dtype=float)
    pull = problem.pull(few.margins(Q) @ w[support]) if len(support) else problem.first_pull
    return np.asarray(weighted_rows(Q, pull), features.dtype)


def _of_moved(some: InMemory, S: NDArray, orders: list[NDArray]) -> NDArray:
    """The gradients where samples change places, of numbers all at once: S is the larger part.

    Parameters
    ----------
    some : InMemory
        Few features.
    S : ndarray of shape (n_samples, n_samples)
        Weights of pairs.
    orders : list of ndarray
        Of the samples.
    """
    moved = [some.X[order] for order in orders]
    if some.rule(slice(0, some.n_features)) is None:
        return InMemory(np.hstack(moved), some.workers).sums([S])
    return np.vstack([InMemory(X, some.workers, some.scaling).sums([S]) for X in moved])


def largest_of(n_features: int, values: NDArray) -> tuple[float, float]:
    """The largest of so many values to be expected, and its spread, from some that are known.

    Beyond the few largest of them the distribution is taken to fall off exponentially.

    Parameters
    ----------
    n_features : int
        How many there are.
    values : ndarray
        Those that are known.
    """
    n_known = values.size
    n_tail = max(heuristics.NOISE_TAIL * n_known, heuristics.NOISE_FEWEST_TAIL)
    n_tail = int(min(max(n_tail, n_known / n_features), n_known - 1))
    threshold, *tail = np.sort(values, axis=None)[-n_tail - 1 :].tolist()
    spread = float(np.mean(tail)) - threshold
    beyond = np.log(n_tail * n_features / n_known) + np.euler_gamma
    return threshold + spread * beyond, spread
