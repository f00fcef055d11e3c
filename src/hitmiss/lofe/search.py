"""The fixed point over very many features: working sets, several starts, a certificate.

Three nested sets of features: *narrow* (the non-zeros and those closest to entering), where the
iteration runs to convergence; *wide* (some hundreds, or everything if there are few features),
where it begins and where violators of the optimality condition are looked for first; and *all*,
visited to choose the wide set and to certify the result. Whatever violates the condition joins
the sets, so a zero weight may always return.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.mixing import Mixing
from hitmiss.lofe.problem import Fit, Problem
from hitmiss.lofe.starts import gradient, top
from hitmiss.lofe.steps import PLAIN_STEPS, Steps
from hitmiss.lofe.variations import lower_weights
from hitmiss.neighbors.pairs import AllPairs


class Candidate:
    """The search from one start: its wide set, the weights on it, and its state."""

    def __init__(self, start: int, wide: NDArray, w: NDArray):
        self.start, self.wide, self.w = start, wide, w
        self.mixing = Mixing()  # of the iterations on any of its features
        self.gradient = np.empty(0)  # of the wide set, once known
        self.full_gradient = np.empty(0)  # of all features, when last checked
        self.margins: NDArray | None = None  # mean margins of all features, if taken then
        self.Q: Any = None
        self.pull = np.empty(0)
        self.objective, self.step, self.n_iter = np.inf, 1.0, 0
        self.settled = False  # a fixed point on the wide set
        self.certified = False  # and on all features

    def settle(self, index: NDArray, found: Iteration) -> None:
        """Take over the result of an iteration on some features of the wide set."""
        point = found.point
        self.w = np.zeros(len(self.wide))
        self.w[index] = point.w
        self.Q, self.pull, self.objective = point.Q, point.pull, point.objective
        self.step = found.step
        self.n_iter += found.n_iter

    def spread(self, n_features: int) -> NDArray:
        """The weights of all features."""
        w = np.zeros(n_features)
        w[self.wide] = self.w
        return w


class Search:
    """The search for the certified fixed point of lowest objective.

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
        if weaker and self._unexplained(pending):
            pending += self._from_weaker(weaker, lowest(pending))
        return self._finish(pending, largest_alpha=float(first.max()))

    def _candidates(
        self, starts: Sequence[float | NDArray], first: NDArray, *, explore: bool, vary: bool
    ) -> list[Candidate]:
        """Where the starts lead, and others where these do not explain much; none is certified."""
        found = [self._candidate(k, start, first[k]) for k, start in enumerate(starts)]
        for candidate in found:
            self._work(candidate, self.problem)
        if explore and not lowest(found).settled:
            found.append(self._sparse(len(starts), starts[0], first[0]))
        if explore and self._unexplained(found):
            found.append(self._sharp(len(starts) + 1, lowest(found)))
        if explore and self._unexplained(found):
            found += self._pruned(len(starts) + 2, first[-1])
        if explore and self._unexplained(found):
            found += self._from_parts(len(starts) + 2, first[-1])
        if vary and self.problem.sigma <= heuristics.NARROW_KERNEL:
            found += self._varied(len(starts) + 3, found)
        return found

    def _from_weaker(self, shares: Sequence[float], best: Candidate) -> list[Candidate]:
        """Start from what explains much at a share of the penalty, if anything does.

        Features that make sense only together may be lost on the way from the starts to a strong
        penalty, at which they have a fixed point of far lower objective. What the best candidate
        so far has of them leads to the others.
        """
        self._check(best, self.problem)
        for share in shares:
            problem = self.problem.replaced(alpha=share * self.problem.alpha)
            candidate = Candidate(best.start, best.wide, best.w)
            self._work(candidate, problem)
            if candidate.objective <= heuristics.UNEXPLAINED * problem.null_objective:
                self._begin(candidate)
                return [candidate]
        return []

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
        self._work(candidate, self.problem)
        return candidate

    def _finish(self, pending: list[Candidate], largest_alpha: float) -> Fit:
        """Check and work on the candidate of lowest objective until one is certified."""
        finished: list[Candidate] = []
        while pending:
            best = lowest(pending)
            if any(other.certified and other.objective <= best.objective for other in finished):
                break
            self._check(best, self.problem)
            if best.certified or best.n_iter >= self.max_iter:
                pending.remove(best)
                finished.append(best)
            else:
                self._work(best, self.problem)
        best = lowest([other for other in finished if other.certified] or finished)
        return self._answer(best, largest_alpha)

    def first_gradients(self, starts: Sequence[float | NDArray]) -> NDArray:
        """Gradient of every feature at w = 0, with the neighbors of each start."""
        return self.steps.first_gradients(self.features, self.problem, starts)

    def _candidate(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        everything = len(c) * self.features.n_samples**2 <= heuristics.EVERYTHING
        wide = np.arange(len(c)) if everything else top(c, heuristics.WIDE)
        if not np.ndim(start):
            return Candidate(k, wide, np.full(len(wide), float(start)))
        w = np.asarray(start, float)
        if not everything:
            wide = np.union1d(wide, top(w, heuristics.WIDE))
        return Candidate(k, wide, w[wide])

    def _sparse(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        """Start from the fixed point of a stronger penalty, which few features survive."""
        candidate, alpha = self._candidate(k, start, c), self.problem.alpha
        stronger = min(heuristics.SPARSER * alpha, heuristics.SURVIVED * c.max())
        problem = self.problem.replaced(alpha=max(alpha, stronger))
        for _ in range(heuristics.SPARSE_ROUNDS):
            self._work(candidate, problem)
            self._check(candidate, problem)
            if candidate.certified:
                break
        self._begin(candidate)
        return candidate

    def _sharp(self, k: int, best: Candidate) -> Candidate:
        """Start from where more local neighbors lead the best candidate so far."""
        w = best.w if best.w.any() else np.ones(len(best.w))
        candidate = Candidate(k, best.wide, w)
        problem = self.problem.replaced(sigma=self.problem.sigma / heuristics.SHARPER)
        wide = self.features.columns(candidate.wide)
        self._iterate(candidate, problem, wide, max_iter=heuristics.WIDE_ITERATIONS)
        self._begin(candidate)
        return candidate

    def _pruned(self, k: int, c: NDArray) -> list[Candidate]:
        """Start from the few features left when the worst ones go, again and again.

        Among many features, those that make sense only together are hardly better than noise.
        With every round neighbors depend less on noise, and they stand out more. No candidates
        if there are so many samples that hardly a feature could be looked at, or if weights do
        not change the neighbors.
        """
        n, candidates = self.features.n_samples, []
        for share, n_values, n_pair_elements in heuristics.PRUNINGS:
            size = min(n_values // n, n_pair_elements // n**2)
            if size < 2 * heuristics.LEFT or np.isinf(self.problem.sigma):
                continue
            candidates.append(self._begun(k, c, top(c, size), share))
        return candidates

    def _from_parts(self, k: int, c: NDArray) -> list[Candidate]:
        """Start from the features that do best with the neighbors of a part of all features.

        Among so many features pruning may lose one of a pair in its first round. No candidates of
        few features, which pruning is for, or where the passes would take long.
        """
        n, finite = self.features.n_samples, not np.isinf(self.problem.sigma)
        many = heuristics.PART_FEATURES <= len(c) <= heuristics.PART_WORK // n**2
        scores = self.steps.part_scores
        if not (many and finite and scores and isinstance(self.problem.pairs, AllPairs)):
            return []
        score, share = scores(self.features, self.problem), heuristics.PRUNINGS[-1][0]
        candidates: list[Candidate] = []
        for size in heuristics.PART_BEST:
            candidates.append(self._begun(k, c, top(score, size), share))
            if not self._unexplained(candidates):
                break
        return candidates

    def _begun(self, k: int, c: NDArray, some: NDArray, share: float) -> Candidate:
        """Start from what pruning leaves of some features."""
        kept, weight = self.steps.prune(self.features, self.problem, some, share)
        wide = np.union1d(kept, top(c, heuristics.WIDE))
        candidate = Candidate(k, wide, np.isin(wide, kept) * weight)
        self._begin(candidate)
        return candidate

    def _varied(self, k: int, candidates: list[Candidate]) -> list[Candidate]:
        """Start from another support that leads lower than the best so far, if there is one."""
        found: list[Candidate] = []
        for _ in range(heuristics.VARIED_ROUNDS):
            best = lowest([*candidates, *found])
            near = top(best.gradient, heuristics.VARIED_FEATURES)
            some = np.union1d(np.flatnonzero(best.w), near)
            w = lower_weights(
                self.features.columns(best.wide[some]),
                self.problem,
                best.w[some],
                best.gradient[some],
                best.objective,
                self.steps,
            )
            if w is None:
                break
            found.append(Candidate(k, best.wide, np.zeros(len(best.wide))))
            found[-1].w[some] = w
            self._begin(found[-1])
        return found

    def _unexplained(self, candidates: list[Candidate]) -> bool:
        """Whether no candidate is much better than w = 0."""
        return lowest(candidates).objective > heuristics.UNEXPLAINED * self.problem.null_objective

    def _begin(self, candidate: Candidate) -> None:
        """Begin at the start that was found; the iterations that found it do not count."""
        candidate.n_iter, candidate.step, candidate.certified = 0, 1.0, False
        candidate.mixing = Mixing()
        self._work(candidate, self.problem)

    def _work(self, candidate: Candidate, problem: Problem) -> None:
        """A few iterations on the wide set; once the non-zeros are few, convergence."""
        wide = self.features.columns(candidate.wide)
        few = self.few if wide.n_features > self.few + heuristics.NARROW else 0
        found = self._iterate(
            candidate, problem, wide, max_iter=heuristics.WIDE_ITERATIONS, few=few
        )
        candidate.gradient = found.point.gradient
        candidate.settled = found.converged
        narrow, tol = np.empty(0, int), max(heuristics.LOOSE, self.tol)
        while np.count_nonzero(candidate.w) <= self.few and candidate.n_iter < self.max_iter:
            narrow = np.union1d(narrow, self._near(candidate.w, candidate.gradient))
            found = self._iterate(candidate, problem, wide, narrow, tol=tol)
            candidate.gradient = gradient(wide, candidate.Q, candidate.pull)
            entering = violators(candidate.w, candidate.gradient, problem.alpha)
            candidate.settled = found.converged and tol <= self.tol and not len(entering)
            if candidate.settled:
                return
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(narrow, entering)
            else:
                tol = finer(tol, self.tol)

    def _near(self, w: NDArray, c: NDArray, size: int = heuristics.NARROW) -> NDArray:
        """The non-zeros, and the features of largest gradient; where samples are many, of others.

        The gradient of the non-zeros is about as large as any, and they are more than a few there.
        """
        near = top(np.where(w > 0, -np.inf, c) if self.mix else c, size)
        return np.union1d(np.flatnonzero(w), near)

    def _iterate(
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

    def _check(self, candidate: Candidate, problem: Problem) -> None:
        """Look for violators among all features: without any, the candidate is certified.

        The non-zeros and the features of largest gradient are its new wide set.
        """
        if len(candidate.wide) == self.features.n_features:
            candidate.certified, candidate.full_gradient = candidate.settled, candidate.gradient
            return
        c = self._look(candidate, last=candidate.settled)
        w = candidate.spread(len(c))
        candidate.certified = candidate.settled and not len(violators(w, c, problem.alpha))
        candidate.full_gradient = c
        candidate.wide = np.union1d(np.flatnonzero(w), top(c, heuristics.WIDE))
        candidate.w, candidate.gradient = w[candidate.wide], c[candidate.wide]

    def _look(self, candidate: Candidate, *, last: bool) -> NDArray:
        """The gradient of all features; where it may be the `last` look, the mean margins, too."""
        Q, pull, candidate.margins = candidate.Q, candidate.pull, None
        if not (last and self.margins):
            return self.steps.gradient(self.features, Q, pull)
        share = self.problem.share
        c, candidate.margins = self.steps.gradient_and_margins(self.features, Q, pull, share)
        return c

    def _answer(self, candidate: Candidate, largest_alpha: float) -> Fit:
        """The answer at a candidate that was checked last."""
        w, c = candidate.spread(self.features.n_features), candidate.full_gradient.copy()
        # The equalities of the non-zeros are checked in double precision: rounding shows there.
        support = np.flatnonzero(w)
        exact = self.features.columns(support, dtype=float)
        c[support] = gradient(exact, candidate.Q, candidate.pull)
        return self._fit(candidate, c, largest_alpha)

    def _fit(self, candidate: Candidate, c: NDArray, largest_alpha: float) -> Fit:
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


def lowest(candidates: list[Candidate]) -> Candidate:
    """The candidate of lowest objective; the earliest of those that agree up to rounding."""
    least = min(candidate.objective for candidate in candidates)
    return next(c for c in candidates if c.objective <= least * (1 + heuristics.SAME_OBJECTIVE))


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


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient exceeds alpha.

    Parameters
    ----------
    w : ndarray of shape (n_features,)
        Weights.
    c : ndarray of shape (n_features,)
        Gradients.
    alpha : float
        Strength of the penalty.
    """
    return np.flatnonzero((w == 0) & (c > (1 + heuristics.SLACK) * alpha))
