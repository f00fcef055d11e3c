"""The fixed point over very many features: several starts, of which the lowest is certified."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.candidate import Candidate, lowest
from hitmiss.lofe.other_starts import from_weaker, other_starts, varied_starts
from hitmiss.lofe.problem import Fit
from hitmiss.lofe.starts import top
from hitmiss.lofe.working_sets import WorkingSets


class Search(WorkingSets):
    """The search for the certified fixed point of lowest objective.

    The parameters are those of `WorkingSets`.
    """

    def run(
        self,
        starts: Sequence[float | NDArray],
        *,
        explore: bool = False,
        vary: bool = False,
        weaker: Sequence[float] = (),
        first: NDArray | None = None,
    ) -> Fit:
        """Follow the starts; always check, and work on, the one of lowest objective.

        A start is abandoned once another is certified at a lower objective than it has
        reached so far.

        Parameters
        ----------
        starts : sequence of float or ndarray of shape (n_features,)
            Weights to start from; a number stands for uniform weights.
        explore : bool
            Whether to add other starts where these do not explain much: one from a stronger
            penalty (number ``len(starts)``), one from a narrower kernel (the number after), one
            from what is left when the worst features go, again and again, quickly or with care.
        vary : bool
            Whether to add starts from supports near the best so far, if the kernel is narrow.
        weaker : sequence of float
            Shares of the penalty: where nothing explains much, what does so at the first of these
            weaker ones is followed.
        first : ndarray of shape (n_starts, n_features), optional
            The `first_gradients` of the starts, if known.
        """
        first = self.first_gradients(starts) if first is None else first
        pending = self._candidates(starts, first, explore=explore, vary=vary)
        if weaker and self.unexplained(pending):
            pending += from_weaker(self, weaker, lowest(pending))
        return self._finish(pending, largest_alpha=float(first.max()))

    def _candidates(
        self, starts: Sequence[float | NDArray], first: NDArray, *, explore: bool, vary: bool
    ) -> list[Candidate]:
        """Where the starts lead, and other starts; none is certified."""
        found = [self.candidate(k, start, first[k]) for k, start in enumerate(starts)]
        for candidate in found:
            self.work(candidate, self.problem)
        if explore:
            found += other_starts(self, found, starts[0], first)
        if vary:
            found += varied_starts(self, len(starts) + 3, found)
        return found

    def resume(self, previous: Fit) -> Fit:
        """Go on from the answer to a similar problem on the same data."""
        return self._finish([self._resumed(previous)], previous.largest_alpha)

    def lets_in(self, previous: Fit) -> Fit | None:
        """Go on from the answer at a stronger penalty; None if that leads to no more features.

        Then all features are not looked at.
        """
        candidate = self._resumed(previous)
        if np.count_nonzero(candidate.w) <= np.count_nonzero(previous.w):
            return None
        return self._finish([candidate], previous.largest_alpha)

    def _resumed(self, previous: Fit) -> Candidate:
        wide = np.union1d(np.flatnonzero(previous.w), top(previous.gradient, heuristics.WIDE))
        candidate = Candidate(previous.start, wide, previous.w[wide])
        candidate.gradient = previous.gradient[wide]
        self.work(candidate, self.problem)
        return candidate

    def _finish(self, pending: list[Candidate], largest_alpha: float) -> Fit:
        """Check and work on the candidate of lowest objective until one is certified."""
        finished: list[Candidate] = []
        while pending:
            best = lowest(pending)
            if any(other.certified and other.objective <= best.objective for other in finished):
                break
            self.check(best, self.problem)
            if best.certified or best.n_iter >= self.max_iter:
                pending.remove(best)
                finished.append(best)
            else:
                self.work(best, self.problem)
        best = lowest([other for other in finished if other.certified] or finished)
        return self.answer(best, largest_alpha)

    def first_gradients(self, starts: Sequence[float | NDArray]) -> NDArray:
        """Gradient of every feature at w = 0, with the neighbors of each start."""
        return self.steps.first_gradients(self.features, self.problem, starts)
