"""Newton's method for the fixed point on a few features.

On its support a fixed point solves ``c_j(w) = alpha`` for the gradient
``c_j(w) = sum_n s_n(w) z_n(w)_j``. Here the neighbors move with w, so Newton converges where the
map ``w <- T(w)`` only oscillates.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks
from hitmiss.lofe.problem import Problem

MAX_WORK = 1 << 29  # products of differences up to which any number of features is cheap
MAX_STEPS = 12
FARTHEST = 0.5  # how far, relative to its length, w may move: another fixed point is not wanted


def affordable(blocks: Blocks, n_features: int) -> bool:
    """Whether Newton's method is cheap enough for so many features."""
    work = (blocks.n_samples * n_features) ** 2
    return n_features <= blocks.cheap_moments or work <= MAX_WORK


def polish(blocks: Blocks, problem: Problem, w: NDArray) -> NDArray | None:
    """Positive w near the given one with ``c(w) = alpha`` on all features, or None.

    Parameters
    ----------
    blocks : Blocks
        The features of the support only.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start, positive.
    """
    start, reach = w, FARTHEST * np.linalg.norm(w)
    here = linearize(blocks, problem, w)
    for _ in range(MAX_STEPS):
        if here.size <= 1e-10 * problem.alpha:
            return w
        try:
            step = -np.linalg.solve(here.jacobian, here.excess)
        except np.linalg.LinAlgError:
            return None
        for shrink in (1, 0.25, 0.0625):
            u = w + shrink * step
            if u.min() <= 0 or np.linalg.norm(u - start) > reach:
                continue
            there = linearize(blocks, problem, u)
            if there.size < here.size:
                break
        else:  # no progress: rounding is all that is left, or Newton does not work here
            return w if here.size <= 1e-6 * problem.alpha else None
        w, here = u, there
    return None


class Linearization(NamedTuple):
    """``c(w) - alpha`` and its derivatives ``dc_j / dw_k``."""

    excess: NDArray
    jacobian: NDArray

    @property
    def size(self) -> float:
        """Largest excess."""
        return float(np.abs(self.excess).max())


def linearize(blocks: Blocks, problem: Problem, w: NDArray) -> Linearization:
    """The excess and its derivatives at w.

    With V_n the covariance of the differences |x_n - x_i| over the misses of n minus that over
    its hits, ``dz_nj / dw_k = -V_n[j, k] / sigma``.
    """
    excess, jacobian = np.full(len(w), -problem.alpha), np.zeros((len(w), len(w)))
    Q = blocks.soft_neighbors(w, problem.y, problem.sigma)
    for rows, miss, hit, second in blocks.moments_in_turn(Q):
        Z = miss - hit
        margins, counted = Z @ w, problem.has_hit[rows]
        s = np.where(counted, -problem.loss.derivative(margins), 0.0)
        bend = problem.loss.curvature(margins) * counted
        Vw = second @ w - miss * (miss @ w)[:, None] + hit * (hit @ w)[:, None]
        V = np.tensordot(s, second, 1) - (miss.T * s) @ miss + (hit.T * s) @ hit
        jacobian -= (Z.T * bend) @ (Z - Vw / problem.sigma) + V / problem.sigma
        excess += s @ Z
    return Linearization(excess, jacobian)
