"""The strength of the penalty at which each feature enters: what tells signal from noise.

A weight at one strength says little, since features that say the same share it, while noise that
stands alone gets all of it. The strongest penalty under which a feature has a weight does not
depend on that.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Fit


class Entry(NamedTuple):
    """Where every feature enters, and how much of the labels the last fit explains."""

    alphas: NDArray  # of shape (n_features,); 0 for a feature that has no weight anywhere
    explained: float  # share of the objective of w = 0 that is gone at the weakest penalty


def noise_alpha(relabeled: Iterable[FixedPoints]) -> float:
    """The strength of the penalty at which features that say nothing begin to enter.

    For each of some permuted labels the largest gradient over all features at w = 0 is the
    strength below which a feature has a weight for certain. A share of their mean is returned.

    Parameters
    ----------
    relabeled : iterable of FixedPoints
        Of the same data with permuted labels.
    """
    largest = float(np.mean([points.gradient_at_zero.max() for points in relabeled]))
    return heuristics.NOISE_SHARE * largest if largest > 0 else heuristics.BEGIN


def entry(points: FixedPoints, sigma: float, weakest: float) -> Entry:
    """Where features enter, found from the weakest penalty up.

    The lowest fixed point there is followed while the penalty grows, until no weight is left. On
    the way down from a strong penalty, features that help only together would not be found.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigma : float
        Kernel width.
    weakest : float
        The weakest penalty, as from `noise_alpha`.

    Returns
    -------
    Entry
        A feature enters between the last strength at which it has a weight and the next one, the
        closer to that the larger its gradient there.
    """
    found = points.solve(sigma, weakest)
    explained = 1.0 - found.objective / points.problem.null_objective
    alphas = np.zeros(len(found.w))
    while found.w.any():
        stronger = points.follow(sigma, heuristics.ENTRY_STRIDE * found.alpha, found)
        left = (found.w > 0) & (stronger.w == 0)
        alphas[left] = _between(found, stronger)[left]
        found = stronger
    return Entry(alphas, explained)


def _between(found: Fit, stronger: Fit) -> NDArray:
    """Strengths between two, by how close each feature is to having a weight at the stronger."""
    closeness = np.clip(stronger.gradient / stronger.alpha, 0.0, 1.0)
    return found.alpha * (stronger.alpha / found.alpha) ** closeness
