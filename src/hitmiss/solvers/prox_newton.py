"""Proximal Newton on a growing active set, for smooth losses with an L1 penalty."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.linear import (
    GRAM_SAMPLES,
    chunked_gram,
    descend_quadratic,
    weighted_gram,
    weighted_row_sum,
)
from hitmiss.solvers import Needs, Solution

if TYPE_CHECKING:
    from hitmiss.losses import Loss, Weighted
    from hitmiss.penalties import L1

NEEDS = Needs(
    loss=("value", "derivative", "curvature"),
    penalty=("pure_l1", "lower", "value", "violation", "times"),
)


# The numbers below were measured on ten made-up problems with up to 100 x 5,000 margins.
# Where margins are large the curvature vanishes and a Newton step leads far away; with a floor of
# a quarter the model lies above the logistic loss and its minimum always descends. Smaller floors
# come first: with a quarter alone eight problems in ten take more than 100 iterations.
CURVATURE_FLOORS = (0.0, 1e-4, 1e-2, 0.25)
MAX_ENTERING = 64  # features per iteration: 8 to 64 take about as long, 256 take 2.5 times as long


def prox_newton(
    Z: NDArray,
    loss: "Loss",
    penalty: "L1",
    w: NDArray,
    *,
    tol: float = 1e-6,
    max_iter: int = 100,
) -> Solution:
    """Minimize ``sum_n loss(Z_n . w) + penalty(w)`` exactly.

    Every iteration computes the gradient of all features, lets the worst violators of the
    optimality condition join the non-zeros, minimizes the second-order model over these by
    coordinate descent and searches along the step. A weight that is zero may always return.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Margin vectors.
    loss, penalty : objects
        See `hitmiss.losses` and `hitmiss.penalties`.
    w : ndarray of shape (n_features,)
        Start.
    tol : float
        Largest violation of the optimality condition allowed, relative to the strength of the
        penalty.
    max_iter : int
        Bound on the number of iterations.

    Returns
    -------
    Solution
    """
    # 1. The given start or zero, whichever has the lower objective.
    w, gradient, strength = w.astype(float), np.empty(len(w)), penalty.pure_l1
    support = np.flatnonzero(w)
    margins, zero = np.empty(len(Z)), np.zeros(len(Z))
    weighted_row_sum(w[support], np.ascontiguousarray(Z[:, support].T), margins)
    if not loss.value(margins).sum() + penalty.value(w) < loss.value(zero).sum():
        w, margins = np.zeros_like(w), zero
    for n_iter in range(max_iter + 1):
        # 2. The gradient of all features, and how far it is from that of an optimum.
        weighted_row_sum(loss.derivative(margins), Z, gradient)
        violation = penalty.violation(w, gradient)
        gap = float(violation.max(initial=0.0)) / strength
        if gap <= tol or n_iter == max_iter:
            break
        # 3. The active set: the non-zeros and the worst violators among the zeros.
        entering = np.flatnonzero((w == 0) & (violation > 0))
        if len(entering) > MAX_ENTERING:
            worst = np.argpartition(violation[entering], -MAX_ENTERING)[-MAX_ENTERING:]
            entering = entering[worst]
        active = np.union1d(np.flatnonzero(w), entering)
        # 4. A step to the minimum of the second-order model, of as little curvature as descends.
        model = _Model(Z, active, gradient[active], penalty)
        for floor in CURVATURE_FLOORS:
            step = model.step(np.maximum(loss.curvature(margins), floor), w[active])
            moved = model.search(margins, w[active], step, loss)
            if moved is not None:
                break
        else:  # no step descends any more: the rest is rounding
            break
        margins, w[active] = moved
    return Solution(w, n_iter, gap, gap <= tol)


def unit_prox_newton(
    A: NDArray, loss: "Weighted", penalty: "L1", *, tol: float = 1e-6, max_iter: int = 100
) -> Solution:
    """`prox_newton` from zero on the problem over the strength of its penalty.

    The tolerances inside are made for a strength of about one.
    """
    share, start = 1 / penalty.pure_l1, np.zeros(A.shape[1])
    return prox_newton(
        A, loss.times(share), penalty.times(share), start, tol=tol, max_iter=max_iter
    )


MODEL_RIDGE = 1e-12  # share of the trace, so that repeated features have one answer: a convention
SMALLEST_TRACE = 1e-300  # in place of zero
MODEL_TOLERANCE = 1e-9  # of coordinate descent, at most: a convention, below every `tol` in use
MODEL_TOLERANCE_L1 = 1e-7  # the same over the strength of the penalty, for large margins
SWEEPS = 200  # of coordinate descent before a subspace step: 1000 take 1.4 times as long
MAX_SUBSPACE_STEPS = 20  # 5 to 100 are alike
CHUNKED = 2000  # samples from which on their products are summed in chunks, in another order
PROX_HALVINGS = 12  # of a step, before the next floor is tried: 3 to 30 are alike
WEIGHT_ROUNDING = 1e-15  # share of the largest weight that is zero: a few units of rounding
OBJECTIVE_ROUNDING = 1e-14  # share of an objective that is rounding: 0 to 1e-10 are alike


class _Model:
    """The second-order model of the objective on the active features."""

    def __init__(self, Z: NDArray, active: NDArray, gradient: NDArray, penalty: "L1"):
        n_padded = -(-len(active) // 4) * 4
        self._padded = np.zeros((n_padded, len(Z)))
        self.ZT = self._padded[: len(active)]
        self.ZT[:] = Z[:, active].T
        self.gradient, self.penalty = gradient, penalty

    def step(self, curvature: NDArray, w: NDArray) -> NDArray:
        """Minimizer of the model at w, minus w."""
        H = self._gram(curvature)
        H.flat[:: len(w) + 1] += MODEL_RIDGE * max(H.trace(), SMALLEST_TRACE)
        r = H @ w - self.gradient
        l1, lower = self.penalty.pure_l1, self.penalty.lower
        tol = min(MODEL_TOLERANCE, MODEL_TOLERANCE_L1 * l1 / np.sqrt(H.diagonal().max()))
        u = w.copy()
        for _ in range(MAX_SUBSPACE_STEPS):
            if descend_quadratic(H, H @ u - r, u, l1, lower, tol, SWEEPS) < SWEEPS:
                break
            _subspace_step(H, r, u, l1)
        return u - w

    def _gram(self, curvature: NDArray) -> NDArray:
        """Second derivatives of the loss."""
        n_features, n_samples = self.ZT.shape
        if n_samples < CHUNKED:
            H = np.empty((n_features, n_features))
            weighted_gram(self.ZT, curvature, np.empty(n_samples), H)
            return H
        H = np.empty((len(self._padded), len(self._padded)))
        chunked_gram(self._padded, curvature, np.empty((4, GRAM_SAMPLES)), H)
        return np.ascontiguousarray(H[:n_features, :n_features])

    def search(
        self, margins: NDArray, w: NDArray, step: NDArray, loss: "Loss"
    ) -> tuple[NDArray, NDArray] | None:
        """Margins and weights after the longest of the steps 1, 1/2, 1/4 ... that descends."""
        start = loss.value(margins).sum() + self.penalty.value(w)
        change = np.empty(len(margins))
        weighted_row_sum(step, self.ZT, change)
        for halvings in range(PROX_HALVINGS):
            t = 0.5**halvings
            u, moved = w + t * step, margins + t * change
            u[np.abs(u) <= WEIGHT_ROUNDING * np.abs(u).max(initial=0.0)] = 0.0
            if loss.value(moved).sum() + self.penalty.value(u) <= start * (1 + OBJECTIVE_ROUNDING):
                return moved, u
        return None


CROSSING_ROUNDING = 1e-12  # WEIGHT_ROUNDING after a linear system was solved: a convention


def _subspace_step(H: NDArray, r: NDArray, u: NDArray, l1: float) -> None:
    """Move u to the minimum over its non-zeros, or as far as their signs allow.

    Coordinate descent finds the non-zeros quickly, but crawls among correlated features.
    """
    free = np.flatnonzero(u)
    sign = np.sign(u[free])
    try:
        target = np.linalg.solve(H[np.ix_(free, free)], r[free] - l1 * sign)
    except np.linalg.LinAlgError:
        return
    crossing = target * sign < 0
    before, beyond = u[free[crossing]], target[crossing]
    reach = (before / (before - beyond)).min(initial=1.0)
    u[free] += reach * (target - u[free])
    u[free[crossing & (np.abs(u[free]) <= CROSSING_ROUNDING * np.abs(u).max())]] = 0.0
