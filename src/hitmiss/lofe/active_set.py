"""The certified fixed point of lowest objective over very many features.

All features are seen rarely, few are worked on. Three nested sets: the *narrow* set (the non-zeros
and the features nearest to entering), where the iteration runs to convergence; the *active* set
(some hundreds, or everything if there are few features), where it begins and where violators of
the optimality condition are looked for first; and all features, visited to choose the active set
and to certify the result. Whatever violates the condition joins the sets, so a zero weight may
always return.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features, Neighbors
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.fixed_point import Exact, Iterate, extrapolation, fixed_point
from hitmiss.lofe.problem import Fit, Point, Problem, evaluate, top, weighted_margins
from hitmiss.solvers.anderson import Anderson

EVERYTHING = 1 << 27  # pair-elements up to which the active set is everything
ACTIVE = 512  # features of the active set: convention
NARROW = 64  # candidates beside the non-zeros: as many as the solver lets in at once
FIRST_ITERATIONS = 6  # on the active set: on the spiral the non-zeros are few after 3 or 4
LOOSE = 1e-2  # tolerance on the narrow set while violators may still join it
FINER = 0.1  # factor of the tolerance while it leaves violators in the narrow set: convention
SLACK = 1e-4  # relative excess of the gradient that makes a zero weight a violator: float32 sums
SAME_OBJECTIVE = 1e-6  # relative difference up to which two objectives agree: that of the solver
UNEXPLAINED = 0.85  # share of the objective of w = 0 above which nothing much is explained


@dataclass(eq=False)  # one is itself alone
class Candidate:
    """The search from one start: its active set, the weights on it, and what is known there."""

    start: int
    active: NDArray  # features, ascending
    w: NDArray  # on the active set
    anderson: Anderson | None = None  # of its iterations, if these are extrapolated
    gradient: NDArray = field(default_factory=lambda: np.empty(0))  # on the active set
    full_gradient: NDArray = field(default_factory=lambda: np.empty(0))  # when last checked
    margins: NDArray | None = None  # mean margins of all features, if taken then
    Q: Neighbors = field(default_factory=lambda: np.empty((0, 0)))
    pull: NDArray = field(default_factory=lambda: np.empty(0))
    objective: float = np.inf
    step: float = 1.0
    n_iter: int = 0
    converged: bool = False  # on the active set
    certified: bool = False  # and over all features

    def of_all(self, n_features: int) -> NDArray:
        """The weights of all features."""
        w = np.zeros(n_features)
        w[self.active] = self.w
        return w


@dataclass
class Search:
    """One problem on one set of data, how it is evaluated, and what may be spent on it.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    evaluator : Exact
        Evaluates steps and gradients.
    tol : float
        Relative tolerance of the fixed point.
    max_iter : int
        Bound on the iterations from one start.
    record : callable
        Called after each iteration with what is known, by keyword.
    mean_margins : bool
        Whether the last pass over all features takes their mean margins, too.
    """

    features: Features
    problem: Problem
    evaluator: Exact
    tol: float
    max_iter: int
    record: Callable[..., None]
    mean_margins: bool = False

    def candidate(self, k: int, start: float | NDArray, c: NDArray) -> Candidate:
        """The candidate of start k, where the gradient at w = 0 is c."""
        everything = len(c) * self.features.n_samples**2 <= EVERYTHING
        active = np.arange(len(c)) if everything else top(c, ACTIVE)
        if not np.ndim(start):
            return Candidate(k, active, np.full(len(active), float(start)))
        w = np.asarray(start, float)
        if not everything:
            active = np.union1d(active, top(w, ACTIVE))
        return Candidate(k, active, w[active])

    def at(self, alpha: float) -> "Search":
        """The same search at another strength of the penalty."""
        return replace(self, problem=self.problem.replaced(alpha=alpha))

    def explains(self, candidate: Candidate) -> bool:
        """Whether a candidate is much better than w = 0."""
        return candidate.objective <= UNEXPLAINED * self.problem.null_objective

    def converge(self, candidate: Candidate) -> None:
        """A few iterations on the active set; once the non-zeros are few, convergence."""
        active, few = self.features.columns(candidate.active), self.evaluator.few
        # 1 Iterate on the whole active set, until few features have a weight.
        everything, narrow = np.arange(active.n_features), np.empty(0, int)
        enough = few if active.n_features > few + NARROW else 0
        found = self.iterate(
            candidate, active, everything, max_iter=FIRST_ITERATIONS, enough=enough
        )
        candidate.gradient = self.evaluate(candidate, active, found).gradient
        tol = max(LOOSE, self.tol)
        while np.count_nonzero(candidate.w) <= few and candidate.n_iter < self.max_iter:
            # 2 Iterate on these and the features nearest to entering.
            narrow = np.union1d(narrow, self.nearest(candidate.w, candidate.gradient))
            some = active.columns(narrow)
            found = self.iterate(candidate, some, narrow, tol=tol)
            self.evaluate(candidate, some, found)
            (candidate.gradient,) = weighted_margins(active, candidate.Q, candidate.pull)
            # 3 Let violators in; without any, ask for a finer tolerance, up to the one wanted.
            entering = violators(candidate.w, candidate.gradient, self.problem.alpha)
            candidate.converged = found.converged and tol <= self.tol and not len(entering)
            if candidate.converged:
                return
            if len(np.setdiff1d(entering, narrow)):
                narrow = np.union1d(narrow, entering)
            else:
                tol = finer(tol, self.tol)

    def nearest(self, w: NDArray, c: NDArray, size: int = NARROW) -> NDArray:
        """The non-zeros, and the features of largest gradient.

        With thousands of samples there are many non-zeros, whose gradient is about as large as
        any; then as many others.
        """
        near = top(np.where(w > 0, -np.inf, c) if self.evaluator.anderson else c, size)
        return np.union1d(np.flatnonzero(w), near)

    def iterate(
        self,
        candidate: Candidate,
        some: InMemory,
        index: NDArray,
        *,
        tol: float | None = None,
        max_iter: int | None = None,
        enough: int = -1,
    ) -> Iterate:
        """Move the candidate by iterations on some features, those at `index` of the active set.

        They end early when at most `enough` weights are not zero.
        """
        problem, anderson = self.problem, None
        left = self.max_iter - candidate.n_iter
        if self.evaluator.anderson:
            candidate.anderson = candidate.anderson or extrapolation()
            anderson = candidate.anderson.on(candidate.active[index])
        found = fixed_point(
            some,
            problem,
            candidate.w[index],
            self.evaluator,
            tol=self.tol if tol is None else tol,
            max_iter=max(left if max_iter is None else min(left, max_iter), 1),
            step=min(candidate.step, 1.0),
            record=lambda **row: self.record(
                start=candidate.start, sigma=problem.sigma, alpha=problem.alpha, **row
            ),
            enough=lambda w: bool(np.count_nonzero(w) <= enough),
            anderson=anderson,
        )
        candidate.w = np.zeros(len(candidate.active))
        candidate.w[index] = found.w
        candidate.objective, candidate.step = found.objective, found.step
        candidate.n_iter, candidate.converged = candidate.n_iter + found.n_iter, found.converged
        return found

    def evaluate(self, candidate: Candidate, some: InMemory, found: Iterate) -> Point:
        """The point where an iteration ended; exact, where the evaluator did not keep it."""
        point = evaluate(some, self.problem, found.w) if found.point is None else found.point
        candidate.Q, candidate.pull, candidate.objective = point.Q, point.pull, point.objective
        return point

    def check(self, candidate: Candidate) -> None:
        """Look for violators among all features: without any, the candidate is certified.

        The non-zeros and the features of largest gradient are its new active set.
        """
        if len(candidate.active) == self.features.n_features:
            candidate.certified, candidate.full_gradient = candidate.converged, candidate.gradient
            return
        c = self.gradient(candidate, last=candidate.converged)
        w = candidate.of_all(len(c))
        candidate.certified = candidate.converged and not len(violators(w, c, self.problem.alpha))
        candidate.full_gradient = c
        candidate.active = np.union1d(np.flatnonzero(w), top(c, ACTIVE))
        candidate.w, candidate.gradient = w[candidate.active], c[candidate.active]

    def gradient(self, candidate: Candidate, *, last: bool) -> NDArray:
        """The gradient of all features; in what may be the `last` pass, mean margins, too."""
        weights = [candidate.pull, self.problem.share][: 1 + (last and self.mean_margins)]
        c, *margins = self.evaluator.weighted_margins(self.features, candidate.Q, *weights)
        candidate.margins = margins[0] if margins else None
        return c

    def answer(self, candidate: Candidate, largest_alpha: float) -> Fit:
        """The answer at a candidate that was checked last.

        The equalities of the non-zeros are checked in double precision: rounding shows there.
        """
        w, c = candidate.of_all(self.features.n_features), candidate.full_gradient.copy()
        support = np.flatnonzero(w)
        exact = self.features.columns(support, dtype=float)
        (c[support],) = weighted_margins(exact, candidate.Q, candidate.pull)
        return self.fit(candidate, c, largest_alpha)

    def fit(self, candidate: Candidate, c: NDArray, largest_alpha: float) -> Fit:
        """The answer at a candidate, with the gradient of all features there."""
        w = candidate.of_all(self.features.n_features)
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


# From a search, its candidates so far, and the gradient of every feature at w = 0 (a row for each
# given start) to more candidates, none where enough is known. A start decides itself whether it is
# needed (`Search.explains`), puts weights on the active set of a `Candidate`, and converges it.
MoreStarts = Callable[[Search, list[Candidate], NDArray], list[Candidate]]


def solve(
    search: Search,
    starts: Sequence[float | NDArray],
    first: NDArray,
    more_starts: Sequence[MoreStarts] = (),
) -> Fit:
    """The certified fixed point of lowest objective.

    Parameters
    ----------
    search : Search
        The problem.
    starts : sequence of float or ndarray of shape (n_features,)
        Weights to start from; a number stands for uniform weights.
    first : ndarray of shape (n_starts, n_features)
        The gradient at w = 0 with the neighbors that each start defines.
    more_starts : sequence of callable
        Asked for more candidates, one after the other. They may have none, since enough is known.
    """
    # 1 Converge from each start on its active set, and from further ones where these are needed.
    candidates = [search.candidate(k, start, first[k]) for k, start in enumerate(starts)]
    for candidate in candidates:
        search.converge(candidate)
    for more in more_starts:
        candidates += more(search, candidates, first)
    return certify(search, candidates, largest_alpha=float(first.max()))


def certify(search: Search, candidates: list[Candidate], largest_alpha: float) -> Fit:
    """Check, and converge again, the candidate of lowest objective until one is certified."""
    finished: list[Candidate] = []
    while candidates:
        # 2 Go on with the lowest, unless one that is certified is lower: that is the answer.
        best = lowest(candidates)
        if any(other.certified and other.objective <= best.objective for other in finished):
            break
        # 3 Look at every feature once: the gradient at best.w, and who wants to enter.
        search.check(best)
        if best.certified or best.n_iter >= search.max_iter:
            # 4 Nobody does: w is a fixed point over all features, and the gradient certifies it. Or
            #   nothing is left to spend.
            candidates.remove(best)
            finished.append(best)
        else:
            # 5 Let them in, and converge again on the larger set; zeros may always come back.
            search.converge(best)
    best = lowest([other for other in finished if other.certified] or finished)
    return search.answer(best, largest_alpha)


def warm_start(search: Search, previous: Fit) -> Candidate:
    """Begin at the answer to a similar problem on the same data, and converge."""
    active = np.union1d(np.flatnonzero(previous.w), top(previous.gradient, ACTIVE))
    candidate = Candidate(previous.start, active, previous.w[active])
    search.converge(candidate)
    return candidate


def lowest(candidates: list[Candidate]) -> Candidate:
    """The candidate of lowest objective; the earliest of those that agree up to rounding."""
    least = min(candidate.objective for candidate in candidates)
    return next(c for c in candidates if c.objective <= least * (1 + SAME_OBJECTIVE))


def violators(w: NDArray, c: NDArray, alpha: float) -> NDArray:
    """Features of weight zero whose gradient c exceeds alpha."""
    return np.flatnonzero((w == 0) & (c > (1 + SLACK) * alpha))


def finer(tol: float, wanted: float) -> float:
    """The next tolerance: the one wanted, or where that left violators a finer one.

    Iterations at the same tolerance would end where they begin.
    """
    return wanted if tol > wanted else FINER * tol
