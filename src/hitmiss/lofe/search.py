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

from hitmiss.data.in_memory import Blocks
from hitmiss.lofe.fixed_point import Outcome, iterate
from hitmiss.lofe.problem import FixedPoint, Problem, optimality_gap
from hitmiss.lofe.steps import Recall, State, afresh

EVERYTHING = 1 << 27  # the wide set is everything up to so many pair-elements in an iteration
WIDE = 512
NARROW = 64  # candidates beside the non-zeros
FEW = 64  # non-zeros with which the narrow phase begins
WIDE_ITERATIONS = 6
LOOSE = 1e-2  # tolerance on the narrow set while violators may still join it
SLACK = 1e-4  # relative excess of the gradient over alpha that makes a zero weight a violator
UNEXPLAINED = 0.85  # share of the objective of w = 0 above which a sharper start is tried
SHARPER = 4.0  # how much narrower the kernel is that finds the sharp start
SPARSER = 8.0  # how much stronger the penalty is that finds the sparse start
SURVIVED = 0.7  # share of the largest first gradient that it may not exceed
SPARSE_ROUNDS = 5
# Share of the features that every round of pruning keeps, and of how many values and how many
# pair-elements it begins at most: quick for many features, careful for few.
PRUNINGS = ((0.3, 1 << 21, 1 << 32), (0.75, 1 << 20, 1 << 31))
LEFT = 8  # features that pruning leaves
LOCAL = 1.0  # standard deviation of the distances while pruning, in widths of the kernel
MEASURED = 1000  # samples, at most, whose distances tell that deviation


