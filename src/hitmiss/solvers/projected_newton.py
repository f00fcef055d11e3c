"""Newton's method for smooth losses with an L2 penalty: projected, or in the span of the rows.

The numbers without a reason of their own were measured on eighteen made-up problems with a bound,
with up to 120 x 200 energies.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh, solve

from hitmiss.solvers import Needs, Solution

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L2

NEEDS = Needs(
    loss=("value", "derivative", "curvature"),
    penalty=("pure_l2", "lower", "value", "gradient", "violation"),
)
SPAN_NEEDS = NEEDS._replace(bound=False, wide=True, in_memory=False)


def projected_newton(
    A: NDArray, loss: "Loss", penalty: "L2", *, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + alpha |w|^2`` over ``w >= penalty.lower``, exactly.

    Every iteration fixes the weights at their bound whose gradient points below it, takes a Newton
    step with the others and clips the result to the bound (Bertsekas 1982).

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


NEAR_BOUND = 1e-6  # share of the largest weight that counts as at the bound: 0 to 1e-4 are alike


def _step(A: NDArray, curvature: NDArray, penalty: "L2", w: NDArray, gradient: NDArray) -> NDArray:
    """Newton step of the free weights, gradient step of those at their bound."""
    near = NEAR_BOUND * np.abs(w).max(initial=0.0)
    held = (w <= penalty.lower + near) & (gradient > 0)
    step = -gradient / (2 * penalty.pure_l2)
    free = np.flatnonzero(~held)
    part = A if len(free) == A.shape[1] else A[:, free]
    step[free] = -_inverse_times(part, curvature, 2 * penalty.pure_l2, gradient[free])
    return step


def _inverse_times(A: NDArray, curvature: NDArray, ridge: float, g: NDArray) -> NDArray:
    """``(A' diag(curvature) A + ridge I)^-1 g``, through the smaller of the two Gram matrices."""
    R = A * np.sqrt(curvature)[:, None]
    if R.shape[1] <= R.shape[0]:
        H = R.T @ R
        H.flat[:: len(H) + 1] += ridge
        return solve(H, g, assume_a="pos")
    K = R @ R.T
    K.flat[:: len(K) + 1] += ridge
    return (g - R.T @ solve(K, R @ g, assume_a="pos")) / ridge


NEWTON_HALVINGS = 40  # of a step: with 10 three problems in eighteen end too early, with 20 none
ARMIJO = 1e-4  # share of the predicted decrease: a convention; measured, 0 to 0.3 all converge


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


SMALLEST_VARIANCE = 1e-13  # share of the largest: below is rounding of the products of rows


def span_newton(
    A: NDArray, loss: "Loss", penalty: "L2", *, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + alpha |w|^2`` exactly, for fewer rows than features.

    At the minimum w lies in the span of the rows, so ``w = A' U b / s`` where
    ``A A' = U s^2 U'``; then ``A w = U s b`` and ``|w| = |b|``. What remains is the same problem
    with as many weights as rows, however many features there are.

    Parameters
    ----------
    A, loss, penalty, tol, max_iter
        As in `projected_newton`; `penalty` without a bound.

    Returns
    -------
    Solution
    """
    variance, U = eigh(gram(A))
    seen = variance > SMALLEST_VARIANCE * max(variance[-1], np.finfo(float).tiny)
    if not seen.any():
        return Solution(np.zeros(A.shape[1]), 0, 0.0, True)
    s, U = np.sqrt(variance[seen]), U[:, seen]
    rotated = projected_newton(U * s, loss, penalty, tol=tol, max_iter=max_iter)
    return rotated._replace(w=transposed_times(A, U @ (rotated.w / s)))


COLUMNS = 4096  # features at once, which bounds the memory: 256 to all of them take as long


def gram(A: NDArray) -> NDArray:
    """``A A'`` in double precision."""
    K = np.zeros((len(A), len(A)))
    for start in range(0, A.shape[1], COLUMNS):
        part = A[:, start : start + COLUMNS].astype(float)
        K += part @ part.T
    return K


def transposed_times(A: NDArray, a: NDArray) -> NDArray:
    """``A' a`` in double precision."""
    parts = range(0, A.shape[1], COLUMNS)
    return np.concatenate([a @ A[:, k : k + COLUMNS].astype(float) for k in parts])
