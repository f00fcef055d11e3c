"""The strength of the penalty at which features that say nothing have no weight, from the data.

What noise reaches at w = 0 comes first. With many samples weights are larger and neighbors fewer,
so that noise reaches more at the weights of a fit; the penalty is then raised until it exceeds the
noise of its own fit. With few samples and many features it is the other way round: what was found
explains most samples, these pull no more, and noise reaches less. The penalty is then lowered to
what noise reaches beside the features found, for as long as that lets more of them in, as a test
that steps down.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Fit
from hitmiss.neighbors.pairs import AllPairs


def by_noise(points: FixedPoints, sigma: float, *, vary: bool = False) -> Fit:
    """The fixed point at a penalty that noise does not exceed.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigma : float
        Kernel width.
    vary : bool
        As in `FixedPoints.solve`.

    Returns
    -------
    Fit
        At the strength that was found. Of samples too many for a matrix of pairs, some tell it.
    """
    n_samples = len(points.problem.target)
    if not isinstance(points.problem.pairs, AllPairs):
        some = points.of_some()
        times = n_samples / len(some.problem.target)
        alpha = by_noise(some, sigma).alpha * times**heuristics.NOISE_POWER
        return points.solve(sigma, alpha, vary=vary)
    found = points.solve(sigma, first_alpha(points), vary=vary)
    for _ in range(heuristics.NOISE_ROUNDS):
        level = heuristics.NOISE_MARGIN * _level(points, sigma, found.w)
        if level <= (1 + heuristics.NOISE_CLOSE) * found.alpha or not found.w.any():
            break
        found = points.follow(sigma, float(np.sqrt(found.alpha * level)), found)
    return _stepped_down(points, sigma, found)


def first_alpha(points: FixedPoints) -> float:
    """The strength to begin with, for any kernel width: what noise reaches at w = 0, or above.

    Parameters
    ----------
    points : FixedPoints
        Of the data, with a matrix of pairs.
    """
    least = _level(points, 1.0, np.zeros(points.features.n_features))
    if least < heuristics.NOISE_LEAST:
        least = heuristics.BEGIN
    times = max(1.0, len(points.problem.target) / heuristics.NOISE_SAMPLES)
    return least * times**heuristics.NOISE_POWER


def _stepped_down(points: FixedPoints, sigma: float, found: Fit) -> Fit:
    """The fixed point at the noise beside the features found, while that lets others in."""
    margin, weakest = heuristics.STEP_MARGIN, heuristics.STEP_WEAKEST * found.alpha
    level = _level(points, sigma, found.w)
    for _ in range(heuristics.NOISE_ROUNDS):
        alpha, others = max(margin * level, weakest), found.gradient[found.w == 0]
        none_near = others.max(initial=0.0) <= alpha  # quick, where samples are many
        if not found.w.any() or none_near or (1 + heuristics.NOISE_CLOSE) * alpha >= found.alpha:
            break
        weaker = points.follow(sigma, alpha, found)
        if not weaker.converged or np.count_nonzero(weaker.w) <= np.count_nonzero(found.w):
            break
        level = _level(points, sigma, weaker.w)
        if margin * level > weaker.alpha:  # what came in makes more room for noise
            break
        found = weaker
    return found


def _level(points: FixedPoints, sigma: float, w: NDArray) -> float:
    problem = points.problem.replaced(sigma=sigma)
    return max(float(points.steps.noise(points.features, problem, w).mean()), 0.0)
