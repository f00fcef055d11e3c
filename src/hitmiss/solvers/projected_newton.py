"""Projected Newton, for smooth losses with an L2 penalty."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from hitmiss.solvers.needs import Needs
from hitmiss.solvers.solution import Solution
from hitmiss.solvers.tolerances import ARMIJO, NEAR_BOUND, NEWTON_HALVINGS

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L2

NEEDS = Needs(
    loss=("value", "derivative", "curvature"),
    penalty=("pure_l2", "lower", "value", "gradient", "violation"),
)


def projected_newton(
    A: NDArray, loss: "Loss", penalty: "L2", *, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + alpha |w|^2`` over ``w >= penalty.lower``, exactly.

    Every iteration sets aside the weights at their bound that want to go below it, takes a Newton
    step with the others and cuts off what falls below the bound (Bertsekas 1982).

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_features)
        One row per number that the loss reads.
    loss, penalty : objects
        See `hitmiss.losses` and `hitmiss.penalties`.
    tol : float
        Largest gap allowed. With v the violation of the optimality condition and f the objective,
        the gap is ``|v| / sqrt(4 alpha f)``: strong convexity bounds the excess of f over the
        minimum by ``gap^2 f``, and the distance of w from the minimum by ``gap sqrt(f / alpha)``.
    max_iter : int
        Bound on the number of iterations.

    Returns
    -------
    Solution
    """
    A = A.astype(float, copy=False)
    w, numbers = np.zeros(A.shape[1]), np.zeros(len(A))
    for n_iter in range(max_iter + 1):
        fit = loss.derivative(numbers) @ A
        objective = float(loss.value(numbers).sum()) + penalty.value(w)
        gap = _gap(penalty.violation(w, fit), penalty.pure_l2, objective)
        if gap <= tol or n_iter == max_iter:
            break
        gradient = fit + penalty.gradient(w)
        step = _step(A, loss.curvature(numbers), penalty, w, gradient)
        moved = _line_search(A, loss, penalty, (w, objective, gradient), step)
        if moved is None:  # no descent left within the precision of the numbers
            break
        w, numbers = moved
    return Solution(w, n_iter, gap, gap <= tol)


def _gap(violation: NDArray, alpha: float, objective: float) -> float:
    length, scale = float(np.linalg.norm(violation)), 2 * np.sqrt(alpha * abs(objective))
    if not length:
        return 0.0
    return length / scale if scale else np.inf


def _step(A: NDArray, curvature: NDArray, penalty: "L2", w: NDArray, gradient: NDArray) -> NDArray:
    """Newton step of the free weights; those held at their bound step along the gradient."""
    near = NEAR_BOUND * np.abs(w).max(initial=0.0)
    held = (w <= penalty.lower + near) & (gradient > 0)
    step = -gradient / (2 * penalty.pure_l2)
    free = np.flatnonzero(~held)
    part = A if len(free) == A.shape[1] else A[:, free]
    step[free] = -_inverse_times(part, curvature, 2 * penalty.pure_l2, gradient[free])
    return step


def _inverse_times(A: NDArray, curvature: NDArray, ridge: float, g: NDArray) -> NDArray:
    """``(A' diag(curvature) A + ridge I)^-1 g``, by whichever matrix is smaller."""
    R = A * np.sqrt(curvature)[:, None]
    if R.shape[1] <= R.shape[0]:
        H = R.T @ R
        H.flat[:: len(H) + 1] += ridge
        return solve(H, g, assume_a="pos")
    K = R @ R.T
    K.flat[:: len(K) + 1] += ridge
    return (g - R.T @ solve(K, R @ g, assume_a="pos")) / ridge


def _line_search(
    A: NDArray,
    loss: "Loss",
    penalty: "L2",
    at: tuple[NDArray, float, NDArray],
    step: NDArray,
) -> tuple[NDArray, NDArray] | None:
    """Weights and their numbers after the longest of the steps 1, 1/2, ... that descends enough."""
    w, start, gradient = at
    for halvings in range(NEWTON_HALVINGS):
        u = np.maximum(w + 0.5**halvings * step, penalty.lower)
        after = A @ u
        decrease = start - (loss.value(after).sum() + penalty.value(u))
        if decrease > 0 and decrease >= ARMIJO * float(gradient @ (w - u)):
            return u, after
    return None
