"""Nested sets of features on which a fixed point is found, and the look at all that certifies it.

Three sets: *narrow* (the non-zeros and those closest to entering), where the iteration runs to
convergence; *wide* (some hundreds, or everything if there are few features), where it begins and
where violators of the optimality condition are looked for first; and *all*, visited to choose the
wide set and to certify the result. Whatever violates the condition joins the sets, so a zero
weight may always return.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.candidate import Candidate, lowest, violators
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.mixing import Mixing
from hitmiss.lofe.problem import Fit, Problem
from hitmiss.lofe.starts import gradient, top
from hitmiss.lofe.steps import PLAIN_STEPS, Steps


class WorkingSets:
    """What a search does with a candidate.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    tol : float
        Relative tolerance of the fixed point.
    max_iter : int
        Bound on the iterations from one start.
    record : callable
        Called after each iteration with what is known, by keyword.
    steps : Steps
        The functions that take time.
    mix : bool
        Whether an iteration learns from several before it, which pays where each takes long.
    mixing : Mixing, optional
        What is known of such iterations with these samples at other strengths of the penalty.
    margins : bool
        Whether the look at all features that may be the last takes their mean margins, too.
    """

    def __init__(
        self,
        features: Features,
        problem: Problem,
        *,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
        steps: Steps = PLAIN_STEPS,
        mix: bool = False,
        mixing: Mixing | None = None,
        margins: bool = False,
    ):
        self.margins = margins
        self.features, self.problem, self.record, self.steps = features, problem, record, steps
        self.mixing = Mixing() if mixing is None else mixing
        self.tol, self.max_iter, self.mix = tol, max_iter, mix
        self.few = heuristics.MIXED_FEW if mix else heuristics.FEW

    def candidate(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        """The candidate of start k, where the gradient at w = 0 is c."""
        everything = len(c) * self.features.n_samples**2 <= heuristics.EVERYTHING
        wide = np.arange(len(c)) if everything else top(c, heuristics.WIDE)
        if not np.ndim(start):
            return Candidate(k, wide, np.full(len(wide), float(start)))
        w = np.asarray(start, float)
        if not everything:
            wide = np.union1d(wide, top(w, heuristics.WIDE))
        return Candidate(k, wide, w[wide])

    def unexplained(self, candidates: list[Candidate]) -> bool:
        """Whether no candidate is much better than w = 0."""
        return lowest(candidates).objective > heuristics.UNEXPLAINED * self.problem.null_objective

    def begin(self, candidate: Candidate) -> None:
        """Begin at the start that was found; the iterations that found it do not count."""
        candidate.n_iter, candidate.step, candidate.certified = 0, 1.0, False
        candidate.mixing = Mixing()
        self.work(candidate, self.problem)

    def work(self, candidate: Candidate, problem: Problem) -> None:
        """A few iterations on the wide set; once the non-zeros are few, convergence."""
        wide = self.features.columns(candidate.wide)
        few = self.few if wide.n_features > self.few + heuristics.NARROW else 0
        found = self.iterate(candidate, problem, wide, max_iter=heuristics.WIDE_ITERATIONS, few=few)
        candidate.gradient = found.point.gradient
        candidate.settled = found.converged
        narrow, tol = np.empty(0, int), max(heuristics.LOOSE, self.tol)
        while np.count_nonzero(candidate.w) <= self.few and candidate.n_iter < self.max_iter:
            narrow = np.union1d(narrow, self.near(candidate.w, candidate.gradient))
            found = self.iterate(candidate, problem, wide, narrow, tol=tol)
            candidate.gradient = gradient(wide, candidate.Q, candidate.pull)
            entering = violators(candidate.w, candidate.gradient, problem.alpha)
            candidate.settled = found.converged and tol <= self.tol and not len(entering)
            if candidate.settled:
                return
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(narrow, entering)
            else:
                tol = finer(tol, self.tol)

    def near(self, w: NDArray, c: NDArray, size: int = heuristics.NARROW) -> NDArray:
        """The non-zeros, and the features of largest gradient; where samples are many, of others.

        The gradient of the non-zeros is about as large as any, and they are more than a few there.
        """
        near = top(np.where(w > 0, -np.inf, c) if self.mix else c, size)
        return np.union1d(np.flatnonzero(w), near)

    def iterate(
        self,
        candidate: Candidate,
        problem: Problem,
        wide: InMemory,
        narrow: NDArray | None = None,
        *,
        tol: float | None = None,
        max_iter: int | None = None,
        few: int = -1,
    ) -> Iteration:
        """Iterate on the wide set, or on its features `narrow`, and store where that ended.

        It ends early when at most `few` weights are not zero.
        """
        index = np.arange(wide.n_features) if narrow is None else narrow
        left = max(self.max_iter - candidate.n_iter, 1)
        found = Iteration(
            wide if narrow is None else wide.columns(narrow),
            problem,
            candidate.w[index],
            step=min(candidate.step, 1.0),
            record=lambda **row: self.record(
                start=candidate.start, sigma=problem.sigma, alpha=problem.alpha, **row
            ),
            move=self.steps.rough_move if self.mix else self.steps.move,
            newton=self.steps.newton,
            mixing=candidate.mixing.on(candidate.wide[index]) if self.mix else None,
        ).run(
            tol=self.tol if tol is None else tol,
            max_iter=left if max_iter is None else min(left, max_iter),
            enough=lambda w: bool(np.count_nonzero(w) <= few),
        )
        candidate.settle(index, found)
        return found

    def check(self, candidate: Candidate, problem: Problem) -> None:
        """Look for violators among all features: without any, the candidate is certified.

        The non-zeros and the features of largest gradient are its new wide set.
        """
        if len(candidate.wide) == self.features.n_features:
            candidate.certified, candidate.full_gradient = candidate.settled, candidate.gradient
            return
        c = self.look(candidate, last=candidate.settled)
        w = candidate.spread(len(c))
        candidate.certified = candidate.settled and not len(violators(w, c, problem.alpha))
        candidate.full_gradient = c
        candidate.wide = np.union1d(np.flatnonzero(w), top(c, heuristics.WIDE))
        candidate.w, candidate.gradient = w[candidate.wide], c[candidate.wide]

    def look(self, candidate: Candidate, *, last: bool) -> NDArray:
        """The gradient of all features; where it may be the `last` look, the mean margins, too."""
        Q, pull, candidate.margins = candidate.Q, candidate.pull, None
        if not (last and self.margins):
            return self.steps.gradient(self.features, Q, pull)
        share = self.problem.share
        c, candidate.margins = self.steps.gradient_and_margins(self.features, Q, pull, share)
        return c

    def answer(self, candidate: Candidate, largest_alpha: float) -> Fit:
        """The answer at a candidate that was checked last."""
        w, c = candidate.spread(self.features.n_features), candidate.full_gradient.copy()
        # The equalities of the non-zeros are checked in double precision: rounding shows there.
        support = np.flatnonzero(w)
        exact = self.features.columns(support, dtype=float)
        c[support] = gradient(exact, candidate.Q, candidate.pull)
        return self.fit(candidate, c, largest_alpha)

    def fit(self, candidate: Candidate, c: NDArray, largest_alpha: float) -> Fit:
        """The answer at a candidate, with the gradient of all features there."""
        w = candidate.spread(self.features.n_features)
        return Fit(
            w=w,
            gradient=c,
            gap=self.problem.gap(w, c),
            objective=candidate.objective,
            n_iter=candidate.n_iter,
            converged=candidate.certified,
            start=candidate.start,
            largest_alpha=largest_alpha,
            sigma=self.problem.sigma,
            alpha=self.problem.alpha,
            margins=candidate.margins,
        )


def finer(tol: float, wanted: float) -> float:
    """The next tolerance: the one wanted, or where that left violators a finer one.

    Iterations at the same tolerance would end where they begin.

    Parameters
    ----------
    tol : float
        The last one.
    wanted : float
        That of the answer.
    """
    return wanted if tol > wanted else heuristics.FINER * tol
