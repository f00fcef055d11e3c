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

EVERYTHING = 4096  # up to so many features the wide set is everything
WIDE = 512
NARROW = 64  # candidates beside the non-zeros
FEW = 64  # non-zeros with which the narrow phase begins
WIDE_ITERATIONS = 6
SLACK = 1e-4  # relative excess of the gradient over alpha that makes a zero weight a violator
MAX_ROUNDS = 50


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

    def run(self, starts: Sequence[float | NDArray]) -> FixedPoint:
        """Follow every start; always check, and work on, the one of lowest objective.

        A number stands for uniform weights. The first candidate that has the lowest objective
        and no violators among all features is the answer.
        """
        first = self._first_gradients(starts)
        candidates = [
            self._candidate(k, w, c)
            for k, w, c in zip(range(len(starts)), starts, first, strict=True)
        ]
        for candidate in candidates:
            self._work(candidate)
        for _ in range(MAX_ROUNDS):
            best = min(candidates, key=lambda candidate: candidate.objective)
            c = self._gradient_of_all(best)
            w = best.spread(len(c))
            entering = violators(w, c, self.problem.alpha)
            if (best.settled and not len(entering)) or best.n_iter >= self.max_iter:
                break
            self._widen(best, w, c)
            self._work(best)
        return FixedPoint(
            w=w,
            gradient=c,
            gap=optimality_gap(w, c, self.problem.alpha),
            objective=best.objective,
            n_iter=best.n_iter,
            converged=best.settled and not len(entering),
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
        everything = len(c) <= EVERYTHING
        wide = np.arange(len(c)) if everything else top(c, WIDE)
        if np.ndim(start):
            wide = np.union1d(wide, np.flatnonzero(start)) if not everything else wide
            return Candidate(k, wide, np.asarray(start, float)[wide])
        return Candidate(k, wide, np.full(len(wide), float(start)))

    def _work(self, candidate: Candidate) -> None:
        """A few iterations on the wide set; once the non-zeros are few, convergence."""
        wide = self.blocks.columns(candidate.wide)
        everything = np.arange(wide.n_features)
        few = FEW if wide.n_features > FEW + NARROW else 0
        outcome = self._iterate(candidate, wide, everything, WIDE_ITERATIONS, few)
        candidate.gradient = outcome.point.gradient
        candidate.settled = outcome.converged
        narrow = np.empty(0, int)
        while np.count_nonzero(candidate.w) <= FEW and candidate.n_iter < self.max_iter:
            narrow = np.union1d(narrow, np.flatnonzero(candidate.w))
            narrow = np.union1d(narrow, top(candidate.gradient, NARROW))
            outcome = self._iterate(candidate, wide.columns(narrow), narrow, self.max_iter, -1)
            candidate.gradient = gradient(wide, (candidate.Q, candidate.pull))[0]
            entering = violators(candidate.w, candidate.gradient, self.problem.alpha)
            candidate.settled = outcome.converged and not len(entering)
            if candidate.settled:
                return
            narrow = np.union1d(narrow, entering)

    def _iterate(
        self, candidate: Candidate, blocks: Blocks, index: NDArray, max_iter: int, few: int
    ) -> Outcome:
        """Iterate on the features `index` of the wide set and store where that ended."""
        outcome = iterate(
            blocks,
            self.problem,
            candidate.w[index],
            tol=self.tol,
            max_iter=max(min(max_iter, self.max_iter - candidate.n_iter), 1),
            step=candidate.step,
            record=lambda **row: self.record(start=candidate.start, **row),
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


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient exceeds alpha."""
    return np.flatnonzero((w == 0) & (c > (1 + SLACK) * alpha))
