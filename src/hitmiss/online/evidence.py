r"""The strength of the penalty from the data, by maximum evidence.

The penalty is minus the logarithm of a prior ``alpha exp(-alpha w_m)`` of every weight, and the
loss minus that of a likelihood. The evidence of alpha is the likelihood averaged over the prior.
Around the fitted weights, with the margin vectors held, the log likelihood is expanded to second
order, one feature at a time, so that every weight has a normal posterior cut off at zero.

The log evidence has the slope ``sum_m (1 - alpha mean_m)`` in ln alpha, where mean_m is the
posterior mean of a weight: at the best alpha the prior mean, 1/alpha, is that of all posterior
means. Against ln alpha the evidence is a bell whose width follows from how the slope changes. The
strongest penalty inside the 99 % interval is the one to take: what is weaker may be as likely but
keeps more features.

`OnlineLOFE` tunes its penalty so. For batch `LOFE` it is deprecated: ``alpha="auto"`` has better
lists and predictions.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import erfcx, log_ndtr

from hitmiss.data.features import Features, Neighbors, in_parts
from hitmiss.lofe import Fit, FixedPoints, Problem, weighted_margins

NEARLY_FLAT = 1e-6  # curvature over the squared rate, up to which a series is used: it is exact
# there, where the closed form would lose six digits
NEARBY = 1.25  # factor between strengths whose slopes give the width of the evidence
STRONGEST = 2.0  # largest factor between the best strength and the one taken: one stride
Z_99 = 2.576  # standard deviations of a normal distribution that hold 99 %
ACCURACY = 0.01  # relative, of the alpha that the evidence prefers
BEGIN = 1.0  # an alpha of the grid that is looked at first: the paper's
STRIDE = 2.0  # factor between its neighbors: convention
N_STRIDES = 12  # from the strongest penalty down: a factor of 4,096
DOUBT = 3.32  # log evidence that does not tell two alphas apart: half of chi-square's 99 %


class Evidence(NamedTuple):
    """The evidence of the data for a strength of the penalty."""

    log_evidence: float
    slope: float  # its derivative in the logarithm of the strength
    n_improper: int  # features whose posterior does not hold


class Likelihood(NamedTuple):
    """The log likelihood at the weights w, to second order in every single weight."""

    value: float
    w: NDArray
    slope: NDArray
    curvature: NDArray


def local_evidence(features: Features, problem: Problem, w: NDArray) -> Evidence:
    """Evidence of ``problem.alpha`` around the weights that were fitted with it.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        With the strength in question.
    w : ndarray of shape (n_features,)
        Fixed point of the problem.

    Returns
    -------
    Evidence
        Features that are constant do not count.
    """
    fit = likelihood(features, problem, w)
    varies = fit.curvature > 0
    fit = Likelihood(fit.value, w[varies], fit.slope[varies], fit.curvature[varies])
    value, means, n_improper = around(fit, problem.alpha)
    return Evidence(value, _slope(means, problem.alpha), n_improper)


def likelihood(features: Features, problem: Problem, w: NDArray) -> Likelihood:
    """The log likelihood around w, with the neighbors under w.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        With the loss, which is minus the log likelihood.
    w : ndarray of shape (n_features,)
        Weights.
    """
    Q, support = problem.neighbors(features, w), np.flatnonzero(w)
    margins = features.columns(support, dtype=float).margins(Q) @ w[support]
    pull, has_hit = problem.pull(margins), problem.target.has_hit
    bend = np.where(has_hit, problem.loss.curvature(margins), 0.0)
    value = -float(problem.loss.value(margins)[has_hit].sum())
    (slope,) = weighted_margins(features, Q, pull)
    return Likelihood(value, w, slope, _squares(features, Q, bend))


def around(fit: Likelihood, alpha: float) -> tuple[float, NDArray, int]:
    """Log evidence, posterior means, and how many features have no posterior of their own.

    Where the likelihood has no curvature and a slope of at least alpha, the posterior cannot be
    normalized; the weight itself then stands for its mean, and adds nothing to the evidence.
    """
    rate = alpha - fit.slope - fit.curvature * fit.w
    improper = (fit.curvature <= 0) & (rate <= 0)
    mean, log_integral = half_normal(np.where(improper, alpha, rate), fit.curvature)
    constant = -fit.slope * fit.w - 0.5 * fit.curvature * fit.w**2
    terms = np.log(alpha) + constant + log_integral
    total = fit.value + float(terms[~improper].sum())
    return total, np.where(improper, fit.w, mean), int(improper.sum())


def half_normal(rate: NDArray, curvature: NDArray) -> tuple[NDArray, NDArray]:
    """Mean and log integral of ``exp(-rate w - curvature w^2 / 2)`` over w >= 0.

    Without curvature this is the exponential distribution, whose rate must be positive.
    """
    mean, log_integral = np.empty(len(rate)), np.empty(len(rate))
    flat = (rate > 0) & (curvature <= NEARLY_FLAT * rate**2)
    a, q = rate[flat], curvature[flat] / rate[flat] ** 2
    mean[flat] = (1 - 2 * q + 10 * q**2) / a
    log_integral[flat] = np.log1p(-q + 3 * q**2) - np.log(a)
    width = 1 / np.sqrt(curvature[~flat])
    x = rate[~flat] * width
    above, below = np.maximum(x, 0), np.minimum(x, 0)
    log_mills = np.where(  # each side of zero by the form that avoids cancellation
        x > 0,
        np.log(np.sqrt(np.pi / 2) * erfcx(above / np.sqrt(2))),
        below**2 / 2 + np.log(np.sqrt(2 * np.pi)) + log_ndtr(-below),
    )
    mean[~flat] = (np.exp(-log_mills) - x) * width
    log_integral[~flat] = log_mills + np.log(width)
    return mean, log_integral


def _slope(means: NDArray, alpha: float) -> float:
    return float((1 - alpha * means).sum())


def best_alpha(slope: Callable[[float], float], near: float, stride: float, tol: float) -> float:
    """The strength of largest evidence close to a good one, by the sign of the slope.

    Parameters
    ----------
    slope : callable
        From a strength to the slope of the evidence, at the weights fitted with that strength.
    near : float
        A good strength.
    stride : float
        The best one is looked for within this factor.
    tol : float
        Relative accuracy.

    Returns
    -------
    float
        `near` itself if the slope does not change its sign within the stride.
    """
    seen: dict[float, float] = {}

    def at(log_alpha: float) -> float:
        if log_alpha not in seen:
            seen[log_alpha] = slope(float(np.exp(log_alpha)))
        return seen[log_alpha]

    here = float(np.log(near))
    there = here + (np.log(stride) if at(here) > 0 else -np.log(stride))
    if (at(there) > 0) == (at(here) > 0):
        return near
    return float(np.exp(brentq(at, here, there, xtol=tol / 2, rtol=1e-9)))


def stronger_alphas(slope: Callable[[float], float], best: float) -> list[float]:
    """The upper end of the 99 % interval of the strength, then points closer to the best one.

    The interval is that of a bell around the best strength; the evidence may end before it does.
    """
    near = NEARBY
    precision = (slope(best / near) - slope(best * near)) / (2 * np.log(near))
    if precision <= 0:
        return []
    reach = min(Z_99 / np.sqrt(precision), np.log(STRONGEST))
    return [best * float(np.exp(reach / k)) for k in (1, 2, 4)]


def _squares(features: Features, Q: Neighbors, weight: NDArray) -> NDArray:
    """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
    parts = in_parts(np.arange(features.n_features))
    return np.concatenate([weight @ features.margins(Q, j).astype(float) ** 2 for j in parts])