class Candidate:
    """The way from one start: its wide set, its weights on it, and where it stands."""

    def __init__(self, start: int, wide: NDArray, w: NDArray):
        self.start, self.wide, self.w = start, wide, w
        self.gradient = np.empty(0)  # of the wide set, once known
        self.full_gradient = np.empty(0)  # of all features, when last checked
        self.Q: Any = None
        self.pull = np.empty(0)
        self.objective, self.step, self.n_iter = np.inf, 1.0, 0
        self.settled = False  # a fixed point on the wide set
        self.certified = False  # and on all features

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
    recall : callable
        Does a step, or remembers what it found.
    """

    def __init__(
        self,
        blocks: Blocks,
        problem: Problem,
        *,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
        recall: Recall = afresh,
    ):
        self.blocks, self.problem, self.record, self.recall = blocks, problem, record, recall
        self.tol, self.max_iter = tol, max_iter

    def run(
        self,
        starts: Sequence[float | NDArray],
        *,
        explore: bool = False,
        first: NDArray | None = None,
    ) -> FixedPoint:
        """Follow the starts; always check, and work on, the one of lowest objective.

        A start is left where it is once another is certified at a lower objective than it has
        reached so far.

        Parameters
        ----------
        starts : sequence of float or ndarray of shape (n_features,)
            Weights to start from; a number stands for uniform weights.
        explore : bool
            Whether to add starts of our own where these do not lead far: one from a stronger
            penalty (number ``len(starts)``), one from a narrower kernel (the number after), one
            from what is left when the worst features go, again and again, quickly or with care.
        first : ndarray of shape (n_starts, n_features), optional
            What `first_gradients` says of the starts, if known.
        """
        first = self.first_gradients(starts) if first is None else first
        pending = [self._candidate(k, start, first[k]) for k, start in enumerate(starts)]
        for candidate in pending:
            self._work(candidate, self.problem)
        if explore and not lowest(pending).settled:
            pending.append(self._sparse(len(starts), starts[0], first[0]))
        if explore and self._unexplained(pending):
            pending.append(self._sharp(len(starts) + 1, lowest(pending)))
        if explore and self._unexplained(pending):
            pending += self._pruned(len(starts) + 2, first[-1])
        return self._finish(pending, largest_alpha=float(first.max()))

    def resume(self, previous: FixedPoint) -> FixedPoint:
        """Go on from the answer to a similar problem on the same data."""
        wide = np.union1d(np.flatnonzero(previous.w), top(previous.gradient, WIDE))
        candidate = Candidate(previous.start, wide, previous.w[wide])
        candidate.gradient = previous.gradient[wide]
        self._work(candidate, self.problem)
        return self._finish([candidate], previous.largest_alpha)

    def _finish(self, pending: list[Candidate], largest_alpha: float) -> FixedPoint:
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
        """Gradient of every feature at w = 0, with the neighbors of each start.

        All uniform starts share one pass over the data for the distances.
        """
        return self.recall("first", lambda: {"c": self._first_gradients(starts)})["c"]

    def _first_gradients(self, starts: Sequence[float | NDArray]) -> NDArray:
        pull = self.problem.pull(np.zeros(self.blocks.n_samples))
        found = self.blocks.starting_neighbors(starts, self.problem.y, self.problem.sigma)
        return self.blocks.pulled_sums((Q, pull) for Q in found)

    def _candidate(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        everything = len(c) * self.blocks.n_samples**2 <= EVERYTHING
        wide = np.arange(len(c)) if everything else top(c, WIDE)
        if not np.ndim(start):
            return Candidate(k, wide, np.full(len(wide), float(start)))
        w = np.asarray(start, float)
        if not everything:
            wide = np.union1d(wide, top(w, WIDE))
        return Candidate(k, wide, w[wide])

    def _sparse(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        """Start from the fixed point of a stronger penalty, which few features survive."""
        candidate, alpha = self._candidate(k, start, c), self.problem.alpha
        problem = self.problem.replaced(alpha=max(alpha, min(SPARSER * alpha, SURVIVED * c.max())))
        for _ in range(SPARSE_ROUNDS):
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
        problem = self.problem.replaced(sigma=self.problem.sigma / SHARPER)
        wide = self.blocks.columns(candidate.wide)
        self._iterate(candidate, problem, wide, max_iter=WIDE_ITERATIONS)
        self._begin(candidate)
        return candidate

    def _pruned(self, k: int, c: NDArray) -> list[Candidate]:
        """Start from the few features left when the worst ones go, again and again.

        Among many features, those that make sense only together are hardly better than noise.
        With every round neighbors depend less on noise, and they stand out more. No candidates
        if there are so many samples that hardly a feature could be looked at, or if weights do
        not change the neighbors.
        """
        n, candidates = self.blocks.n_samples, []
        for share, n_values, n_pair_elements in PRUNINGS:
            size = min(n_values // n, n_pair_elements // n**2)
            if size < 2 * LEFT or np.isinf(self.problem.sigma):
                continue
            kept, weight = self._prune(top(c, size), share)
            wide = np.union1d(kept, top(c, WIDE))
            candidates.append(Candidate(k, wide, np.isin(wide, kept) * weight))
            self._begin(candidates[-1])
        return candidates

    def _prune(self, kept: NDArray, share: float) -> tuple[NDArray, float]:
        """The features left of these, and the weight with which they tell neighbors apart."""

        def prune() -> State:
            left, some = kept, self.blocks.columns(kept)
            pull = self.problem.pull(np.zeros(self.blocks.n_samples))
            while len(left) > LEFT:
                w = np.full(len(left), LOCAL / spread(some))
                Q = some.soft_neighbors(w, self.problem.y, 1.0)
                better = top(some.pulled_sums([(Q, pull)])[0], max(int(share * len(left)), LEFT))
                left, some = left[better], some.columns(better)
            return {"left": left, "weight": np.array(LOCAL * self.problem.sigma / spread(some))}

        found = self.recall("pruned", prune)
        return found["left"], float(found["weight"])

    def _unexplained(self, candidates: list[Candidate]) -> bool:
        """Whether no candidate is much better than w = 0."""
        return lowest(candidates).objective > UNEXPLAINED * self.problem.null_objective

    def _begin(self, candidate: Candidate) -> None:
        """The candidate has only looked for its start so far; now it begins."""
        candidate.n_iter, candidate.step, candidate.certified = 0, 1.0, False
        self._work(candidate, self.problem)

    def _work(self, candidate: Candidate, problem: Problem) -> None:
        """A few iterations on the wide set; once the non-zeros are few, convergence."""
        wide = self.blocks.columns(candidate.wide)
        few = FEW if wide.n_features > FEW + NARROW else 0
        outcome = self._iterate(candidate, problem, wide, max_iter=WIDE_ITERATIONS, few=few)
        candidate.gradient = outcome.point.gradient
        candidate.settled = outcome.converged
        narrow, tol = np.empty(0, int), LOOSE
        while np.count_nonzero(candidate.w) <= FEW and candidate.n_iter < self.max_iter:
            narrow = np.union1d(narrow, np.flatnonzero(candidate.w))
            narrow = np.union1d(narrow, top(candidate.gradient, NARROW))
            outcome = self._iterate(candidate, problem, wide, narrow, tol=tol)
            candidate.gradient = wide.pulled_sums([(candidate.Q, candidate.pull)])[0]
            entering = violators(candidate.w, candidate.gradient, problem.alpha)
            candidate.settled = outcome.converged and tol <= self.tol and not len(entering)
            if candidate.settled:
                return
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(narrow, entering)
            else:
                tol = self.tol

    def _iterate(
        self,
        candidate: Candidate,
        problem: Problem,
        wide: Blocks,
        narrow: NDArray | None = None,
        *,
        tol: float | None = None,
        max_iter: int | None = None,
        few: int = -1,
    ) -> Outcome:
        """Iterate on the wide set, or on its features `narrow`, and store where that ended.

        It ends early when at most `few` weights are not zero.
        """
        index = np.arange(wide.n_features) if narrow is None else narrow
        left = max(self.max_iter - candidate.n_iter, 1)
        outcome = iterate(
            wide if narrow is None else wide.columns(narrow),
            problem,
            candidate.w[index],
            tol=self.tol if tol is None else max(tol, self.tol),
            max_iter=left if max_iter is None else min(left, max_iter),
            step=min(candidate.step, 1.0),
            record=lambda **row: self.record(
                start=candidate.start, sigma=problem.sigma, alpha=problem.alpha, **row
            ),
            enough=lambda w: bool(np.count_nonzero(w) <= few),
            recall=self.recall,
        )
        point = outcome.point
        candidate.w = np.zeros(len(candidate.wide))
        candidate.w[index] = point.w
        candidate.Q, candidate.pull, candidate.objective = point.Q, point.pull, point.objective
        candidate.step = outcome.step
        candidate.n_iter += outcome.n_iter
        return outcome

    def _check(self, candidate: Candidate, problem: Problem) -> None:
        """Look for violators among all features: without any, the candidate is certified.

        The non-zeros and the features of largest gradient are its new wide set.
        """
        if len(candidate.wide) == self.blocks.n_features:
            candidate.certified, candidate.full_gradient = candidate.settled, candidate.gradient
            return
        point = candidate.Q, candidate.pull
        c = self.recall("gradient", lambda: {"c": self.blocks.pulled_sums([point])[0]})["c"]
        w = candidate.spread(len(c))
        candidate.certified = candidate.settled and not len(violators(w, c, problem.alpha))
        candidate.full_gradient = c
        candidate.wide = np.union1d(np.flatnonzero(w), top(c, WIDE))
        candidate.w, candidate.gradient = w[candidate.wide], c[candidate.wide]

    def _answer(self, candidate: Candidate, largest_alpha: float) -> FixedPoint:
        """The answer at a candidate that was checked last."""
        w, c = candidate.spread(self.blocks.n_features), candidate.full_gradient.copy()
        # The equalities of the non-zeros are checked in double precision: rounding shows there.
        support = np.flatnonzero(w)
        exact = self.blocks.columns(support, dtype=float)
        c[support] = exact.pulled_sums([(candidate.Q, candidate.pull)])[0]
        return FixedPoint(
            w=w,
            gradient=c,
            gap=optimality_gap(w, c, self.problem.alpha),
            objective=candidate.objective,
            n_iter=candidate.n_iter,
            converged=candidate.certified,
            start=candidate.start,
            largest_alpha=largest_alpha,
        )


def lowest(candidates: list[Candidate]) -> Candidate:
    """The candidate of lowest objective; the earliest of those that agree up to rounding."""
    least = min(candidate.objective for candidate in candidates)
    return next(c for c in candidates if c.objective <= least * (1 + 1e-6))


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])


def spread(blocks: Blocks) -> float:
    """Standard deviation of the distances under unit weights; 1 if there is none."""
    some = Blocks(blocks.X[:: -(-blocks.n_samples // MEASURED)], blocks.workers)
    distances = some.distances(np.ones(some.n_features))
    found = float(distances[np.triu_indices(some.n_samples, 1)].std(dtype=float))
    return found if found > 0 else 1.0


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient exceeds alpha."""
    return np.flatnonzero((w == 0) & (c > (1 + SLACK) * alpha))
