"""Newton's method for the fixed point on a few features.

On its support a fixed point solves ``c_j(w) = alpha`` for the gradient
``c_j(w) = sum_n s_n(w) z_n(w)_j``. Here the neighbors move with w, so Newton converges where the
map ``w <- T(w)`` only oscillates.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.moments import moments
from hitmiss.lofe.problem import Problem


def affordable(features: Features, problem: Problem, n_features: int) -> bool:
    """Whether Newton's method is cheap enough for so many features.

    Parameters
    ----------
    features : Features
        The data.
    problem : Problem
        What is solved.
    n_features : int
        Number of features with a weight.
    """
    work = (features.n_samples * n_features) ** 2
    return n_features <= problem.pairs.cheap_moments or work <= heuristics.NEWTON_WORK


def newton(features: InMemory, problem: Problem, w: NDArray) -> NDArray | None:
    """Positive w near the given one with ``c(w) = alpha`` on all features, or None.

    Parameters
    ----------
    features : InMemory
        The features of the support only.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start, positive.
    """
    found = root(features, problem, w, tol=0.0)
    return None if found is None else found.w


class Root(NamedTuple):
    """Where Newton's method ended, and what is known there."""

    w: NDArray
    here: "Linearization"
    distance: float  # from the root: the length of the step that would come next
    n_steps: int


def root(features: InMemory, problem: Problem, w: NDArray, *, tol: float) -> Root | None:
    """As `newton`, with an end where the root is near enough.

    Parameters
    ----------
    features, problem, w
        As in `newton`.
    tol : float
        Distance from the root, over the length of w, that is near enough.
    """
    start, reach = w, heuristics.FARTHEST * np.linalg.norm(w)
    here = linearize(features, problem, w)
    for n_steps in range(1, heuristics.NEWTON_STEPS + 1):
        if here.size <= heuristics.NEWTON_EXACT * problem.alpha:
            return Root(w, here, 0.0, n_steps)
        try:
            step = -np.linalg.solve(here.jacobian, here.excess)
        except np.linalg.LinAlgError:
            return None
        distance = float(np.linalg.norm(step))
        near = distance <= tol * np.linalg.norm(w)
        if near and here.size <= heuristics.GAP * problem.alpha:
            return Root(w, here, distance, n_steps)
        for shrink in heuristics.NEWTON_SHRINKS:
            u = w + shrink * step
            if u.min() <= 0 or np.linalg.norm(u - start) > reach:
                continue
            there = linearize(features, problem, u)
            if there.size < here.size:
                break
        else:  # no progress: rounding is all that is left, or Newton does not work here
            enough = here.size <= heuristics.NEWTON_ENOUGH * problem.alpha
            return Root(w, here, distance, n_steps) if enough else None
        w, here = u, there
    return None


class Linearization(NamedTuple):
    """``c(w) - alpha`` and its derivatives ``dc_j / dw_k``, and the margin of every sample."""

    excess: NDArray
    jacobian: NDArray
    margins: NDArray

    @property
    def size(self) -> float:
        """Largest excess."""
        return float(np.abs(self.excess).max())


def linearize(features: InMemory, problem: Problem, w: NDArray) -> Linearization:
    """The excess and its derivatives at w.

    With V_n the covariance of the differences |x_n - x_i| over the misses of n minus that over
    its hits, ``dz_nj / dw_k = -V_n[j, k] / sigma``.

    Parameters
    ----------
    features : InMemory
        The features of the support only.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights, positive.
    """
    excess, jacobian = -problem.penalty.gradient(w), np.zeros((len(w), len(w)))
    every = np.empty(len(problem.target))
    Q, hits = problem.neighbors(features, w), problem.hits(features, w)
    for rows, miss, hit, second in moments(features, Q, hits):
        loss = problem.loss_of(rows)
        Z = miss - hit
        margins, counted = Z @ w, problem.target.has_hit[rows]
        every[rows] = margins
        s = np.where(counted, -loss.derivative(margins), 0.0)
        bend = loss.curvature(margins) * counted
        Vw = second @ w - miss * (miss @ w)[:, None] + hit * (hit @ w)[:, None]
        V = np.tensordot(s, second, 1) - (miss.T * s) @ miss + (hit.T * s) @ hit
        jacobian -= (Z.T * bend) @ (Z - Vw / problem.sigma) + V / problem.sigma
        excess += s @ Z
    return Linearization(excess, jacobian, every)
