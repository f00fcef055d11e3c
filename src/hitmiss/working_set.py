"""The fixed point over very many features: working sets, several starts, a certificate.

Three nested sets of features: *narrow* (the non-zeros and those closest to entering), where the
iteration runs to convergence; *wide* (some hundreds, or everything if there are few features),
where it begins and where violators of the optimality condition are looked for first; and *all*,
visited to choose the wide set and to certify the result. Whatever violates the condition joins
the sets, so a zero weight may always return.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss.blocks import Blocks
from hitmiss.fixed_point import Outcome, iterate
from hitmiss.margins import FixedPoint, Problem, gradient, neighbors, optimality_gap
from hitmiss.neighbors import soft_neighbors

EVERYTHING = 1 << 27  # the wide set is everything up to so many pair-elements in an iteration
WIDE = 512
NARROW = 64  # candidates beside the non-zeros
FEW = 64  # non-zeros with which the narrow phase begins
WIDE_ITERATIONS = 6
SLACK = 1e-4  # relative excess of the gradient over alpha that makes a zero weight a violator
CERTIFIED = 1e-3  # largest optimality gap of a converged answer
MAX_ROUNDS = 50
UNEXPLAINED = 0.85  # share of the objective of w = 0 above which a sharper start is tried
SHARPER = 4.0


class Candidate:
    """The way from one start: its wide set, its weights on it, and where it stands."""

    def __init__(self, start: int, wide: NDArray, w: NDArray):
        self.start, self.wide, self.w = start, wide, w
        self.gradient = np.empty(0)  # of the wide set, once known
        self.Q = self.pull = np.empty(0)
        self.objective, self.step = np.inf, 1.0
        self.n_iter, self.settled = 0, False

    def spread(self, n_features: int) -> NDArray:
        """The weights of all features."""
        w = np.zeros(n_features)
        w[self.wide] = self.w
        return w


class Search:
    """The search for the certified fixed point of lowest objective.

    Parameters
    ----------
    blocks : Blocks
        All features.
    problem : Problem
        What is solved.
    tol : float
        Relative tolerance of the fixed point.
    max_iter : int
        Bound on the iterations from one start.
    record : callable
        Called after each iteration with what is known, by keyword.
    """

    def __init__(
        self,
        blocks: Blocks,
        problem: Problem,
        *,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
    ):
        self.blocks, self.problem, self.record = blocks, problem, record
        self.tol, self.max_iter = tol, max_iter

    def run(self, starts: Sequence[float | NDArray], *, sharpen: bool = False) -> FixedPoint:
        """Follow every start; always check, and work on, the one of lowest objective.

        The first candidate that has the lowest objective and no violators among all features is
        the answer. One that has used up its iterations is set aside.

        Parameters
        ----------
        starts : sequence of float or ndarray of shape (n_features,)
            Weights to start from; a number stands for uniform weights.
        sharpen : bool
            Whether to add a start of our own if the best candidate explains little: the fixed
            point that it leads to under a narrower kernel.
        """
        first = self._first_gradients(starts)
        candidates = [self._candidate(k, start, first[k]) for k, start in enumerate(starts)]
        for candidate in candidates:
            self._work(candidate)
        if sharpen:
            candidates += self._sharper(candidates)
        exhausted: list[Candidate] = []
        for _ in range(MAX_ROUNDS):
            best = lowest(candidates or exhausted)
            c = self._gradient_of_all(best)
            w = best.spread(len(c))
            entering = violators(w, c, self.problem.alpha)
            if best in exhausted or (best.settled and not len(entering)):
                break
            if best.n_iter < self.max_iter:
                self._widen(best, w, c)
                self._work(best)
            else:
                candidates.remove(best)
                exhausted.append(best)
        gap = optimality_gap(w, c, self.problem.alpha)
        return FixedPoint(
            w=w,
            gradient=c,
            gap=gap,
            objective=best.objective,
            n_iter=best.n_iter,
            converged=best.settled and not len(entering) and gap <= CERTIFIED,
            start=best.start,
            largest_alpha=float(first.max()),
        )

    def _first_gradients(self, starts: Sequence[float | NDArray]) -> NDArray:
        """Gradient of every feature at w = 0, with the neighbors of each start.

        All uniform starts share one pass over the data for the distances.
        """
        pull = self.problem.pull(np.zeros(self.blocks.n_samples))
        unit = None
        points = []
        for start in starts:
            if np.ndim(start):
                Q = neighbors(self.blocks, self.problem, np.asarray(start))
            else:
                if unit is None:
                    unit = self.blocks.distances(np.ones(self.blocks.n_features))
                D = unit * start
                Q = soft_neighbors(D, self.problem.y, self.problem.sigma, self.blocks.workers)
            points.append((Q, pull))
        return gradient(self.blocks, *points)

    def _candidate(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        everything = len(c) * self.blocks.n_samples**2 <= EVERYTHING
        wide = np.arange(len(c)) if everything else top(c, WIDE)
        if np.ndim(start):
            wide = np.union1d(wide, np.flatnonzero(start)) if not everything else wide
            return Candidate(k, wide, np.asarray(start, float)[wide])
        return Candidate(k, wide, np.full(len(wide), float(start)))

    def _sharper(self, candidates: list[Candidate]) -> list[Candidate]:
        """A start of local neighbors, where the best candidate is hardly better than w = 0."""
        best, problem = lowest(candidates), self.problem
        worst = problem.objective(np.zeros(len(problem.y)), np.zeros(1))
        if best.objective <= UNEXPLAINED * worst:
            return []
        w = best.w if best.w.any() else np.ones(len(best.w))
        candidate = Candidate(len(candidates), best.wide, w)
        wide = self.blocks.columns(candidate.wide)
        sharp = problem.with_sigma(problem.sigma / SHARPER)
        self._iterate(candidate, wide, problem=sharp, max_iter=WIDE_ITERATIONS)
        candidate.n_iter = 0  # so far it only looked for its start
        self._work(candidate)
        return [candidate]

    def _work(self, candidate: Candidate) -> None:
        """A few iterations on the wide set; once the non-zeros are few, convergence."""
        wide = self.blocks.columns(candidate.wide)
        few = FEW if wide.n_features > FEW + NARROW else 0
        outcome = self._iterate(candidate, wide, max_iter=WIDE_ITERATIONS, few=few)
        candidate.gradient = outcome.point.gradient
        candidate.settled = outcome.converged
        narrow = np.empty(0, int)
        while np.count_nonzero(candidate.w) <= FEW and candidate.n_iter < self.max_iter:
            narrow = np.union1d(narrow, np.flatnonzero(candidate.w))
            narrow = np.union1d(narrow, top(candidate.gradient, NARROW))
            outcome = self._iterate(candidate, wide, narrow)
            candidate.gradient = gradient(wide, (candidate.Q, candidate.pull))[0]
            entering = violators(candidate.w, candidate.gradient, self.problem.alpha)
            candidate.settled = outcome.converged and not len(entering)
            if candidate.settled:
                return
            narrow = np.union1d(narrow, entering)

    def _iterate(
        self,
        candidate: Candidate,
        wide: Blocks,
        narrow: NDArray | None = None,
        *,
        problem: Problem | None = None,
        max_iter: int | None = None,
        few: int = -1,
    ) -> Outcome:
        """Iterate on the wide set, or on its features `narrow`, and store where that ended.

        It ends early when at most `few` weights are not zero.
        """
        problem = problem or self.problem
        index = np.arange(wide.n_features) if narrow is None else narrow
        left = max(self.max_iter - candidate.n_iter, 1)
        outcome = iterate(
            wide if narrow is None else wide.columns(narrow),
            problem,
            candidate.w[index],
            tol=self.tol,
            max_iter=left if max_iter is None else min(left, max_iter),
            step=candidate.step,
            record=lambda **row: self.record(start=candidate.start, sigma=problem.sigma, **row),
            enough=lambda w: bool(np.count_nonzero(w) <= few),
        )
        point = outcome.point
        candidate.w = np.zeros(len(candidate.wide))
        candidate.w[index] = point.w
        candidate.Q, candidate.pull, candidate.objective = point.Q, point.pull, point.objective
        candidate.step = outcome.step
        candidate.n_iter += outcome.n_iter
        return outcome

    def _gradient_of_all(self, candidate: Candidate) -> NDArray:
        if len(candidate.wide) == self.blocks.n_features:
            return candidate.gradient
        return gradient(self.blocks, (candidate.Q, candidate.pull))[0]

    def _widen(self, candidate: Candidate, w: NDArray, c: NDArray) -> None:
        """The non-zeros and the features of largest gradient are the new wide set."""
        if len(candidate.wide) < len(w):
            candidate.wide = np.union1d(np.flatnonzero(w), top(c, WIDE))
        candidate.w = w[candidate.wide]


def lowest(candidates: list[Candidate]) -> Candidate:
    """The candidate of lowest objective; the earliest of those that agree up to rounding."""
    least = min(candidate.objective for candidate in candidates)
    return next(c for c in candidates if c.objective <= least * (1 + 1e-6))


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient exceeds alpha."""
    return np.flatnonzero((w == 0) & (c > (1 + SLACK) * alpha))
