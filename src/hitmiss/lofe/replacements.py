"""Which features may take the place of another: a short list, without solving for each.

Two gradients say which features would improve most on the others alone. The first is that at their
own fixed point; it nearly always has the best candidates on top. But where features make sense only
together, the others have lost the neighbors that show it. So the second keeps the neighbors of the
whole selection and leaves out only the margins of the feature: there a copy of it is on top.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import PairWeights, weighted_rows
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.lofe.starts import top


class Selection(NamedTuple):
    """Selected features, their weights, and the weights of the others without each of them."""

    chosen: NDArray  # positions among all features, ascending
    w: NDArray  # of shape (n_selected,)
    without: NDArray  # of shape (n_selected, n_selected), zero on the diagonal


def candidates(
    features: Features, problem: Problem, selection: Selection, size: int
) -> list[NDArray]:
    """For each selected feature those that may take its place.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    selection : Selection
        The selected features.
    size : int
        Number of candidates from each of the two gradients.

    Returns
    -------
    list of ndarray
        Positions of at most ``2 * size`` features that are not selected, ascending; perhaps none.
    """
    n_selected = len(selection.chosen)
    pulls = _pulls(features, problem, selection)
    n_numbers = 2 * max(features.n_samples**2, features.n_features)
    together = max(1, heuristics.GRADIENT_BYTES // (8 * n_numbers))
    found = []
    for k in range(0, n_selected, together):
        some = [S for _ in range(k, min(k + together, n_selected)) for S in next(pulls)]
        gradients = features.sums(some)
        gradients[:, selection.chosen] = -np.inf
        best = [largest_above(c, problem.alpha, size) for c in gradients]
        found += [np.union1d(*both) for both in zip(best[::2], best[1::2], strict=True)]
    return found


def largest_above(c: NDArray, alpha: float, size: int) -> NDArray:
    """Features with the largest gradients, ascending; only above alpha one gets a weight."""
    best = top(c, size)
    return best[c[best] > alpha]


def _pulls(
    features: Features, problem: Problem, selection: Selection
) -> Iterator[tuple[PairWeights, PairWeights]]:
    """Weights of pairs of samples whose sums are the two gradients, for each selected feature."""
    few = features.columns(selection.chosen)
    whole = evaluate(few, problem, selection.w)
    for k, w in enumerate(selection.without):
        alone = evaluate(few, problem, w)
        others = np.where(np.arange(len(w)) == k, 0.0, selection.w)
        yield (
            weighted_rows(alone.Q, alone.pull),
            weighted_rows(whole.Q, problem.pull(whole.Z @ others)),
        )
