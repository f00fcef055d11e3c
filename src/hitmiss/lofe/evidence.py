r"""The strength of the penalty from the data, by maximum evidence.

The penalty is minus the logarithm of a prior ``alpha exp(-alpha w_m)`` of every weight, and the
loss minus that of a likelihood. The evidence of alpha is the likelihood averaged over the prior.
With the margin vectors held, there are two ways to it:

* *Local*: around the fitted weights the log likelihood is expanded to second order, one feature
  at a time, so that every weight has a normal posterior cut off at zero. This is what tunes alpha.
* *Bound*: the log likelihood is replaced by its tangents, ``ln s(x) <= zeta x - H(zeta)``, as in
  the paper on online LOFE. The posterior of a weight is then exponential. Without curvature
  nothing but the prior keeps an irrelevant weight small, so this asks for too weak a penalty.

Either way the log evidence has the slope ``sum_m (1 - alpha mean_m)`` in ln alpha, where mean_m is
the posterior mean of a weight: at the best alpha the prior mean, 1/alpha, is that of all posterior
means. Against ln alpha the evidence is a bell whose width follows from how the slope changes. The
strongest penalty inside the 99 % interval is the one to take: what is weaker may be as likely but
keeps more features.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq
from scipy.special import entr, erfcx, log_ndtr

from hitmiss.data.features import Features, in_parts
from hitmiss.data.pair_weights import Neighbors
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Evidence, Problem
from hitmiss.lofe.starts import gradient


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
    return Likelihood(value, w, gradient(features, Q, pull), _squares(features, Q, bend))


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
    flat = (rate > 0) & (curvature <= heuristics.NEARLY_FLAT * rate**2)
    a, q = rate[flat], curvature[flat] / rate[flat] ** 2
    mean[flat] = (1 - 2 * q + 10 * q**2) / a
    log_integral[flat] = np.log1p(-q + 3 * q**2) - np.log(a)
    width = 1 / np.sqrt(curvature[~flat])
    x = rate[~flat] * width
    above, below = np.maximum(x, 0), np.minimum(x, 0)
    log_mills = np.where(  # by the form that does not cancel on either side of zero
        x > 0,
        np.log(np.sqrt(np.pi / 2) * erfcx(above / np.sqrt(2))),
        below**2 / 2 + np.log(np.sqrt(2 * np.pi)) + log_ndtr(-below),
    )
    mean[~flat] = (np.exp(-log_mills) - x) * width
    log_integral[~flat] = log_mills + np.log(width)
    return mean, log_integral


def bound_evidence(Z: NDArray, alpha: float) -> tuple[Evidence, NDArray]:
    """Evidence of alpha by the tightest product of tangents, and the slopes zeta of these.

    Over zeta this is a convex problem,

        minimize  -sum_n H(zeta_n) - sum_m ln(alpha - sum_n zeta_n z_nm),

    and ``zeta = 0`` is always feasible, so that every posterior holds at its minimum. Newton's
    method finds it.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Margin vectors.
    alpha : float
        Strength of the penalty.

    Returns
    -------
    evidence : Evidence
    zeta : ndarray of shape (n_samples,)
        The best slopes.
    """
    zeta = np.full(len(Z), 0.5)
    excess = (zeta @ Z).max(initial=0.0) / (heuristics.STAY_INSIDE * alpha)
    zeta = zeta / max(1.0, excess)
    slack = alpha - zeta @ Z
    value = _tangents(zeta, slack)
    for _ in range(heuristics.BOUND_STEPS):
        means = 1 / slack
        slope = np.log(zeta) - np.log1p(-zeta) + Z @ means
        bend = (Z * means**2) @ Z.T
        bend[np.diag_indices_from(bend)] += 1 / (zeta * (1 - zeta))
        step = -cho_solve(cho_factor(bend), slope)
        decrease = -slope @ step
        if decrease < heuristics.BOUND_DECREASE:
            break
        loss_of_slack = step @ Z
        length = min(1.0, heuristics.STAY_INSIDE * _room(zeta, step, slack, loss_of_slack))
        while True:
            new_zeta = np.maximum(zeta + length * step, heuristics.SMALLEST_SLOPE)
            new_slack = slack - length * loss_of_slack
            new_value = _tangents(new_zeta, new_slack)
            enough = heuristics.BOUND_SHARE * length * decrease
            if new_value <= value - enough or length < heuristics.BOUND_SHORTEST:
                break
            length /= 2
        zeta, slack, value = new_zeta, new_slack, new_value
    log_evidence = Z.shape[1] * np.log(alpha) + value
    return Evidence(float(log_evidence), _slope(1 / slack, alpha), 0), zeta


def _tangents(zeta: NDArray, slack: NDArray) -> float:
    return float(-(entr(zeta) + entr(1 - zeta)).sum() - np.log(slack).sum())


def _room(zeta: NDArray, step: NDArray, slack: NDArray, loss_of_slack: NDArray) -> float:
    """How many steps it is to the border: 0 < zeta < 1 and a positive slack."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        steps = [
            np.where(step < 0, -zeta / step, np.inf),
            np.where(step > 0, (1 - zeta) / step, np.inf),
            np.where(loss_of_slack > 0, slack / loss_of_slack, np.inf),
        ]
    return min(float(s.min(initial=np.inf)) for s in steps)


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
    near = heuristics.NEARBY
    precision = (slope(best / near) - slope(best * near)) / (2 * np.log(near))
    if precision <= 0:
        return []
    reach = min(heuristics.Z_99 / np.sqrt(precision), np.log(heuristics.STRONGEST))
    return [best * float(np.exp(reach / k)) for k in (1, 2, 4)]


def _squares(features: Features, Q: Neighbors, weight: NDArray) -> NDArray:
    """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
    parts = in_parts(np.arange(features.n_features))
    return np.concatenate([weight @ features.margins(Q, j).astype(float) ** 2 for j in parts])
