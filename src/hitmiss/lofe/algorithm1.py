"""Algorithm 1 of the LOFE paper to the letter, for comparison.

It iterates ``w <- T(w)`` without damping, solves each step by gradient descent on ``v = sqrt(w)``
and drops for good every feature whose v becomes small. So it may lose relevant features and may
cycle; the answer carries the same certificate as ours, which shows it.
"""

from collections.abc import Callable

import numpy as np

from hitmiss.data.in_memory import Blocks
from hitmiss.lofe.problem import FixedPoint, Problem, evaluate
from hitmiss.solvers.squared_descent import squared_descent

PRUNE = 1e-4  # "say less than 10^-4", section 3.2


def algorithm_1(
    blocks: Blocks,
    problem: Problem,
    *,
    tol: float,
    max_iter: int,
    record: Callable[..., None],
) -> FixedPoint:
    """Iterate from ``w = 1`` until the Euclidean norm of the change is below `tol`.

    Where the paper is silent: the descent starts from the previous v; pruning comes after it.
    """
    v = np.ones(blocks.n_features)
    point = evaluate(blocks, problem, v**2)
    largest_alpha = float(problem.first_gradient(point.Z).max())
    for n_iter in range(1, max_iter + 1):  # noqa: B007
        Z = point.Z[problem.has_hit].astype(float)
        v = squared_descent(Z, problem.loss, problem.alpha, v)
        v[np.abs(v) < PRUNE] = 0.0
        change = float(np.linalg.norm(v**2 - point.w))
        point = evaluate(blocks, problem, v**2)
        record(
            start=0,
            sigma=problem.sigma,
            alpha=problem.alpha,
            objective=point.objective,
            step=1.0,
            n_nonzero=np.count_nonzero(v),
            gap=point.gap,
            residual=change,
        )
        if change < tol:
            break
    return FixedPoint(
        w=point.w,
        gradient=point.gradient,
        gap=point.gap,
        objective=point.objective,
        n_iter=n_iter,
        converged=change < tol,
        start=0,
        largest_alpha=largest_alpha,
    )
