"""The strength of the penalty at which features that say nothing have no weight, from the data.

What noise reaches at w = 0 comes first. With many samples weights are larger and neighbors fewer,
so that noise reaches more at the weights of a fit; the penalty is then raised until it exceeds the
noise of its own fit. With few samples and many features it is the other way round: what was found
explains most samples, these pull no more, and noise reaches less. The penalty is then lowered to
what noise reaches beside the features found, for as long as that lets more of them in, as a test
that steps down.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Fit
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import Classes


class Noise(NamedTuple):
    """The largest gradient to be expected of features that say nothing, and its spread."""

    largest: float
    spread: float

    @property
    def seldom(self) -> float:
        """What the largest exceeds in few cases, its distribution taken to be that of Gumbel."""
        above = -np.log(-np.log1p(-heuristics.STEP_RATE)) - np.euler_gamma
        return float(self.largest + above * self.spread)


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
    found = None if vary and points.is_narrow(sigma) else _from_some(points, sigma)
    if found is not None:
        return found
    least, times = _least_alpha(points), _times(points)
    alpha = least * times
    found = points.solve(sigma, alpha, vary=vary, weaker=heuristics.NOISE_WEAKER)
    if times > 1 and not found.w.any():
        found = points.follow(sigma, least, found)
    return stepped(points, sigma, found)


def stepped(points: FixedPoints, sigma: float, found: Fit) -> Fit:
    """The fixed point at a penalty that noise does not exceed, from that at one to begin with.

    Parameters
    ----------
    points, sigma
        As in `by_noise`, with a matrix of pairs.
    found : Fit
        At that width.
    """
    return _stepped_down(points, sigma, *_stepped_up(points, sigma, found))


def first_alpha(points: FixedPoints) -> float:
    """The strength to begin with, for any kernel width: what noise reaches at w = 0, or above.

    Parameters
    ----------
    points : FixedPoints
        Of the data, with a matrix of pairs.
    """
    return _least_alpha(points) * _times(points)


def _least_alpha(points: FixedPoints) -> float:
    """What noise reaches at w = 0."""
    level = _noise(points, 1.0, np.zeros(points.features.n_features)).largest
    return heuristics.BEGIN if level < heuristics.NOISE_LEAST else level


def _times(points: FixedPoints) -> float:
    """The factor above that with which to begin: 1 where a class is small, and its noise large."""
    target = points.problem.target
    smallest = 2 * int(target.counts.min()) if isinstance(target, Classes) else len(target)
    times = min(smallest, len(target)) / heuristics.NOISE_SAMPLES
    return float(max(1.0, times) ** heuristics.NOISE_POWER)


def _from_some(points: FixedPoints, sigma: float) -> Fit | None:
    """The fixed point that some samples lead to, where a search begins with these.

    All samples are first looked at roughly, at a penalty that is rather too strong: with too weak
    a one, irrelevant features come in that take long to go. None where a search begins with all, or
    where some samples explain little.
    """
    sample = points.sample
    if sample is None:
        return None
    found = by_noise(sample, sigma)
    if not found.w.any() or sample.is_poor(found):
        return None
    times = len(points.problem.target) / len(sample.problem.target)
    found = points.near(sample, found, found.alpha * times**heuristics.NOISE_POWER)
    noise = _noise(points, sigma, found.w)
    up, down = heuristics.NOISE_MARGIN * noise.largest, _weaker(found, noise)
    return _followed(points, sigma, max(found.alpha if down is None else down, up), found)


def _followed(points: FixedPoints, sigma: float, alpha: float, found: Fit) -> Fit | None:
    """The fixed point at a penalty above the noise of its own fit, which is found roughly first.

    None where it has no weights. Where a look at all features lets others in, the noise is measured
    again.
    """
    for _ in range(heuristics.NOISE_ROUNDS):
        rough = points.roughly(sigma, alpha, found)
        if not rough.w.any():
            return None
        found, above = rough, heuristics.NOISE_MARGIN * _noise(points, sigma, rough.w).largest
        if above <= (1 + heuristics.NOISE_CLOSE) * alpha:
            break
        alpha = float(np.sqrt(alpha * above))
    exact = points.follow(sigma, alpha, found)
    if not (exact.converged and exact.w.any()):
        return None
    same = np.array_equal(exact.w > 0, found.w > 0)
    return exact if same else _stepped_up(points, sigma, exact)[0]


def _stepped_up(points: FixedPoints, sigma: float, found: Fit) -> tuple[Fit, Noise]:
    """The fixed point at a penalty above the noise of its own fit, and that noise."""
    noise = _noise(points, sigma, found.w)
    for _ in range(heuristics.NOISE_ROUNDS):
        alpha = heuristics.NOISE_MARGIN * noise.largest
        if alpha <= (1 + heuristics.NOISE_CLOSE) * found.alpha or not found.w.any():
            break
        found = points.follow(sigma, float(np.sqrt(found.alpha * alpha)), found)
        noise = _noise(points, sigma, found.w)
    return found, noise


def _stepped_down(points: FixedPoints, sigma: float, found: Fit, noise: Noise) -> Fit:
    """The fixed point at the noise beside the features found, while that lets others in."""
    weakest = heuristics.STEP_WEAKEST * found.alpha
    for _ in range(heuristics.NOISE_ROUNDS):
        alpha = _weaker(found, noise, weakest)
        if alpha is None:
            break
        weaker = points.lets_in(sigma, alpha, found)
        if weaker is None or not weaker.converged:
            break
        noise = _noise(points, sigma, weaker.w)
        if noise.seldom > weaker.alpha:  # what came in makes room for noise
            break
        found = weaker
    return found


def _weaker(found: Fit, noise: Noise, weakest: float = 0.0) -> float | None:
    """The penalty at the noise beside the features found; None if no others are clearly above."""
    alpha = max(noise.seldom, weakest)
    clearly = (1 + heuristics.NOISE_CLOSE) * alpha
    others = found.gradient[found.w == 0].max(initial=0.0)
    return alpha if found.w.any() and clearly < min(found.alpha, others) else None


def _noise(points: FixedPoints, sigma: float, w: NDArray) -> Noise:
    problem = points.problem.replaced(sigma=sigma)
    largest, spread = points.steps.noise(points.features, problem, w, points.exchanges).tolist()
    return Noise(max(largest, spread), spread)  # of one feature half of all gradients are below 0
