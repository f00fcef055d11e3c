"""The fixed point ``w = T(w)`` on one set of features.

T finds the soft neighbors under w and minimizes the convex problem they define (LOFE eq. 7).
Repeating ``w <- T(w)`` may cycle for ever, so the step is damped, by more whenever two residuals
``T(w) - w`` point in opposite directions; once the non-zeros are few and settled, Newton's method
finishes.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.blocks import Blocks
from hitmiss.margins import Point, Problem, evaluate
from hitmiss.polish import MAX_FEATURES, polish
from hitmiss.solvers.prox_newton import prox_newton

SMALLEST_STEP = 0.02
NEGLIGIBLE = 1e-3  # a weight this far below the largest that T sets to zero is dropped at once
PATIENCE = 4  # iterations between two attempts of Newton's method


class Outcome(NamedTuple):
    """Where an iteration ended, its last step, its length, and whether ``T(w) = w`` there."""

    point: Point
    step: float
    n_iter: int
    converged: bool


def iterate(
    blocks: Blocks,
    problem: Problem,
    w: NDArray,
    *,
    tol: float,
    max_iter: int,
    step: float = 1.0,
    record: Callable[..., None] = lambda **row: None,
    enough: Callable[[NDArray], bool] = lambda w: False,
) -> Outcome:
    """Iterate from w until ``|T(w) - w| <= tol |w|``.

    Parameters
    ----------
    blocks : Blocks
        The features.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start.
    tol : float
        Relative tolerance.
    max_iter : int
        Bound on the evaluations of T.
    step : float
        First step, between 0 and 1.
    record : callable
        Called after each evaluation of T with what is known, by keyword.
    enough : callable
        Ends the iteration early when it says so of the weights.

    Returns
    -------
    Outcome
    """
    u, last, settled, wait = w, None, np.empty(0, int), PATIENCE
    for n_iter in range(1, max_iter + 1):
        point = evaluate(blocks, problem, w)
        u = prox_newton(point.Z, problem.loss, problem.penalty, u).w
        residual = u - w
        size = float(np.linalg.norm(residual))
        step = _next_step(step, residual, last)
        support = np.flatnonzero(w)
        record(
            objective=point.objective,
            step=step,
            n_nonzero=len(support),
            gap=point.gap,
            residual=size,
        )
        converged = size <= tol * max(np.linalg.norm(w), np.linalg.norm(u))
        if converged or n_iter == max_iter or (n_iter > 1 and enough(w)):
            break
        wait += 1
        polished = None
        if wait > PATIENCE and len(support) <= MAX_FEATURES and np.array_equal(support, settled):
            wait = 0
            polished = polish(blocks.columns(support, dtype=float), problem, w[support])
        settled = support
        if polished is not None:
            w, last = np.zeros_like(w), None
            w[support] = polished
        else:
            w, last = _moved(w, u, step), residual
    return Outcome(point, step, n_iter, bool(converged))


def _next_step(step: float, residual: NDArray, last: NDArray | None) -> float:
    if last is None:
        return step
    return min(1.0, 1.5 * step) if residual @ last > 0 else max(SMALLEST_STEP, 0.5 * step)


def _moved(w: NDArray, u: NDArray, step: float) -> NDArray:
    moved = w + step * (u - w)
    moved[(u == 0) & (moved <= NEGLIGIBLE * moved.max(initial=0.0))] = 0.0
    return moved
