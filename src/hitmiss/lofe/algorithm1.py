"""Algorithm 1 of the LOFE paper to the letter, for comparison.

It iterates ``w <- T(w)`` without damping, solves each step by gradient descent on ``v = sqrt(w)``
and drops for good every feature whose v becomes small. So it may lose relevant features and may
cycle; the answer carries the same certificate as ours, which shows it.
"""

from collections.abc import Callable

import numpy as np

from hitmiss.data.features import Features
from hitmiss.lofe.problem import Fit, Problem, evaluate
from hitmiss.solvers.paper_descent import squared_descent

PRUNE = 1e-4  # "say less than 10^-4", section 3.2


def algorithm_1(
    features: Features,
    problem: Problem,
    *,
    tol: float,
    max_iter: int,
    record: Callable[..., None],
) -> Fit:
    """Iterate from ``w = 1`` until the Euclidean norm of the change is below `tol`.

    Where the paper is silent: the descent starts from the previous v; pruning comes after it.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    tol : float
        Absolute bound on the change of the weights.
    max_iter : int
        Bound on the number of iterations.
    record : callable
        Called after each iteration with what is known, by keyword.

    Returns
    -------
    Fit
    """
    v = np.ones(features.n_features)
    point = evaluate(features, problem, v**2)
    largest_alpha = float((problem.first_pull @ point.Z).max())
    for n_iter in range(1, max_iter + 1):  # noqa: B007
        counted = np.flatnonzero(problem.target.has_hit)
        Z = point.Z[counted].astype(float)
        v = squared_descent(Z, problem.loss_of(counted), problem.alpha, v)
        v[np.abs(v) < PRUNE] = 0.0
        change = float(np.linalg.norm(v**2 - point.w))
        point = evaluate(features, problem, v**2)
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
    return Fit(
        w=point.w,
        gradient=point.gradient,
        gap=point.gap,
        objective=point.objective,
        n_iter=n_iter,
        converged=change < tol,
        start=0,
        largest_alpha=largest_alpha,
        sigma=problem.sigma,
        alpha=problem.alpha,
    )
