"""What a feature that says nothing can reach.

A feature gets a weight if its gradient exceeds the penalty. The samples of every feature are
exchanged while neighbors and pulls of the samples stay: the largest gradient is then that of
chance. At w = 0 this is the same as permuted labels.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem


def noise_level(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """The largest gradient over features whose samples are exchanged, for each of some exchanges.

    Of many features every exchange is of some, evenly spaced, so that all of them together are of
    as many as there are; the largest is then one number.

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
    S, rng = np.asarray(weighted_rows(Q, pull)), np.random.default_rng(0)
    orders = (rng.permutation(len(pull)) for _ in range(heuristics.NOISE_DRAWS))
    many = features.n_features > heuristics.NOISE_FEATURES
    some = np.arange(0, features.n_features, heuristics.NOISE_DRAWS) if many else None
    exchanged = features.sums((S[np.ix_(order, order)] for order in orders), some)
    return np.atleast_1d(exchanged.max()) if many else exchanged.max(axis=1)
