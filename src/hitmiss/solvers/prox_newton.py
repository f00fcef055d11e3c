"""Proximal Newton on a growing active set, for smooth losses with an L1 penalty."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.quadratic import descend_quadratic
from hitmiss.solvers.solution import Solution

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L1

MAX_ENTERING = 64  # features that may join the active set in one iteration


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
        Largest violation of the optimality condition allowed, relative to ``penalty.alpha``.
    max_iter : int
        Bound on the number of iterations.

    Returns
    -------
    Solution
    """
    w = w.astype(float)
    support = np.flatnonzero(w)
    margins = Z[:, support].astype(float) @ w[support]
    for n_iter in range(max_iter + 1):
        slope = loss.derivative(margins)
        violation = penalty.violation(w, _gradient(Z, slope, w))
        gap = float(violation.max(initial=0.0)) / penalty.alpha
        if gap <= tol or n_iter == max_iter:
            break
        active = _active_set(w, violation)
        Za = Z[:, active].astype(float)
        step = _newton_step(Za, slope, loss.curvature(margins), penalty, w[active])
        margins, w[active] = _line_search(Za, margins, w[active], step, loss, penalty)
    return Solution(w, n_iter, gap, gap <= tol)


def _gradient(Z: NDArray, slope: NDArray, w: NDArray) -> NDArray:
    """``slope @ Z``, in double precision where w is not zero."""
    gradient = (slope.astype(Z.dtype) @ Z).astype(float)
    if Z.dtype != gradient.dtype:
        support = np.flatnonzero(w)
        gradient[support] = slope @ Z[:, support].astype(float)
    return gradient


def _active_set(w: NDArray, violation: NDArray) -> NDArray:
    """The non-zeros and the worst violators among the zeros."""
    entering = np.where(w == 0, violation, 0.0)
    if np.count_nonzero(entering) > MAX_ENTERING:
        cut = np.partition(entering, -MAX_ENTERING)[-MAX_ENTERING]
        entering[entering < cut] = 0.0
    return np.flatnonzero((w != 0) | (entering > 0))


def _newton_step(
    Z: NDArray, slope: NDArray, curvature: NDArray, penalty: "L1", w: NDArray
) -> NDArray:
    """Minimizer of the second-order model of the objective at w, minus w."""
    H = (Z * curvature[:, None]).T @ Z
    H.flat[:: len(w) + 1] += 1e-12 * max(H.trace(), 1e-300)
    u = w.copy()
    descend_quadratic(H, H @ w - slope @ Z, u, penalty.alpha, penalty.lower, 1e-9, 1000)
    return u - w


def _line_search(
    Z: NDArray, margins: NDArray, w: NDArray, step: NDArray, loss: "Loss", penalty: "L1"
) -> tuple[NDArray, NDArray]:
    """Margins and weights after the longest of the steps 1, 1/2, 1/4 ... that descends."""
    start = loss.value(margins).sum() + penalty.value(w)
    change = Z @ step
    for halvings in range(40):
        t = 0.5**halvings
        u, moved = w + t * step, margins + t * change
        u[np.abs(u) < 1e-15] = 0.0
        if loss.value(moved).sum() + penalty.value(u) <= start:
            return moved, u
    return margins, w
