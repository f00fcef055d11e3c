"""An interior point method on the dual, for the hinge loss with an L2 penalty."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from hitmiss.solvers import Needs, Solution
from hitmiss.solvers.projected_newton import gram, transposed_times

if TYPE_CHECKING:
    from hitmiss.losses import Weighted
    from hitmiss.penalties import L2

NEEDS = Needs(loss=("pure_hinge",), penalty=("pure_l2", "lower"), smooth=False, bound=False)


def hinge_dual(
    A: NDArray, loss: "Weighted", penalty: "L2", *, tol: float = 1e-6, max_iter: int = 100
) -> Solution:
    """Minimize ``sum_r c_r max(0, margin - A_r . w) + alpha |w|^2`` exactly.

    The hinge has no derivative at its corner, its dual has: minimize
    ``b'Hb / 2 - margin c'b`` over ``0 <= b <= 1`` with ``H_rs = c_r c_s A_r.A_s / (2 alpha)``, and
    ``w = sum_r c_r b_r A_r / (2 alpha)``.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_features)
        Margin vectors.
    loss : Weighted
        A hinge with the weights c; its `pure_hinge` is the margin.
    penalty : object
        An L2 penalty without a bound.
    tol : float
        Root of the largest gap between the objective and its dual, relative to the objective.
    max_iter : int
        Bound on the number of iterations.

    Returns
    -------
    Solution

    Notes
    -----
    Memory grows with the square of the number of rows and time with its cube.
    """
    counted = loss.weight > 0
    c, rows = loss.weight[counted], A[counted]
    H = gram(rows) * np.outer(c, c) / (2 * penalty.pure_l2)
    margin = loss.loss.pure_hinge  # type: ignore[attr-defined]
    b, n_iter, gap = _box_minimum(H, margin * c, tol, max_iter)
    w = transposed_times(rows, c * b) / (2 * penalty.pure_l2)
    return Solution(w, n_iter, gap, gap <= tol)


# Measured on six made-up problems with up to 200 x 20 margins.
CENTERING = 0.1  # share of the barrier that a step aims at: a convention of interior point methods
KEEP_INSIDE = 0.99  # share of the way to the bound: with 0.9 a tenth more steps, 0.999 no fewer
SMALLEST_BARRIER = 1e-18  # over the linear term: with 1e-16 one problem in six ends too early


def _box_minimum(H: NDArray, t: NDArray, tol: float, max_iter: int) -> tuple[NDArray, int, float]:
    """``argmin b'Hb / 2 - t'b`` over ``0 <= b <= 1``, with iterations and gap.

    Primal-dual steps along the central path; each aims at a tenth of the barrier. `room` is
    ``1 - b``, stored separately because the difference rounds to zero; `low` and `high` are the
    multipliers of the two bounds.
    """
    b = room = np.full(len(t), 0.5)
    low = high = np.full(len(t), np.abs(H @ b - t).max())
    for n_iter in range(max_iter + 1):
        Hb = H @ b
        gap = _gap(Hb, b, t)
        if gap <= tol or n_iter == max_iter:
            break
        mu = CENTERING * (b @ low + room @ high) / (2 * len(t))
        if mu < SMALLEST_BARRIER * np.abs(t).max():  # the rest is rounding
            break
        barrier = low / b + high / room
        step = cho_solve(cho_factor(H + np.diag(barrier)), t - Hb + mu / b - mu / room)
        low_step = (mu - low * step) / b - low
        high_step = (mu + high * step) / room - high
        length = _longest((b, step), (room, -step), (low, low_step), (high, high_step))
        b, room = b + length * step, room - length * step
        low, high = low + length * low_step, high + length * high_step
    return b, n_iter, gap


def _gap(Hb: NDArray, b: NDArray, t: NDArray) -> float:
    """Root of the gap between the primal at ``w(b)`` and the dual at b, over the primal."""
    primal = np.maximum(t - Hb, 0.0).sum() + b @ Hb / 2
    dual = t @ b - b @ Hb / 2
    return float(np.sqrt(max(primal - dual, 0.0) / primal)) if primal > 0 else 0.0


def _longest(*moves: tuple[NDArray, NDArray]) -> float:
    """The longest step, up to 1, that keeps every value positive."""
    limits = [np.divide(-x, dx, out=np.full_like(x, np.inf), where=dx < 0).min() for x, dx in moves]
    return min(1.0, KEEP_INSIDE * min(limits))
