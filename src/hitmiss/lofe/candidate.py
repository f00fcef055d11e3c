"""The search from one start: where it is, and what is known there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.mixing import Mixing


class Candidate:
    """The search from one start: its wide set, the weights on it, and its state."""

    def __init__(self, start: int, wide: NDArray, w: NDArray):
        self.start, self.wide, self.w = start, wide, w
        self.mixing = Mixing()  # of the iterations on any of its features
        self.gradient = np.empty(0)  # of the wide set, once known
        self.full_gradient = np.empty(0)  # of all features, when last checked
        self.margins: NDArray | None = None  # mean margins of all features, if taken then
        self.Q: Any = None
        self.pull = np.empty(0)
        self.objective, self.step, self.n_iter = np.inf, 1.0, 0
        self.settled = False  # a fixed point on the wide set
        self.certified = False  # and on all features

    def settle(self, index: NDArray, found: Iteration) -> None:
        """Take over the result of an iteration on some features of the wide set."""
        point = found.point
        self.w = np.zeros(len(self.wide))
        self.w[index] = point.w
        self.Q, self.pull, self.objective = point.Q, point.pull, point.objective
        self.step = found.step
        self.n_iter += found.n_iter

    def spread(self, n_features: int) -> NDArray:
        """The weights of all features."""
        w = np.zeros(n_features)
        w[self.wide] = self.w
        return w


def lowest(candidates: list[Candidate]) -> Candidate:
    """The candidate of lowest objective; the earliest of those that agree up to rounding."""
    least = min(candidate.objective for candidate in candidates)
    return next(c for c in candidates if c.objective <= least * (1 + heuristics.SAME_OBJECTIVE))


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient exceeds alpha.

    Parameters
    ----------
    w : ndarray of shape (n_features,)
        Weights.
    c : ndarray of shape (n_features,)
        Gradients.
    alpha : float
        Strength of the penalty.
    """
    return np.flatnonzero((w == 0) & (c > (1 + heuristics.SLACK) * alpha))
