"""The search from an answer that is nearly right: the non-zeros, and whatever violates."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.problem import Fit
from hitmiss.lofe.search import Candidate, Search, finer, violators


class NarrowSearch(Search):
    """A `Search` that goes on from an answer without a wide set between the narrow one and all.

    All features are looked at after every iteration on the narrow set; the violators of largest
    gradient join it. While there are any, the fixed point is found roughly.
    """

    def resume(self, previous: Fit) -> Fit:
        """Go on from the answer to a similar problem on the same data."""
        candidate = self._begun_at(previous)
        narrow = self._near(candidate.w, candidate.full_gradient)
        tol = max(heuristics.LOOSE, self.tol)
        while not candidate.certified and candidate.n_iter < self.max_iter:
            found = self._run(candidate, narrow, tol)
            entering = violators(candidate.w, candidate.full_gradient, self.problem.alpha)
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(self._near(candidate.w, candidate.full_gradient), entering)
                tol = min(tol, self.tol) if self.mix else tol
            else:
                candidate.certified = found.converged and tol <= self.tol and not len(entering)
                tol = finer(tol, self.tol) if found.converged else self.tol
        return self._answer(candidate, previous.largest_alpha)

    def approach(self, previous: Fit) -> Fit:
        """Where a few iterations lead from the answer to a similar problem, not certified."""
        candidate = self._begun_at(previous)
        narrow = self._near(candidate.w, candidate.full_gradient)
        self._run(candidate, narrow, max(heuristics.LOOSE, self.tol))
        return self._answer(candidate, previous.largest_alpha)

    def _begun_at(self, previous: Fit) -> Candidate:
        candidate = Candidate(previous.start, np.arange(len(previous.w)), previous.w)
        candidate.full_gradient = previous.gradient
        return candidate

    def _run(self, candidate: Candidate, narrow: NDArray, tol: float) -> Iteration:
        """Iterate on the features `narrow`, and look at all where that ended."""
        most = heuristics.MIXED_FIRST if self.mix and not candidate.n_iter else self.max_iter
        problem, start = self.problem, candidate.start
        found = Iteration(
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
        candidate.settle(narrow, found)
        candidate.full_gradient = self.steps.gradient(self.features, candidate.Q, candidate.pull)
        return found
