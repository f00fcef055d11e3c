"""Margins, objective and gradient of local learning at one vector of weights."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks
from hitmiss.kernels.linear import weighted_row_sum
from hitmiss.losses import Logistic, Loss
from hitmiss.penalties import L1


class Problem:
    """``sum_n loss(w . z_n(w)) + alpha |w|_1``: everything but the features.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    sigma, alpha : float
        Kernel width and strength of the penalty.
    """

    def __init__(self, y: NDArray, sigma: float, alpha: float):
        self.y, self.sigma, self.alpha = y, sigma, alpha
        self.loss: Loss = Logistic()
        self.penalty = L1(alpha)
        self.has_hit = np.bincount(y)[y] > 1  # a sample alone in its class has no margin

    def replaced(self, *, sigma: float | None = None, alpha: float | None = None) -> "Problem":
        """The same problem with another kernel width or penalty."""
        return Problem(self.y, sigma or self.sigma, alpha or self.alpha)

    @property
    def null_objective(self) -> float:
        """The objective of w = 0."""
        return self.objective(np.zeros(len(self.y)), np.zeros(1))

    def objective(self, margins: NDArray, w: NDArray) -> float:
        """Sum of losses plus penalty; samples without a hit are left out."""
        return float(self.loss.value(margins)[self.has_hit].sum()) + self.penalty.value(w)

    def pull(self, margins: NDArray) -> NDArray:
        """Minus the derivative of each sample's loss: how much its margin asks to grow."""
        return np.where(self.has_hit, -self.loss.derivative(margins), 0.0)

    def first_gradient(self, Z: NDArray) -> NDArray:
        """Gradient of the features with margin vectors Z at w = 0."""
        return self.pull(np.zeros(len(Z))) @ Z


class Point(NamedTuple):
    """What is known at one w: neighbors Q, margin vectors Z, and what follows from them."""

    w: NDArray
    Q: Any
    Z: NDArray
    pull: NDArray
    objective: float
    gradient: NDArray
    gap: float


class FixedPoint(NamedTuple):
    """An answer: weights of all features, and the gradient and gap that certify them."""

    w: NDArray
    gradient: NDArray
    gap: float
    objective: float
    n_iter: int
    converged: bool
    start: int  # which of the starts led here
    largest_alpha: float  # from which on every start ends at once in w = 0


def evaluate(blocks: Blocks, problem: Problem, w: NDArray) -> Point:
    """The point at w, its neighbors found anew under w itself."""
    Q = blocks.soft_neighbors(w, problem.y, problem.sigma)
    Z = blocks.margins(Q)
    support = np.flatnonzero(w)
    margins, gradient = np.empty(len(Z)), np.empty(len(w))
    weighted_row_sum(w[support], np.ascontiguousarray(Z[:, support].T), margins)
    pull = problem.pull(margins)
    weighted_row_sum(pull, Z, gradient)
    gap = optimality_gap(w, gradient, problem.alpha)
    return Point(w, Q, Z, pull, problem.objective(margins, w), gradient, gap)


def optimality_gap(w: NDArray, gradient: NDArray, alpha: float) -> float:
    """Largest violation, relative to alpha, of the optimality condition.

    The condition is c_j = alpha where w_j > 0 and c_j <= alpha where w_j = 0.
    """
    excess = gradient - alpha
    return float(np.where(w > 0, np.abs(excess), excess).max(initial=0.0)) / alpha
