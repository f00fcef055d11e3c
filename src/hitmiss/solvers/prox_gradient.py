"""Accelerated proximal gradient steps, for smooth losses with any convex penalty."""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.solvers.needs import Needs
from hitmiss.solvers.solution import Solution
from hitmiss.solvers.tolerances import STEP_HALVINGS, STEPS

if TYPE_CHECKING:
    from hitmiss.losses import Weighted
    from hitmiss.penalties import Penalty

NEEDS = Needs(loss=("value", "derivative"), penalty=("value", "prox"))


def prox_gradient(
    A: NDArray, loss: "Weighted", penalty: "Penalty", *, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + penalty(w)``.

    Steps lead from y to ``prox(y - t g, t)``, with g the gradient of the loss at y, and y lies
    beyond the last weights by Nesterov's momentum (Beck and Teboulle 2009). Momentum that points
    uphill is dropped (O'Donoghue and Candes 2015).

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_features)
        One row per number that the loss reads.
    loss, penalty : objects
        See `hitmiss.losses` and `hitmiss.penalties`.
    tol : float
        Largest gap allowed. With v a subgradient of the objective f at w, the gap is
        ``|v| |w| / f``: as f is convex, no weights that are as near to w as zero is have an
        objective lower by more than ``gap f``.
    max_iter : int
        Bound on the number of iterations, of `STEPS` steps each.

    Returns
    -------
    Solution
    """
    A = A.astype(float, copy=False)
    found = Solution(np.zeros(A.shape[1]), 0, np.inf, False)
    moves = _moves(A, loss, penalty)
    for n_iter in range(1, max_iter + 1):
        last = deque(islice(moves, STEPS), maxlen=1)
        if not last:
            break
        gap = _gap(A, loss, penalty, last[0])
        found = Solution(last[0].end.w, n_iter, gap, gap <= tol)
        if found.converged:
            break
    return found


class _Place(NamedTuple):
    """Weights, and the numbers ``A w`` that the loss reads there."""

    w: NDArray
    numbers: NDArray

    def beyond(self, start: "_Place", share: float) -> "_Place":
        """The place a share of the way from `start` beyond this one."""
        return _Place(
            self.w + share * (self.w - start.w),
            self.numbers + share * (self.numbers - start.numbers),
        )


class _Move(NamedTuple):
    """A proximal step, and the derivative of the loss at its start."""

    start: _Place
    end: _Place
    slope: NDArray
    step: float


def _moves(A: NDArray, loss: "Weighted", penalty: "Penalty") -> Iterator[_Move]:
    """Steps from zero on, as long as one can be made."""
    ahead = last = _Place(np.zeros(A.shape[1]), np.zeros(len(A)))
    step, momentum = _first_step(A, loss), 1.0
    while move := _proximal_step(A, loss, penalty, ahead, step):
        yield move
        uphill = (ahead.w - move.end.w) @ (move.end.w - last.w) > 0
        if uphill:  # without momentum the step may also grow again
            ahead, momentum, step = move.end, 1.0, 2 * move.step
        else:
            following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            ahead = move.end.beyond(last, (momentum - 1) / following)
            momentum, step = following, move.step
        last = move.end


def _first_step(A: NDArray, loss: "Weighted") -> float:
    """Half the inverse bend of the loss along its gradient, where that changes a number by one."""
    slope = loss.derivative(np.zeros(len(A)))
    gradient = slope @ A
    numbers = A @ gradient
    largest = float(np.abs(numbers).max(initial=0.0))
    if not largest:
        return 1.0
    bend = (slope - loss.derivative(-numbers / largest)) @ numbers * largest
    return float(gradient @ gradient / (2 * bend)) if bend > 0 else 1 / largest


def _proximal_step(
    A: NDArray, loss: "Weighted", penalty: "Penalty", start: _Place, step: float
) -> _Move | None:
    """The longest of the steps t, t/2, ... along which the loss bends by at most ``1 / (2 t)``.

    The bend is told by derivatives, which keep their precision where values no longer differ
    (Becker, Candes and Grant 2011).
    """
    slope = loss.derivative(start.numbers)
    gradient = slope @ A
    for _ in range(STEP_HALVINGS):
        w = penalty.prox(start.w - step * gradient, step)
        end = _Place(w, A @ w)
        way = w - start.w
        bend = (loss.derivative(end.numbers) - slope) @ (end.numbers - start.numbers)
        if 2 * step * bend <= way @ way:
            return _Move(start, end, slope, step)
        step /= 2
    return None


def _gap(A: NDArray, loss: "Weighted", penalty: "Penalty", move: _Move) -> float:
    """``|v| |w| / f`` at the end of a step, with v the subgradient that the step implies."""
    w, numbers = move.end
    way = w - move.start.w
    v = (loss.derivative(numbers) - move.slope) @ A - way / move.step
    excess = np.linalg.norm(v) * (np.linalg.norm(w) + np.linalg.norm(way))
    objective = float(loss.value(numbers).sum()) + penalty.value(w)
    if not excess:
        return 0.0
    return float(excess / abs(objective)) if objective else np.inf
