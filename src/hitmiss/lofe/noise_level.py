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
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.rough_moves import exact_weights, rough_or_exact_weights
from hitmiss.targets.target import Target


class Exchanges(NamedTuple):
    """How samples change places, and of which features."""

    orders: list[NDArray]
    some: NDArray | None  # None where every exchange is of all features


def exchanges_of(features: Features, target: Target) -> Exchanges:
    """Exchanges of the samples, the same ones in whatever order these come.

    What tells samples apart are their distances from all others and from those of the same kind,
    and their kind. More exchanges are made where they take hardly any time. Of many features, or
    of many samples, each is of some features, evenly spaced; otherwise their order does not matter
    either.

    Parameters
    ----------
    features : Features
        All features.
    target : Target
        Whose kinds of samples tell apart those with the same distances.
    """
    n_samples, n_features = features.n_samples, features.n_features
    n_orders = heuristics.NOISE_CHEAP // (n_samples**2 * n_features)
    n_orders = int(np.clip(n_orders, *heuristics.NOISE_DRAWS))
    some = _evenly_spaced(n_samples, n_features)
    telling = (
        np.arange(n_features) if some is None else some[:: -(-len(some) // heuristics.TELLING)]
    )
    D = features.columns(telling, dtype=float).distances(np.ones(len(telling)))
    sums = (_sums_alike(D, target.kinds), np.einsum("ni,ni->n", D, D), D.sum(axis=1))
    first = np.lexsort([target.kinds, *map(_rounded, sums)])
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


def _sums_alike(D: NDArray, kinds: NDArray) -> NDArray:
    """The sum of the distances of every sample from those of its kind."""
    sums = np.empty(len(D))
    for kind in np.unique(kinds):
        alike = np.flatnonzero(kinds == kind)
        sums[alike] = D[np.ix_(alike, alike)].sum(axis=1)
    return sums


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
    if some is not None and features.n_samples >= heuristics.NOISE_ROWS:
        # Noise varies by far more than rough weights are off.
        S = rough_or_exact_weights(features, problem, w)
        exchanged = _of_moved(features.columns(some), S, orders)
    else:
        S = exact_weights(features, problem, w)
        exchanged = features.sums((S[np.ix_(order, order)] for order in orders), some)
    return np.array(largest_of(features.n_features, exchanged))


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

    Beyond the few largest of them the distribution is taken to fall off exponentially. Very few
    features have no such tail; then it is the mean of the largest, and what they deviate by.

    Parameters
    ----------
    n_features : int
        How many there are.
    values : ndarray of shape (n_exchanges, n_known)
        Those that are known.
    """
    if n_features < heuristics.NOISE_FEW:
        largest = values.max(axis=1)
        return float(largest.mean()), float(np.sqrt(6) / np.pi * largest.std())
    n_known = values.size
    n_tail = max(heuristics.NOISE_TAIL * n_known, heuristics.NOISE_FEWEST_TAIL)
    n_tail = int(min(max(n_tail, n_known / n_features), n_known - 1))
    threshold, *tail = np.sort(values, axis=None)[-n_tail - 1 :].tolist()
    spread = float(np.mean(tail)) - threshold
    beyond = np.log(n_tail * n_features / n_known) + np.euler_gamma
    return threshold + spread * beyond, spread
