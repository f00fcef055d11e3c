"""The fixed point ``w = T(w)`` on one set of features.

T finds the soft neighbors under w and minimizes the convex problem they define (LOFE eq. 7).
Repeating ``w <- T(w)`` may cycle for ever, so the step is damped, by more whenever two residuals
``T(w) - w`` point in opposite directions. Newton's method finishes once the non-zeros are few and
stay the same; with thousands of samples its derivatives cost too much, and Anderson's
extrapolation takes its place.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features, main_pairs, weighted_rows
from hitmiss.lofe.newton import GAP, affordable, root
from hitmiss.lofe.problem import Point, Problem, evaluate, weighted_margins
from hitmiss.solvers.anderson import Anderson
from hitmiss.solvers.prox_newton import prox_newton


class Step(NamedTuple):
    """One evaluation of T."""

    u: NDArray  # T(w)
    solved: float  # optimality gap of T(w) in its convex problem
    objective: float  # at w
    gap: float  # at w
    point: Point | None = None  # all that is known at w; too large for a checkpoint


class Exact:
    """Evaluate everything exactly, over all pairs of samples and all features asked about.

    An evaluator has these four methods, which take nearly all the time of a fit. Others are the
    approximations in `hitmiss.lofe.coarse_to_fine` and the one of `hitmiss.lofe.checkpoint`, which
    stores what another one answers.
    """

    few = 64  # non-zeros with which convergence on few features begins: their Gram matrix is small
    anderson = False  # whether steps are extrapolated, instead of finished by Newton's method

    def replaced_by(self, other: "Exact") -> "Exact":
        """Another evaluator, in the place of this one."""
        return other

    def step(self, features: Features, problem: Problem, w: NDArray, u: NDArray) -> Step:
        """T(w), its minimization begun at u."""
        point = evaluate(features, problem, w)
        solution = prox_newton(point.Z, problem.loss, problem.penalty, u)
        return Step(solution.w, solution.gap, point.objective, point.gap, point)

    root = staticmethod(root)  # on the features with a weight, by Newton's method
    weighted_margins = staticmethod(weighted_margins)  # of all features: gradient, mean margins

    def first_gradients(
        self, features: Features, problem: Problem, starts: Sequence[float | NDArray]
    ) -> NDArray:
        """Gradient of every feature at w = 0, with the neighbors that each start defines."""
        found = problem.pairs.soft_from(features, starts, problem.target, problem.sigma)
        pull = problem.first_pull
        return features.sums(main_pairs(features, weighted_rows(Q, pull)) for Q in found)


EXACT = Exact()

SMALLEST_STEP = 0.005  # convention, below the 0.03 that XOR at sigma 2 was seen to need
LARGEST_STEP = 4.0  # convention
SHORTER = 0.5  # factor of the step when two residuals oppose: what ends a cycle of two
LONGER = 1.5  # factor while they agree: less than SHORTER takes back
ALIGNED = 0.8  # cosine between residuals above which the step may exceed 1: within 37 degrees
# A weight this far below the largest that T sets to zero is dropped at once; after an extrapolated
# step, in which such weights are slow to go, already this far.
DROPPED, EXTRAPOLATED_DROPPED = 1e-3, 0.01
SOLVED = 1e-4  # optimality gap of T above which T(w) is not trusted; the solver aims at 1e-6
NEWTON_PAUSE = 4  # iterations between two attempts of Newton's method, convention


def extrapolation() -> Anderson:
    """Anderson's extrapolation, as it suits this iteration.

    From the fixed point of half of 3,000 samples of 8 classes (97 weights) a residual of 1e-5
    takes 20 iterations with 10 or 20 changes and steps of 0.3 or 0.5, by damped steps alone 40.
    """
    return Anderson(memory=10, least=2, step=0.5, lasting=True)


class Iterate(NamedTuple):
    """The end of an iteration."""

    w: NDArray
    point: Point | None  # all that is known at w, where the last evaluation kept it
    objective: float  # at w
    step: float
    n_iter: int
    converged: bool  # whether T(w) = w


def fixed_point(
    features: Features,
    problem: Problem,
    w: NDArray,
    evaluator: Exact = EXACT,
    *,
    tol: float,
    max_iter: int,
    step: float = 1.0,
    record: Callable[..., None] = lambda **row: None,
    enough: Callable[[NDArray], bool] = lambda w: False,
    anderson: Anderson | None = None,
) -> Iterate:
    """Iterate until ``|T(w) - w| <= tol |w|``.

    Parameters
    ----------
    features : Features
        The features.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start.
    evaluator : Exact
        Evaluates T.
    tol : float
        Relative tolerance.
    max_iter : int
        Bound on the evaluations of T.
    step : float
        First step, between 0 and 1.
    record : callable
        Called after each evaluation of T with what is known, by keyword.
    enough : callable
        Ends the iteration early when it is true of the weights.
    anderson : Anderson, optional
        Extrapolates from the iterations before, in the place of Newton's method.
    """
    # T's solver works on the non-zeros it is given, so a dense start is no start for it.
    u = w if np.count_nonzero(w) <= features.n_samples else np.zeros_like(w)
    last: NDArray | None = None  # residual
    last_support, since_newton = np.empty(0, int), NEWTON_PAUSE
    n_iter = 0
    while True:
        # 1 Evaluate T at w: neighbors under w, margins, and the convex problem these define.
        found = evaluator.step(features, problem, w, u)
        u, residual, n_iter = found.u, found.u - w, n_iter + 1
        size, n_nonzero = float(np.linalg.norm(residual)), np.count_nonzero(w)
        step = _next_step(step, residual, last)
        record(
            objective=found.objective, step=step, n_nonzero=n_nonzero, gap=found.gap, residual=size
        )
        # 2 Stop at a fixed point, if what it was found with is exact enough.
        small = size <= tol * max(np.linalg.norm(w), np.linalg.norm(u))
        converged = bool(small and found.solved <= SOLVED and found.gap <= max(tol, GAP))
        if converged or n_iter == max_iter or (n_iter > 1 and enough(w)):
            return Iterate(w, found.point, found.objective, step, n_iter, converged)
        support = np.flatnonzero(w)
        same_support, last_support = np.array_equal(support, last_support), support
        if anderson is None:
            # 3 Newton on the non-zeros, once these are few and stay the same, where T agrees with
            #   them or the residuals oscillate.
            since_newton += 1
            agrees = np.array_equal(w > 0, u > 0) or (last is not None and residual @ last < 0)
            few = len(support) > 0 and affordable(features, problem, len(support))
            if few and same_support and agrees and since_newton > NEWTON_PAUSE:
                since_newton = 0
                some = features.columns(support, dtype=float)
                exact = evaluator.root(some, problem, w[support], 0.0)
                if exact is not None:
                    w, last = np.zeros_like(w), None
                    w[support] = exact.w
                    continue
        # 4 Else an extrapolated step, or a damped one, without weights that T is about to drop.
        extrapolated = None if anderson is None else anderson.next(w, residual)
        moved = w + step * residual if extrapolated is None else extrapolated
        small_share = DROPPED if extrapolated is None else EXTRAPOLATED_DROPPED
        moved = np.maximum(moved, 0.0)
        moved[(u == 0) & (moved <= small_share * moved.max(initial=0.0))] = 0.0
        w, last = moved, residual


def _next_step(step: float, residual: NDArray, last: NDArray | None) -> float:
    """Longer while the residuals agree, beyond 1 while they hardly turn; shorter if they oppose."""
    if last is None:
        return step
    agreement = residual @ last
    if agreement <= 0:
        return max(SMALLEST_STEP, SHORTER * min(step, 1.0))
    aligned = agreement > ALIGNED * np.linalg.norm(residual) * np.linalg.norm(last)
    return min(LARGEST_STEP if aligned else 1.0, LONGER * step)