def by_evidence(points: FixedPoints, sigma: float, begin: float = BEGIN) -> tuple[Fit, Evidence]:
    """The fixed point at the strongest penalty whose evidence is not clearly below the best.

    The evidence may have several maxima, since some features help only together. So a coarse grid
    is evaluated first, then the neighborhood of its best point.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigma : float
        Kernel width.
    begin : float
        A point of the grid.
    """

    def weighed(found: Fit) -> tuple[Fit, Evidence]:
        problem = points.problem.replaced(sigma=found.sigma, alpha=found.alpha)
        return found, local_evidence(points.features, problem, found.w)

    def solved(alpha: float) -> tuple[Fit, Evidence]:
        return weighed(points.solve(sigma, alpha))

    rough = _best_of_grid(solved, begin, points.largest_alpha(sigma))
    if not rough[0].w.any():
        return rough

    def slope(alpha: float) -> float:
        return weighed(points.follow(sigma, alpha, rough[0]))[1].slope

    best = best_alpha(slope, rough[0].alpha, STRIDE, ACCURACY)
    answer = solved(best)
    for alpha in stronger_alphas(slope, best):
        stronger = solved(alpha)
        if answer[1].log_evidence - stronger[1].log_evidence < DOUBT:
            return stronger
    return answer


def _best_of_grid(
    solve: Callable[[float], tuple[Fit, Evidence]], begin: float, largest: float
) -> tuple[Fit, Evidence]:
    """The point of largest evidence, from strong to weak penalties until it falls for good.

    The answer is w = 0 if no penalty that leaves a weight has larger evidence.
    """
    if largest <= 0:
        return solve(begin)
    first = np.floor(np.log(largest / begin) / np.log(STRIDE))
    seen: list[tuple[Fit, Evidence]] = []
    for k in range(N_STRIDES):
        seen.append(solve(begin * STRIDE ** (first - k)))
        best = int(np.argmax([evidence.log_evidence for _, evidence in seen]))
        falling = all(evidence.slope > 0 for _, evidence in seen[-2:])
        if best < len(seen) - 2 and falling and seen[-1][0].w.any():
            break
    return max(solve(largest), seen[best], key=lambda found: found[1].log_evidence)
