"""Fixed points for many strengths of the penalty, and the one the evidence prefers."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks
from hitmiss.data.row_tiles import PER_VALUE
from hitmiss.lofe.evidence import (
    Evidence,
    best_alpha,
    bound_evidence,
    local_evidence,
    stronger_alphas,
)
from hitmiss.lofe.problem import FixedPoint, Problem, evaluate, optimality_gap
from hitmiss.lofe.search import Search
from hitmiss.lofe.steps import Recall, afresh

SAME = 1e-6  # relative difference of two objectives that tells them apart
ACCURACY = 0.01  # relative, of the alpha that the evidence prefers
BEGIN = 1.0  # an alpha of the grid that is looked at first
STRIDE = 2.0  # factor between its neighbors
N_STRIDES = 12
ROUGH = 1e-2  # tolerance of the fixed point of some samples, from which all go on
DOUBT = 3.32  # less log evidence than this does not tell two alphas apart (99 %)


class Solver:
    """Fixed points of one set of data for any sigma and alpha.

    Parameters
    ----------
    blocks : Blocks
        All features.
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    starts : sequence of float or ndarray
        Weights to start from, as in `Search.run`.
    explore : bool
        Whether to add starts where these do not lead far.
    tol, max_iter, record, recall
        As in `Search`.
    """

    def __init__(
        self,
        blocks: Blocks,
        y: NDArray,
        starts: Sequence[float | NDArray],
        *,
        explore: bool,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
        recall: Recall = afresh,
    ):
        self.blocks, self.y, self.starts, self.explore = blocks, y, starts, explore
        self.tol, self.max_iter, self.record, self.recall = tol, max_iter, record, recall
        self._first: dict[float, NDArray] = {}

    def solve(self, sigma: float, alpha: float) -> FixedPoint:
        """The fixed point of lowest objective from all starts.

        Of very many samples the starts are followed with some, and the end of that with all; only
        where this does not lead to a fixed point with weights, the starts are followed with all.
        """
        quick = self._solve_by_sample(sigma, alpha)
        if quick is not None and ((quick.converged and quick.w.any()) or not self._all_fit):
            return quick
        both = [self._run(sigma, alpha, explore=self.explore), *([] if quick is None else [quick])]
        return min(both, key=lambda found: (not found.converged, found.objective))

    def follow(self, sigma: float, alpha: float, previous: FixedPoint) -> FixedPoint:
        """The fixed point that the previous one leads to; from the starts if it leads nowhere."""
        if previous.w.any() or previous.gradient.max() > alpha:
            return self._search(sigma, alpha).resume(previous)
        if self._sample is not None:
            return self.solve(sigma, alpha)
        return self._run(sigma, alpha, explore=False)

    def largest_alpha(self, sigma: float) -> float:
        """The smallest alpha at which every start leads to zero at once.

        Of very many samples, as some of them say.
        """
        if self._sample is not None:
            return self._sample.largest_alpha(sigma) * len(self.y) / len(self._sample.y)
        return float(self._first_gradients(sigma).max())

    def path(self, sigma: float, alphas: NDArray) -> list[FixedPoint]:
        """Fixed points for decreasing alphas, each leading to the next.

        Where several fixed points exist, the way down may stay with one that is no longer the
        lowest. So the middle one is searched for from all starts as well; if that is lower, it is
        followed in both directions for as long as it stays lower.
        """
        largest = self.largest_alpha(sigma)
        below = np.flatnonzero(alphas < largest)
        found = [self._zero(alpha, largest) for alpha in alphas]
        for k in below.tolist():
            found[k] = self.follow(sigma, alphas[k], found[max(k - 1, 0)])
        if len(below):
            middle = int(below[len(below) // 2])
            other = self.solve(sigma, alphas[middle])
            if _lower(other, found[middle]):
                found[middle] = other
                self._replace(found, other, sigma, alphas, range(middle + 1, len(alphas)))
                self._replace(found, other, sigma, alphas, range(middle - 1, below[0] - 1, -1))
        return found

    def _run(self, sigma: float, alpha: float, *, explore: bool) -> FixedPoint:
        first = self._first_gradients(sigma)
        return self._search(sigma, alpha).run(self.starts, explore=explore, first=first)

    def _replace(
        self, found: list[FixedPoint], other: FixedPoint, sigma: float, alphas: NDArray, way: range
    ) -> None:
        """Follow another fixed point for as long as it is lower than those found."""
        for k in way:
            other = self.follow(sigma, alphas[k], other)
            if not _lower(other, found[k]):
                return
            found[k] = other

    def _zero(self, alpha: float, largest_alpha: float) -> FixedPoint:
        """The fixed point w = 0 of a penalty too strong for any other."""
        w, problem = np.zeros(self.blocks.n_features), Problem(self.y, 1.0, alpha)
        return FixedPoint(
            w=w,
            gradient=self._gradient_at_zero,
            gap=optimality_gap(w, self._gradient_at_zero, alpha),
            objective=problem.null_objective,
            n_iter=0,
            converged=True,
            start=0,
            largest_alpha=largest_alpha,
        )

    @property
    def _all_fit(self) -> bool:
        """Whether there is room for all samples with weights for all features."""
        n_values = self.blocks.n_samples * self.blocks.n_features
        return self.blocks.fits(PER_VALUE * n_values * self.blocks.dtype.itemsize)

    def _solve_by_sample(self, sigma: float, alpha: float) -> FixedPoint | None:
        """The fixed point of all samples that the one of some leads to.

        None if that has no weights, and there is room to follow the starts with all samples.
        """
        if self._sample is None:
            return None
        share = len(self._sample.y) / len(self.y)
        found = self._sample.solve(sigma, alpha * share)
        if not found.w.any() and self._all_fit:
            return None
        found = found._replace(
            gradient=found.gradient / share, largest_alpha=found.largest_alpha / share
        )
        if not found.w.any():
            found = self._zero(alpha, found.largest_alpha)
            if found.gradient.max() <= alpha:
                return found
        return self._search(sigma, alpha).resume(found)

    @cached_property
    def _sample(self) -> "Solver | None":
        """The solver of some of the samples, if these are very many and no start is given."""
        given = any(np.ndim(start) for start in self.starts)
        thinned = None if given else self.blocks.thinned(self.y)
        if thinned is None:
            return None
        blocks, rows = thinned
        return Solver(
            blocks,
            self.y[rows],
            self.starts,
            explore=self.explore,
            tol=max(self.tol, ROUGH),
            max_iter=self.max_iter,
            record=self.record,
            recall=self.recall,
        )

    @cached_property
    def _gradient_at_zero(self) -> NDArray:
        """The same for every sigma and alpha: without weights all samples are equally near."""
        Q = self.blocks.soft_neighbors(np.zeros(self.blocks.n_features), self.y, 1.0)
        pull = Problem(self.y, 1.0, 1.0).pull(np.zeros(len(self.y)))
        return self.blocks.pulled_sums([(Q, pull)])[0]

    def _first_gradients(self, sigma: float) -> NDArray:
        if sigma not in self._first:
            self._first = {sigma: self._search(sigma, 1.0).first_gradients(self.starts)}
        return self._first[sigma]

    def _search(self, sigma: float, alpha: float) -> Search:
        problem = Problem(self.y, float(sigma), float(alpha))
        return Search(
            self.blocks,
            problem,
            tol=self.tol,
            max_iter=self.max_iter,
            record=self.record,
            recall=self.recall,
        )


def _lower(one: FixedPoint, other: FixedPoint) -> bool:
    return one.objective < other.objective * (1 - SAME)


class Tuned(NamedTuple):
    """A strength, the fixed point there, and what the data say about it."""

    alpha: float
    found: FixedPoint
    evidence: Evidence


def given(alpha: float, found: FixedPoint) -> Tuned:
    """A strength that was given, so that nobody asked for its evidence."""
    return Tuned(alpha, found, Evidence(np.nan, np.nan, 0))


def by_evidence(solver: Solver, sigma: float, kind: str, begin: float = BEGIN) -> Tuned:
    """Tune alpha by its evidence.

    The evidence may have several maxima, since a feature or two may make sense together only. So
    a coarse grid is looked at first, then the surroundings of its best point.

    Parameters
    ----------
    solver : Solver
        Of the data.
    sigma : float
        Kernel width.
    kind : {"evidence", "bound"}
        Local evidence, or the paper's bound.
    begin : float
        A point of the grid.

    Returns
    -------
    Tuned
        By local evidence the strongest penalty that is not worse than the best one beyond doubt,
        by the bound the best one.
    """

    def weighed(alpha: float, found: FixedPoint) -> Tuned:
        problem = Problem(solver.y, sigma, alpha)
        if kind == "evidence":
            said = solver.recall(
                "evidence",
                lambda: {"said": np.array(local_evidence(solver.blocks, problem, found.w))},
            )
            log_evidence, slope, n_improper = said["said"].tolist()
            return Tuned(alpha, found, Evidence(log_evidence, slope, int(n_improper)))
        Z = evaluate(solver.blocks, problem, found.w).Z.astype(float)
        return Tuned(alpha, found, bound_evidence(Z[problem.has_hit], alpha)[0])

    largest = solver.largest_alpha(sigma)
    rough = _best_of_grid(lambda a: weighed(a, solver.solve(sigma, a)), begin, largest)
    if not rough.found.w.any():
        return rough

    def slope(alpha: float) -> float:
        return weighed(alpha, solver.follow(sigma, alpha, rough.found)).evidence.slope

    best = best_alpha(slope, rough.alpha, STRIDE, ACCURACY)
    answer = weighed(best, solver.solve(sigma, best))
    if kind == "evidence":
        for alpha in stronger_alphas(slope, best):
            stronger = weighed(alpha, solver.solve(sigma, alpha))
            if answer.evidence.log_evidence - stronger.evidence.log_evidence < DOUBT:
                return stronger
    return answer


def _best_of_grid(look: Callable[[float], Tuned], begin: float, largest: float) -> Tuned:
    """The point of largest evidence, from strong to weak penalties until it falls for good.

    If no penalty that leaves a weight is better than none at all being left, that is the answer.
    """
    if largest <= 0:
        return look(begin)
    first = np.floor(np.log(largest / begin) / np.log(STRIDE))
    seen: list[Tuned] = []
    for k in range(N_STRIDES):
        seen.append(look(begin * STRIDE ** (first - k)))
        best = int(np.argmax([tuned.evidence.log_evidence for tuned in seen]))
        falling = all(tuned.evidence.slope > 0 for tuned in seen[-2:])
        if best < len(seen) - 2 and falling and seen[-1].found.w.any():
            break
    nothing = look(largest)
    return max(nothing, seen[best], key=lambda tuned: tuned.evidence.log_evidence)
