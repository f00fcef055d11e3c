"""Fixed points of one set of samples: from several starts, and warm from one another.

Two uniform starts, soft and ones, find what shows from afar. `STARTS` are asked in their order:
`sparse` where the lowest of these has not converged, the others while nothing explains y. Features
that make sense only together (XOR, parity, the spiral among 100,000) are hidden from uniform
weights by the noise of all others. docs/what-each-part-is-worth.md has each start with and without.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.features import Features, weighted_rows
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.active_set import (
    ACTIVE,
    SAME_OBJECTIVE,
    SLACK,
    UNEXPLAINED,
    Candidate,
    MoreStarts,
    Search,
    certify,
    lowest,
    solve,
    warm_start,
)
from hitmiss.lofe.fixed_point import EXACT, Exact
from hitmiss.lofe.problem import Fit, Problem, top, weighted_margins
from hitmiss.neighbors.pairs import AllPairs, Pairs

FURTHER_STARTS = ("sparse", "pruned", "restart")  # their names, after those that are given


def _number(name: str, first: NDArray) -> int:
    """The number of a further start in `history_` and `init_`."""
    return len(first) + FURTHER_STARTS.index(name)


STRONGER = 8.0  # how much stronger the penalty is that finds the sparse start
SURVIVED = 0.7  # share of the largest first gradient that it may not exceed, or nothing is left
SPARSE_ROUNDS = 5  # looks at all features that it may take; it need not be certified


def sparse(search: Search, candidates: list[Candidate], first: NDArray) -> list[Candidate]:
    """Start from the fixed point of a stronger penalty, where the lowest has not converged.

    Few features survive there, and among few the iteration does not cycle.
    """
    if lowest(candidates).converged:
        return []
    c, alpha = first[0], search.problem.alpha
    stronger = search.at(max(alpha, min(STRONGER * alpha, SURVIVED * c.max())))
    candidate = search.candidate(_number("sparse", first), len(c) ** -0.5, c)
    for _ in range(SPARSE_ROUNDS):
        stronger.converge(candidate)
        stronger.check(candidate)
        if candidate.certified:
            break
    found = Candidate(candidate.start, candidate.active, candidate.w)  # as if begun there
    search.converge(found)
    return [found]


# Share of the features that every round of pruning keeps, and of how many values and how many
# pair-elements it begins at most: quick for many features, careful for few.
PRUNINGS = ((0.3, 1 << 21, 1 << 32), (0.75, 1 << 20, 1 << 31))
LEFT = 8  # features that pruning leaves: a pair and some company, since noise may rank above it
LOCAL = 1.0  # standard deviation of the distances while pruning, in widths of the kernel
CANCELED = 8  # features, over those left, from whose distances those of others are subtracted: the
# rounding of the sum grows by as much in what is left of it
MEASURED = 1000  # samples, at most, whose distances give that deviation: half a million pairs


def pruned(search: Search, candidates: list[Candidate], first: NDArray) -> list[Candidate]:
    """Start from the few features left when the worst ones go, again and again.

    Among many features, those that make sense only together are hardly better than noise.
    With every round neighbors depend less on noise, and they stand out more. No candidates
    if there are so many samples that hardly a feature could be looked at, or if weights do
    not change the neighbors.
    """
    n, c, found = search.features.n_samples, first[-1], []
    if search.explains(lowest(candidates)):
        return []
    for share, n_values, n_pair_elements in PRUNINGS:
        size = min(n_values // n, n_pair_elements // n**2)
        if size < 2 * LEFT or np.isinf(search.problem.sigma):
            continue
        found.append(_begun(search, top(c, size), share, first))
    return found


def _begun(search: Search, some: NDArray, share: float, first: NDArray) -> Candidate:
    """Start from what pruning leaves of some features."""
    kept, weight = prune(search, some, share)
    active = np.union1d(kept, top(first[-1], ACTIVE))
    candidate = Candidate(_number("pruned", first), active, np.isin(active, kept) * weight)
    search.converge(candidate)
    return candidate


# Parts into which all features are dealt out, and the standard deviation of their distances, in
# widths of the kernel. Of XOR among 10,000 in 200 samples the pair has ranks 0 to 2 by the best of
# 16 parts in seven draws, also in one in which a feature of it has rank 9,700 with the neighbors of
# all features; with 4 parts, or a deviation of 1, up to 2,400.
PARTS, PART_LOCAL = 16, 2.0
# Features by the best part, of which pruning leaves a few, until these explain something. Of banana
# among 10,000 and 6,000, in four draws that pruning alone misses, 128 keep the pair in two, 512 in
# three and 1,024 in three, one of them each in all.
PART_BEST = (128, 512, 1024)
PART_FEATURES = 5000  # from which on: convention
PART_WORK = 1 << 33  # pair-elements of a pass, at most: 16 of them take half a minute


def from_parts(search: Search, candidates: list[Candidate], first: NDArray) -> list[Candidate]:
    """Start from the few features left of those that do best with the neighbors of a part of all.

    Among so many features pruning may lose one of a pair in its first round. So all features are
    dealt out to parts. The neighbors of a part depend on less noise than those of all, and one part
    holds the partner of a feature that makes sense only together with it. The score of a feature is
    its gradient at w = 0 over the standard deviation of that of all, the largest over the parts.
    """
    features, problem, c = search.features, search.problem, first[-1]
    many = PART_FEATURES <= len(c) <= PART_WORK // features.n_samples**2
    if not (many and problem.pairs.is_matrix) or np.isinf(problem.sigma):
        return []
    if search.explains(lowest(candidates)):
        return []
    order = np.random.default_rng(0).permutation(len(c))
    unit, score = problem.replaced(sigma=1.0), np.full(len(c), -np.inf)
    parts = [np.sort(order[k::PARTS]) for k in range(PARTS)]
    for k in range(0, PARTS, 2):  # two parts at a time are copied; two sums take one pass
        some = [features.columns(part) for part in parts[k : k + 2]]
        weights = [np.full(s.n_features, PART_LOCAL / spread(s)) for s in some]
        Qs = [unit.neighbors(s, w) for s, w in zip(some, weights, strict=True)]
        for gradient in features.sums([weighted_rows(Q, unit.first_pull) for Q in Qs]):
            score = np.maximum(score, gradient / (gradient.std() or 1.0))
    found: list[Candidate] = []
    for size in PART_BEST:
        found.append(_begun(search, top(score, size), PRUNINGS[-1][0], first))
        if search.explains(lowest(found)):
            break
    return found


# Shares of the penalty that are tried where the noise of all features is so strong that nothing
# explains much. Of the spiral among 100,000 and 300,000 features, three draws each, both features
# are found in three draws without them and in all with them; of 300 samples of it among 20,000 in
# none of four and in all; of 240 among 6,000 in none of eight, with 0.5 in one, with 0.3 as well in
# four.
WEAKER = (0.5, 0.3)


def from_weaker(search: Search, candidates: list[Candidate], first: NDArray) -> list[Candidate]:
    """Start from what explains much at a weaker penalty, if anything does.

    Features that make sense only together may be lost on the way from the starts to a strong
    penalty, at which they have a fixed point of far lower objective. What the best candidate
    so far has of them leads to the others.
    """
    best = lowest(candidates)
    if search.explains(best):
        return []
    search.check(best)
    for share in WEAKER:
        weaker = search.at(share * search.problem.alpha)
        candidate = Candidate(best.start, best.active, best.w)
        weaker.converge(candidate)
        if weaker.explains(candidate):
            found = Candidate(best.start, candidate.active, candidate.w)  # as if begun there
            search.converge(found)
            return [found]
    return []


STARTS: tuple[MoreStarts, ...] = (sparse, pruned, from_parts)  # of a fit that may choose its starts
QUICK_STARTS: tuple[MoreStarts, ...] = (
    sparse,
    pruned,
)  # of many fits, such as those of permuted labels
# Where the penalty is what noise reaches, which may be too strong for the other starts.
STARTS_BY_NOISE: tuple[MoreStarts, ...] = (from_weaker,)

RESTART_FEATURES = 8  # of largest gradient that take part, beside those with a weight: convention


def restarts(n: int) -> list[MoreStarts]:
    """Restarts from random supports near the best so far, always the same.

    With a narrow kernel few neighbors count, and a fixed point may lack a feature, or have one too
    many, that no start with weights for all features tells.
    """
    rng = np.random.default_rng(0)

    def restart(search: Search, candidates: list[Candidate], first: NDArray) -> list[Candidate]:
        if np.isinf(search.problem.sigma):  # weights do not change the neighbors
            return []
        best = lowest(candidates)
        near = np.union1d(np.flatnonzero(best.w), top(best.gradient, RESTART_FEATURES))
        chosen = near[rng.random(len(near)) < rng.choice([0.3, 0.6, 1.0])]
        if not len(chosen):
            chosen = rng.choice(near, 1)
        local = LOCAL * search.problem.sigma / spread(search.features.columns(best.active[chosen]))
        w = np.zeros(len(best.w))
        w[chosen] = local * 10 ** rng.uniform(0, 2) * rng.exponential(size=len(chosen))
        found = Candidate(_number("restart", first), best.active, w)
        search.converge(found)
        return [found]

    return [restart] * n


def prune(search: Search, kept: NDArray, share: float) -> tuple[NDArray, float]:
    """The features left when the worst ones go, again and again.

    Parameters
    ----------
    search : Search
        The problem.
    kept : ndarray of int
        The features to begin with.
    share : float
        Of the features that every round keeps.

    Returns
    -------
    left : ndarray of int
        Features.
    weight : float
        The uniform weight at which their neighbors are local.
    """
    pairs: Pairs
    problem, left, some = search.problem, kept, search.features.columns(kept)
    D = problem.pairs.unit  # of all features, if known: then it serves for every target
    n_left = n_summed = search.features.n_features  # whose distances D is, and was begun with
    while len(left) > LEFT:
        # 1 Distances under uniform weights, local: their standard deviation is a kernel width.
        if problem.pairs.is_matrix:
            if D is None or n_left != len(left):
                D, n_left, n_summed = _unit_distances(some), len(left), len(left)
            pairs, deviation = AllPairs(D), _deviation(D)
        else:
            pairs, deviation = problem.pairs, spread(some)
        # 2 The gradient at w = 0 with these neighbors, and the features where it is largest.
        (Q,) = pairs.soft_from(some, [LOCAL / deviation], problem.target, 1.0)
        (c,) = weighted_margins(some, Q, problem.first_pull)
        better = top(c, max(int(share * len(left)), LEFT))
        # 3 Subtract the distances of the others, if these are fewer and enough is left of the sum.
        n_gone = len(left) - len(better)
        if D is not None and n_gone <= len(better) and CANCELED * len(better) >= n_summed:
            gone = np.delete(np.arange(len(left)), better)
            D, n_left = D - _unit_distances(some.columns(gone)), len(better)
        left, some = left[better], some.columns(better)
    return left, LOCAL * problem.sigma / spread(some)


def spread(features: InMemory) -> float:
    """Standard deviation of the distances under unit weights; 1 if there is none."""
    step = -(-features.n_samples // MEASURED)
    some = InMemory(features.values[::step], features.workers, features.scaling.of_scaled())
    return _deviation(_unit_distances(some))


def _unit_distances(features: InMemory) -> NDArray:
    return features.distances(np.ones(features.n_features))


def _deviation(D: NDArray) -> float:
    """Standard deviation of the distances of so many samples as are measured."""
    step = -(-len(D) // MEASURED)
    some = D[::step, ::step]
    found = float(some[~np.tri(len(some), dtype=bool)].std(dtype=float))
    return found if found > 0 else 1.0


class FixedPoints:
    """Fixed points of one set of samples, for any kernel width and strength of the penalty.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved; its sigma and alpha are replaced by those asked for.
    starts : sequence of float or ndarray
        Weights to start from; a number stands for uniform weights.
    more_starts : sequence of callable
        Where these explain little; the given starts alone by default.
    n_init : int
        Restarts from random supports near the best.
    tol, max_iter, record, evaluator
        As in `Search`.
    mean_margins : bool
        Whether the last pass over all features takes their mean margins, too, wherever pairs of
        samples are in a matrix.
    """

    def __init__(
        self,
        features: Features,
        problem: Problem,
        starts: Sequence[float | NDArray],
        *,
        more_starts: Sequence[MoreStarts] = (),
        n_init: int = 0,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
        evaluator: Exact = EXACT,
        mean_margins: bool = False,
    ):
        self.features, self.problem, self.starts = features, problem, starts
        self.more_starts, self.n_init = more_starts, n_init
        self.tol, self.max_iter, self.record = tol, max_iter, record
        self.evaluator = self.rough_evaluator = evaluator  # the latter of some of the samples
        self.mean_margins = mean_margins and problem.pairs.is_matrix
        self.exchanges: Any = None  # of samples, where noise was measured; for any target
        self._first: dict[float, NDArray] = {}

    def search(self, sigma: float, alpha: float, evaluator: Exact | None = None) -> Search:
        """The search at a kernel width and a strength of the penalty."""
        return Search(
            self.features,
            self.problem.replaced(sigma=float(sigma), alpha=float(alpha)),
            self.evaluator if evaluator is None else evaluator,
            self.tol,
            self.max_iter,
            self.record,
            self.mean_margins,
        )

    def solve(self, sigma: float, alpha: float, also: Sequence[MoreStarts] = ()) -> Fit:
        """The fixed point of lowest objective from all starts, and perhaps from others, too."""
        search, first = self.search(sigma, alpha), self.first_gradients(sigma)
        return solve(search, self.starts, first, [*self.more_starts, *also, *restarts(self.n_init)])

    def follow(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """Warm start from a fit to the same data; from the given starts where it is zero."""
        if previous.w.any() or previous.gradient.max() > alpha:
            search = self.search(sigma, alpha)
            return certify(search, [warm_start(search, previous)], previous.largest_alpha)
        return solve(self.search(sigma, alpha), self.starts, self.first_gradients(sigma))

    def grown(self, sigma: float, alpha: float, previous: Fit) -> Fit | None:
        """Warm start from the fit at a stronger penalty; None if that has no more features.

        Then all features are not looked at.
        """
        search = self.search(sigma, alpha)
        candidate = warm_start(search, previous)
        if np.count_nonzero(candidate.w) <= np.count_nonzero(previous.w):
            return None
        return certify(search, [candidate], previous.largest_alpha)

    def path(self, sigma: float, alphas: NDArray) -> list[Fit]:
        """Fixed points for decreasing alphas, each a warm start of the next.

        Where several fixed points exist, the way down may stay with one that is no longer the
        lowest. So the middle one is searched for from all starts as well; if that is lower, it is
        followed in both directions for as long as it stays lower.
        """
        largest = self.largest_alpha(sigma)
        below = np.flatnonzero(alphas < largest)
        found = [self.zero(sigma, float(alpha), largest) for alpha in alphas]
        for k in below.tolist():
            found[k] = self.follow(sigma, alphas[k], found[max(k - 1, 0)])
        if len(below):
            k = int(below[len(below) // 2])
            other = self.solve(sigma, alphas[k])
            if lower(other, found[k]):
                found[k] = other
                self._replace(found, other, alphas, range(k + 1, len(alphas)))
                self._replace(found, other, alphas, range(k - 1, below[0] - 1, -1))
        return found

    def _replace(self, found: list[Fit], other: Fit, alphas: NDArray, way: range) -> None:
        """Follow another fixed point for as long as it is lower than those found."""
        for k in way:
            other = self.follow(other.sigma, alphas[k], other)
            if not lower(other, found[k]):
                return
            found[k] = other

    def zero(self, sigma: float, alpha: float, largest_alpha: float) -> Fit:
        """The point w = 0, a fixed point if the penalty is too strong for any other."""
        w, problem = np.zeros(self.features.n_features), self.problem.replaced(alpha=alpha)
        gap = problem.gap(w, self.gradient_at_zero)
        return Fit(
            w=w,
            gradient=self.gradient_at_zero,
            gap=gap,
            objective=problem.null_objective,
            n_iter=0,
            converged=gap <= SLACK,
            start=0,
            largest_alpha=largest_alpha,
            sigma=sigma,
            alpha=alpha,
        )

    def largest_alpha(self, sigma: float) -> float:
        """The smallest alpha at which every start leads to zero at once."""
        return float(self.first_gradients(sigma).max())

    def led_by_some(self, sigma: float) -> Any:
        """Fixed points of all samples that some of them lead to; None where all come first."""
        return None

    def is_poor(self, found: Fit) -> bool:
        """Whether a fixed point is not much better than w = 0."""
        problem = self.problem.replaced(alpha=found.alpha)
        return found.objective > UNEXPLAINED * problem.null_objective

    @property
    def fits(self) -> bool:
        """Whether there is room for all samples with weights for all features."""
        features = self.features
        n_bytes = features.dtype.itemsize * features.n_samples * features.n_features
        return sizes.PER_VALUE * n_bytes <= features.room

    @property
    def samples_fit(self) -> bool:
        """Whether most samples may be copied: there is room, or a cluster holds them."""
        return self.features.room == 0 or self.fits

    def first_gradients(self, sigma: float) -> NDArray:
        """The gradient of every feature at w = 0, with the neighbors that each start defines."""
        if sigma not in self._first:
            problem = self.problem.replaced(sigma=float(sigma))
            found = self.evaluator.first_gradients(self.features, problem, self.starts)
            self._first = {sigma: found}
        return self._first[sigma]

    @cached_property
    def gradient_at_zero(self) -> NDArray:
        """The same for every sigma and alpha: without weights all samples are equally near."""
        problem = self.problem.replaced(sigma=1.0)
        Q = problem.neighbors(self.features, np.zeros(self.features.n_features))
        (gradient,) = weighted_margins(self.features, Q, problem.first_pull)
        return gradient


def lower(one: Fit, other: Fit) -> bool:
    """Whether the objective of one is lower than that of the other, by more than rounding."""
    return one.objective < other.objective * (1 - SAME_OBJECTIVE)
