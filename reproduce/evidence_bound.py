"""The paper's bound on the evidence of the penalty (LOFE, section 4), by tangents.

The logistic function is bounded by an exponential of each margin. The library does not tune by it:
it asks for a penalty so weak that hundreds of features have a weight.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import entr

from hitmiss.online.evidence import Evidence

SMALLEST_SLOPE = 1e-100  # of a tangent: below, it has no effect, and its inverse could overflow
STAY_INSIDE = 0.99  # share of the way to the border that a step may go: convention
# Steps of Newton's method, at most: on 60 samples of 40 features it takes 10 at alpha = 10 and 28
# at 1; at 0.1 it takes them all.
BOUND_STEPS = 200
BOUND_DECREASE = 1e-10  # expected of a step, in units of the log evidence, below which it ends
BOUND_SHARE = 1e-4  # of the expected decrease that a step must reach: convention of line searches
BOUND_SHORTEST = 1e-12  # step that is taken in any case: beyond, rounding decides


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
    excess = (zeta @ Z).max(initial=0.0) / (STAY_INSIDE * alpha)
    zeta = zeta / max(1.0, excess)
    slack = alpha - zeta @ Z
    value = _tangents(zeta, slack)
    for _ in range(BOUND_STEPS):
        means = 1 / slack
        slope = np.log(zeta) - np.log1p(-zeta) + Z @ means
        bend = (Z * means**2) @ Z.T
        bend[np.diag_indices_from(bend)] += 1 / (zeta * (1 - zeta))
        step = -cho_solve(cho_factor(bend), slope)
        decrease = -slope @ step
        if decrease < BOUND_DECREASE:
            break
        loss_of_slack = step @ Z
        length = min(1.0, STAY_INSIDE * _room(zeta, step, slack, loss_of_slack))
        while True:
            new_zeta = np.maximum(zeta + length * step, SMALLEST_SLOPE)
            new_slack = slack - length * loss_of_slack
            new_value = _tangents(new_zeta, new_slack)
            enough = BOUND_SHARE * length * decrease
            if new_value <= value - enough or length < BOUND_SHORTEST:
                break
            length /= 2
        zeta, slack, value = new_zeta, new_slack, new_value
    log_evidence = Z.shape[1] * np.log(alpha) + value
    return Evidence(float(log_evidence), float((1 - alpha / slack).sum()), 0), zeta


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
