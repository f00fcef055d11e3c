"""The search with very many samples from an answer that is nearly right, found with fewer.

Every look at all pairs of samples takes long then. Newton's method on the few features with a
weight needs two or three that are quick, and one look at all features certifies where it ends.
"""

import numpy as np

from hitmiss.lofe import heuristics
from hitmiss.lofe.candidate import Candidate, violators
from hitmiss.lofe.narrow_search import NarrowSearch
from hitmiss.lofe.newton import affordable
from hitmiss.lofe.problem import Fit
from hitmiss.lofe.search import Search


class TileSearch(NarrowSearch):
    """A `Search` that goes on from an answer by Newton's method.

    Where that leads nowhere, or many features have a weight, it goes on as `Search`.
    """

    def resume_from_some(self, previous: Fit) -> Fit:
        """Go on from the answer of some of the samples."""
        return self.resume(previous)

    def resume(self, previous: Fit) -> Fit:
        """Go on from the answer to a similar problem, or of fewer samples."""
        candidate = Candidate(previous.start, np.arange(len(previous.w)), previous.w)
        candidate.full_gradient = previous.gradient
        tol = max(heuristics.LOOSE, self.tol)
        while candidate.n_iter < self.max_iter and self._settle(candidate):
            c = self.look(candidate, last=False)
            support = np.flatnonzero(candidate.w)
            c[support] = candidate.gradient
            candidate.full_gradient = c
            entering = violators(candidate.w, c, self.problem.alpha)
            if not len(entering):
                candidate.certified = True
                return self.fit(candidate, c, previous.largest_alpha)
            narrow = np.union1d(self.near(candidate.w, c), entering)
            self._run(candidate, narrow, tol)
            if not candidate.w[entering].any():  # it ended where it began
                tol *= heuristics.FINER
        start = previous._replace(w=candidate.w, gradient=candidate.full_gradient)
        return Search.resume(self, start)

    def _settle(self, candidate: Candidate) -> bool:
        """Newton's method on the features with a weight, if it may work there."""
        support = np.flatnonzero(candidate.w)
        if not (len(support) and affordable(self.features, self.problem, len(support))):
            return False
        few, tol = self.features.columns(support, dtype=float), min(self.tol, heuristics.SETTLED)
        found = self.steps.settle(few, self.problem, candidate.w[support], tol)
        if found is None:
            return False
        candidate.w = np.zeros(len(candidate.wide))
        candidate.w[support], candidate.gradient = found.w, found.gradient
        candidate.Q = self.problem.neighbors(self.features, candidate.w)
        candidate.pull, candidate.objective = found.pull, found.objective
        candidate.n_iter += found.n_steps
        self.record(
            start=candidate.start,
            sigma=self.problem.sigma,
            alpha=self.problem.alpha,
            objective=found.objective,
            step=1.0,
            n_nonzero=len(support),
            gap=self.problem.gap(found.w, found.gradient),
            residual=found.distance,
        )
        return True
