"""The fixed point ``w = T(w)`` on one set of features.

T finds the soft neighbors under w and minimizes the convex problem they define (LOFE eq. 7).
Repeating ``w <- T(w)`` may cycle for ever, so the step is damped, by more whenever two residuals
``T(w) - w`` point in opposite directions; once the non-zeros are few and settled, Newton's method
finishes.
"""

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.lofe import heuristics
from hitmiss.lofe.mixing import Mixing
from hitmiss.lofe.newton import affordable, newton
from hitmiss.lofe.problem import Point, Problem, evaluate
from hitmiss.solvers.prox_newton import prox_newton


class Move(NamedTuple):
    """The result of one evaluation of T."""

    u: NDArray  # T(w)
    solved: float  # optimality gap of T(w) in its convex problem
    objective: float  # at w
    gap: float  # at w
    point: Point | None = None  # all that is known at w; too large for a checkpoint


def next_move(features: Features, problem: Problem, w: NDArray, u: NDArray) -> Move:
    """T(w), from the start u.

    Parameters
    ----------
    features : Features
        The features that w is about.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights under which the neighbors are found.
    u : ndarray of shape (n_features,)
        Where the minimization begins.
    """
    point = evaluate(features, problem, w)
    solution = prox_newton(point.Z, problem.loss, problem.penalty, u)
    return Move(solution.w, solution.gap, point.objective, point.gap, point)


class Iteration:
    """The damped iteration from one start.

    Parameters
    ----------
    features : Features
        The features.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start.
    step : float
        First step, between 0 and 1.
    record : callable
        Called after each evaluation of T with what is known, by keyword.
    move, newton : callable
        The two long steps; see `next_move` and `hitmiss.lofe.newton.newton`.
    mixing : Mixing, optional
        What is known of iterations before, which takes the place of Newton's method; without it
        steps are damped only.

    Attributes
    ----------
    w : ndarray of shape (n_features,)
        Weights so far.
    point : Point
        What is known at w, after `run`.
    objective : float
        At w, as the last move has it.
    step : float
        The last step.
    n_iter : int
        Number of evaluations of T.
    converged : bool
        Whether ``T(w) = w``.
    """

    def __init__(
        self,
        features: Features,
        problem: Problem,
        w: NDArray,
        *,
        step: float = 1.0,
        record: Callable[..., None] = lambda **row: None,
        move: Callable[..., Move] = next_move,
        newton: Callable[..., NDArray | None] = newton,
        mixing: Mixing | None = None,
    ):
        self.features, self.problem, self.record = features, problem, record
        self._mixing = mixing
        self._next_move, self._newton = move, newton
        self.w, self.step, self.n_iter, self.converged = w, step, 0, False
        self._point: Point | None = None
        self.objective = np.inf
        # T's solver works on the non-zeros it is given, so a dense start is no start for it.
        self._u = w if np.count_nonzero(w) <= features.n_samples else np.zeros_like(w)
        self._last: NDArray | None = None  # residual
        self._settled = np.empty(0, int)  # non-zeros of the iteration before
        self._since_newton = heuristics.NEWTON_PAUSE

    def run(
        self,
        *,
        tol: float,
        max_iter: int,
        enough: Callable[[NDArray], bool] = lambda w: False,
    ) -> Self:
        """Iterate until ``|T(w) - w| <= tol |w|``.

        Parameters
        ----------
        tol : float
            Relative tolerance.
        max_iter : int
            Bound on the evaluations of T.
        enough : callable
            Ends the iteration early when it is true of the weights.
        """
        while True:
            move = self._next_move(self.features, self.problem, self.w, self._u)
            residual, size = self._measure(move)
            self.converged = self._is_fixed(move, size, tol)
            if self.converged or self.n_iter == max_iter or (self.n_iter > 1 and enough(self.w)):
                break
            self._advance(residual)
        self._point, self.objective = move.point, move.objective
        return self

    @property
    def point(self) -> Point:
        """What is known at w, after `run`: evaluated where the last move did not keep it."""
        if self._point is None:
            self._point = evaluate(self.features, self.problem, self.w)
        return self._point

    def _measure(self, move: Move) -> tuple[NDArray, float]:
        """The residual ``T(w) - w`` and its length; it decides the step, and is recorded."""
        self.n_iter += 1
        self._u = move.u
        residual = self._u - self.w
        size = float(np.linalg.norm(residual))
        self.step = _next_step(self.step, residual, self._last)
        self.record(
            objective=move.objective,
            step=self.step,
            n_nonzero=np.count_nonzero(self.w),
            gap=move.gap,
            residual=size,
        )
        return residual, size

    def _is_fixed(self, move: Move, size: float, tol: float) -> bool:
        """Whether the residual is small, and what it was found with exact enough."""
        small = size <= tol * max(np.linalg.norm(self.w), np.linalg.norm(move.u))
        return bool(
            small and move.solved <= heuristics.SOLVED and move.gap <= max(tol, heuristics.GAP)
        )

    def _advance(self, residual: NDArray) -> None:
        """Newton's method if it may work here, else a step towards T(w)."""
        support = np.flatnonzero(self.w)
        found = self._try_newton(support)
        self._settled = support
        if found is None:
            mixed = None if self._mixing is None else self._mixing.next(self.w, residual)
            moved = self.w + self.step * residual if mixed is None else mixed
            small = heuristics.DROPPED if mixed is None else heuristics.MIXED_DROPPED
            self.w, self._last = _dropped(moved, self._u, small), residual
        else:
            self.w, self._last = np.zeros_like(self.w), None
            self.w[support] = found

    def _try_newton(self, support: NDArray) -> NDArray | None:
        if self._mixing is not None:  # its derivatives take longer than the iterations they save
            return None
        self._since_newton += 1
        few = len(support) > 0 and affordable(self.features, self.problem, len(support))
        waited = self._since_newton > heuristics.NEWTON_PAUSE
        settled = few and np.array_equal(support, self._settled)
        if not (waited and settled and self._newton_may_converge()):
            return None
        self._since_newton = 0
        return self._newton(
            self.features.columns(support, dtype=float), self.problem, self.w[support]
        )

    def _newton_may_converge(self) -> bool:
        """Whether T(w) has the same non-zeros, or the residuals oscillate."""
        if np.array_equal(self.w > 0, self._u > 0):
            return True
        return self._last is not None and bool((self._u - self.w) @ self._last < 0)


def _next_step(step: float, residual: NDArray, last: NDArray | None) -> float:
    """Longer while the residuals agree, beyond 1 while they hardly turn; shorter if they oppose."""
    if last is None:
        return step
    agreement = residual @ last
    if agreement <= 0:
        return max(heuristics.SMALLEST_STEP, heuristics.SHORTER * min(step, 1.0))
    aligned = agreement > heuristics.ALIGNED * np.linalg.norm(residual) * np.linalg.norm(last)
    return min(heuristics.LARGEST_STEP if aligned else 1.0, heuristics.LONGER * step)


def _dropped(moved: NDArray, u: NDArray, small: float) -> NDArray:
    """Weights of at least 0, without those that are small and that T(w) = u sets to zero."""
    moved = np.maximum(moved, 0.0)
    moved[(u == 0) & (moved <= small * moved.max(initial=0.0))] = 0.0
    return moved
