"""The search from an answer that is nearly right: the non-zeros, and whatever violates."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.candidate import Candidate, violators
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.problem import Fit
from hitmiss.lofe.rough_moves import rough_or_exact_weights
from hitmiss.lofe.search import Search
from hitmiss.lofe.working_sets import finer


class NarrowSearch(Search):
    """A `Search` that goes on from an answer without a wide set between the narrow one and all.

    All features are looked at after every iteration on the narrow set; the violators of largest
    gradient join it. While there are any, the fixed point is found roughly; where samples are so
    many that iterations learn from those before, it is found at once.
    """

    def resume(self, previous: Fit) -> Fit:
        """Go on from the answer to a similar problem on the same data."""
        candidate = self._begun_at(previous)
        return self._certified(candidate, previous.largest_alpha)

    def resume_from_some(self, previous: Fit) -> Fit:
        """Go on from the answer of some of the samples, with an early look at all features."""
        candidate = self._begun_at(previous)
        if self.mix and self.max_iter > heuristics.MIXED_FIRST:
            self._approach(candidate)
        return self._certified(candidate, previous.largest_alpha)

    def approach(self, previous: Fit) -> Fit:
        """Where a few iterations lead from the answer of some of the samples, not certified."""
        candidate = self._begun_at(previous)
        self._approach(candidate)
        return self.fit(candidate, candidate.full_gradient, previous.largest_alpha)

    def roughly(self, previous: Fit) -> Fit:
        """Where iterations lead from the answer to a similar problem, without a look at all.

        It is neither exact nor certified; other features keep their gradients.
        """
        candidate = self._begun_at(previous)
        narrow = self.near(candidate.w, candidate.full_gradient, heuristics.MIXED_NARROW)
        self._take(candidate, narrow, self._iterated(candidate, narrow, heuristics.SETTLED))
        return self.fit(candidate, candidate.full_gradient, previous.largest_alpha)

    def _approach(self, candidate: Candidate) -> None:
        """A few iterations, and a look at all features where they end."""
        narrow = self.near(candidate.w, candidate.full_gradient)
        tol, most = max(heuristics.LOOSE, self.tol), heuristics.MIXED_FIRST
        self._take(candidate, narrow, self._iterated(candidate, narrow, tol, most))
        S = rough_or_exact_weights(self.features, self.problem, candidate.w)
        candidate.full_gradient = self.features.sums([S])[0]

    def _certified(self, candidate: Candidate, largest_alpha: float) -> Fit:
        """Iterate, and look at all features, until nothing violates.

        Where a look takes as long as several iterations, it comes when these have ended.
        """
        tol = self.tol if self.mix else max(heuristics.LOOSE, self.tol)
        size = heuristics.MIXED_NARROW if self.mix else heuristics.NARROW
        narrow = self.near(candidate.w, candidate.full_gradient, size)
        while not candidate.certified and candidate.n_iter < self.max_iter:
            found = self._run(candidate, narrow, tol)
            entering = violators(candidate.w, candidate.full_gradient, self.problem.alpha)
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(self.near(candidate.w, candidate.full_gradient, size), entering)
            else:
                candidate.certified = found.converged and tol <= self.tol and not len(entering)
                tol = finer(tol, self.tol) if found.converged else self.tol
        return self.answer(candidate, largest_alpha)

    def _begun_at(self, previous: Fit) -> Candidate:
        candidate = Candidate(previous.start, np.arange(len(previous.w)), previous.w)
        candidate.full_gradient, candidate.mixing = previous.gradient, self.mixing
        return candidate

    def _run(self, candidate: Candidate, narrow: NDArray, tol: float) -> Iteration:
        """Iterate on the features `narrow`, and look at all where that ended."""
        found = self._iterated(candidate, narrow, tol)
        candidate.settle(narrow, found)
        last = found.converged and tol <= self.tol
        candidate.full_gradient = self.look(candidate, last=last)
        return found

    def _take(self, candidate: Candidate, narrow: NDArray, found: Iteration) -> None:
        """Take over where an iteration ended, without its neighbors."""
        candidate.w = np.zeros(len(candidate.wide))
        candidate.w[narrow] = found.w
        candidate.objective, candidate.step = found.objective, found.step
        candidate.n_iter += found.n_iter

    def _iterated(
        self, candidate: Candidate, narrow: NDArray, tol: float, most: int | None = None
    ) -> Iteration:
        """Iterations on the features `narrow`."""
        most = self.max_iter if most is None else most
        problem, start = self.problem, candidate.start
        return Iteration(
            self.features.columns(narrow),
            problem,
            candidate.w[narrow],
            step=min(candidate.step, 1.0),
            record=lambda **row: self.record(
                start=start, sigma=problem.sigma, alpha=problem.alpha, **row
            ),
            move=self.steps.rough_move if self.mix else self.steps.move,
            newton=self.steps.newton,
            mixing=candidate.mixing.on(narrow) if self.mix else None,
        ).run(tol=tol, max_iter=max(min(self.max_iter - candidate.n_iter, most), 1))
