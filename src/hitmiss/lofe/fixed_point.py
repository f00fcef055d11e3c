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

from hitmiss.data.in_memory import Blocks
from hitmiss.lofe.newton import affordable, polish
from hitmiss.lofe.problem import Point, Problem, evaluate
from hitmiss.lofe.steps import Recall, State, afresh
from hitmiss.solvers.prox_newton import prox_newton

SMALLEST_STEP = 0.005
LARGEST_STEP = 4.0
ALIGNED = 0.8  # cosine between residuals above which the step may exceed 1
NEGLIGIBLE = 1e-3  # a weight this far below the largest that T sets to zero is dropped at once
SOLVED = 1e-4  # optimality gap of T above which T(w) is not trusted
GAP = 5e-4  # optimality gap at w above which a small residual is no fixed point yet
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
    recall: Recall = afresh,
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
    recall : callable
        Does a step, or remembers what it found.

    Returns
    -------
    Outcome
    """
    # T's solver works on the non-zeros it is given, so a dense start is no start for it.
    u = w if np.count_nonzero(w) <= len(problem.y) else np.zeros_like(w)
    last, settled, wait = None, np.empty(0, int), PATIENCE
    point = None

    def next_weights() -> State:
        nonlocal point
        point = evaluate(blocks, problem, w)
        solution = prox_newton(point.Z, problem.loss, problem.penalty, u)
        return {"u": solution.w, "said": np.array([solution.gap, point.objective, point.gap])}

    def polished_weights() -> State:
        found = polish(blocks.columns(support, dtype=float), problem, w[support])
        return {"w": np.empty(0) if found is None else found}

    for n_iter in range(1, max_iter + 1):
        found = recall("iteration", next_weights)
        u, (solved, objective, gap) = found["u"], found["said"].tolist()
        residual = u - w
        size = float(np.linalg.norm(residual))
        step = _next_step(step, residual, last)
        support = np.flatnonzero(w)
        record(
            objective=objective,
            step=step,
            n_nonzero=len(support),
            gap=gap,
            residual=size,
        )
        small = size <= tol * max(np.linalg.norm(w), np.linalg.norm(u))
        converged = bool(small and solved <= SOLVED and gap <= max(tol, GAP))
        if converged or n_iter == max_iter or (n_iter > 1 and enough(w)):
            break
        wait += 1
        polished = np.empty(0)
        few = len(support) > 0 and affordable(blocks, len(support))
        if wait > PATIENCE and few and np.array_equal(support, settled) and _ripe(w, u, last):
            wait = 0
            polished = recall("polish", polished_weights)["w"]
        settled = support
        if len(polished):
            w, last = np.zeros_like(w), None
            w[support] = polished
        else:
            w, last = _moved(w, u, step), residual
    if point is None or point.w is not w:  # the last step was remembered
        point = evaluate(blocks, problem, w)
    return Outcome(point, step, n_iter, converged)


def _ripe(w: NDArray, u: NDArray, last: NDArray | None) -> bool:
    """Whether Newton is worth a try: T(w) has the same non-zeros, or the residuals oscillate."""
    return np.array_equal(w > 0, u > 0) or (last is not None and (u - w) @ last < 0)


def _next_step(step: float, residual: NDArray, last: NDArray | None) -> float:
    """Longer while the residuals agree, beyond 1 while they hardly turn; shorter if they oppose."""
    if last is None:
        return step
    agreement = residual @ last
    if agreement <= 0:
        return max(SMALLEST_STEP, 0.5 * min(step, 1.0))
    aligned = agreement > ALIGNED * np.linalg.norm(residual) * np.linalg.norm(last)
    return min(LARGEST_STEP if aligned else 1.0, 1.5 * step)


def _moved(w: NDArray, u: NDArray, step: float) -> NDArray:
    moved = np.maximum(w + step * (u - w), 0.0)
    moved[(u == 0) & (moved <= NEGLIGIBLE * moved.max(initial=0.0))] = 0.0
    return moved
