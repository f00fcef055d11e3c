"""From coarse to fine: approximate steps and some samples first, then exact ones and all samples.

With thousands of samples every pass over all pairs costs a tenth of a second or more. Two things
make it rare. *Approximate evaluators* find steps quickly and not quite exactly; no answer depends
on that, since each is certified by an exact gradient. And *some samples* lead to all: the starts
are followed with these, and a few iterations, or Newton's method, finish with all.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.random import random_subset
from hitmiss.data import sizes
from hitmiss.data.features import Features, Neighbors, weighted_rows
from hitmiss.lofe.active_set import (
    FINER,
    LOOSE,
    Candidate,
    MoreStarts,
    Search,
    certify,
    finer,
    violators,
    warm_start,
)
from hitmiss.lofe.fixed_point import Exact, Step, extrapolation
from hitmiss.lofe.multistart import FixedPoints, lower
from hitmiss.lofe.newton import affordable
from hitmiss.lofe.problem import (
    Fit,
    Point,
    Problem,
    evaluate,
    margins_and_gradient,
    top,
    weighted_margins,
)
from hitmiss.neighbors.approximate import (
    approximate_margins,
    approximate_pair_weights,
    can_approximate,
)
from hitmiss.neighbors.pairs import AllPairs, Pairs, balanced_references
from hitmiss.neighbors.soft import soft_neighbors
from hitmiss.solvers.anderson import Anderson
from hitmiss.solvers.prox_newton import prox_newton
from hitmiss.targets.target import Target

# ---------------------------------------------------------------- approximate evaluators


class Approximate(Exact):
    """Steps of thousands of samples, a few of them at a time; extrapolated, not by Newton.

    Measured on 3,000 x 2,000 of 8 classes: these steps take 1.6 to 1.8 times less, the
    extrapolation 2.4 to 3.4 times. With Newton's method beside it two of these classes, each
    against the rest, take 12.4 and 6.8 s, without it 6.9 and 4.1.
    """

    few = 256
    anderson = True

    def step(self, features: Features, problem: Problem, w: NDArray, u: NDArray) -> Step:
        """T(w), its minimization begun at u; the point at w is not kept."""
        if not (can_approximate(features, problem.target) and w.any()):
            return super().step(features, problem, w, u)
        Z = approximate_margins(features, problem.target, w, problem.sigma)
        margins, gradient = margins_and_gradient(problem, Z, w)
        solution = prox_newton(Z, problem.loss, problem.penalty, u)
        gap = problem.gap(w, gradient)
        return Step(solution.w, solution.gap, problem.objective(margins, w), gap)


APPROXIMATE = Approximate()


def exact_pair_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """Neighbors of all samples in a matrix, each times the pull of the sample, under w."""
    Q, support = problem.neighbors(features, w), np.flatnonzero(w)
    few = features.columns(support, dtype=float)
    pull = problem.pull(few.margins(Q) @ w[support]) if len(support) else problem.first_pull
    return np.asarray(weighted_rows(Q, pull), features.dtype)


def pair_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """Like `exact_pair_weights`, but approximate where that can be."""
    support, has_hit = np.flatnonzero(w), problem.target.has_hit
    few = features.columns(support)
    if not (len(support) and can_approximate(few, problem.target)):
        return exact_pair_weights(features, problem, w)

    def pull(rows: NDArray, margins: NDArray) -> NDArray:
        return -problem.loss_of(rows).derivative(margins) * has_hit[rows]

    return approximate_pair_weights(few, problem.target, w[support], problem.sigma, pull)


# Features of largest gradient among which a step finds its weights, and from how many on it leaves
# out others. On 102 x 12,600, 13 labels, 512 differ from all by up to 1e-4 of the largest area and
# take 0.79 of the time; 256 take no less, 128 more. A step from a few weights takes 1.2, 1.1 and
# 0.9 of the time on 60, 102 and 200 samples of 1,500 features, 0.85, 0.8 and 0.65 of 3,000.
SCREENED, SCREENED_FROM = 512, 2048


class _Screen(NamedTuple):
    """A point without its margin vectors, and the numbers that features are screened by."""

    Q: Neighbors
    pull: NDArray
    objective: float
    gradient: NDArray
    by: NDArray  # the gradient at w, or where the minimization begins


class Screened(Exact):
    """Steps with weights for the features of largest gradient only: for permutation tests.

    Margin vectors of all features take most of the time of a step, and nearly all features get no
    weight. Their gradients take half of that, and say which ones may.
    """

    def step(self, features: Features, problem: Problem, w: NDArray, u: NDArray) -> Step:
        """T(w), its minimization begun at u, on screened features if there are very many."""
        if len(w) < SCREENED_FROM or not problem.pairs.is_matrix:
            return super().step(features, problem, w, u)
        sparse = np.count_nonzero(w) <= SCREENED
        here = _screen_sparse(features, problem, w) if sparse else _screen(features, problem, w, u)
        kept = np.flatnonzero((w > 0) | (u > 0)) if sparse else np.flatnonzero(u)
        best = np.union1d(top(here.by, SCREENED), kept)
        Z = features.columns(best).margins(here.Q)
        solution = prox_newton(Z, problem.loss, problem.penalty, u[best])
        found, gap = np.zeros(len(w)), problem.gap(w, here.gradient)
        found[best] = solution.w
        # Z is that of the screened features alone; the gradient is that of all.
        point = Point(w, here.Q, Z, here.pull, here.objective, here.gradient, gap)
        return Step(found, solution.gap, here.objective, gap, point)


SCREENED_STEPS = Screened()


def _screen_sparse(features: Features, problem: Problem, w: NDArray) -> _Screen:
    """At few weights: T(w) is not far from them."""
    support = np.flatnonzero(w)
    few = evaluate(features.columns(support), problem, w[support])
    (c,) = weighted_margins(features, few.Q, few.pull)
    return _Screen(few.Q, few.pull, few.objective, c, c)


def _screen(features: Features, problem: Problem, w: NDArray, u: NDArray) -> _Screen:
    """At many weights, which are a start: the gradient there says little of T(w)."""
    D = features.distances(w)
    Q = soft_neighbors(D, problem.target, problem.sigma, features.workers)
    margins = np.einsum("ni,ni->n", Q, D)
    pull, support = problem.pull(margins), np.flatnonzero(u)
    first = problem.pull(features.columns(support).margins(Q) @ u[support])
    c, by = weighted_margins(features, Q, pull, first)
    return _Screen(Q, pull, problem.objective(margins, w), c, by)


# ---------------------------------------------------------------- which samples come first

# Samples in a matrix. 3,000 x 2,000 of 8 classes take 40 CPU s from all starts, 8.1 if the search
# begins with 500 and goes on with 1,500, 6.5 if it begins with 500 alone.
BEGIN_WITH = 500  # samples, if all are twice as many
# Pair-elements from which on a fit begins so. Where fixed points are many it is another start, no
# better one: on five draws of ringnorm (1,000 to 3,000 samples) it led 0.2 to 4 % higher in three
# and 0.3 and 0.6 % lower in two; on eight other real sets to the same objective. Below, all starts
# with all samples take seconds.
BEGIN_PAIRS = 1 << 32
LEAST_OF_CLASS = 30  # samples of each class there, if it has so many
NARROW_KERNEL = 1.0  # kernel width up to which fixed points are many: all samples from the start

# Samples too many for a matrix.
SOME_SAMPLES = 2000  # with which the search begins: convention
TIMES_AS_MANY = 4  # samples, over those, from which on it does: convention
# One in so many of the samples, if these are more than those of the beginning, lead to all: their
# pass over all pairs takes a twenty-fifth of the time, or a tenth where only some are references.
FEWER, FEWER_OF_REFERENCES = 5, 10


def samples_of_fit(features: Features, target: Target, pairs: Pairs) -> NDArray | None:
    """The samples with which one fit begins; None where that does not pay, or cannot be."""
    if not (pairs.is_matrix and features.is_in_memory):
        return None
    n_bytes = features.dtype.itemsize * features.n_samples * features.n_features
    few = features.n_samples**2 * features.n_features < BEGIN_PAIRS
    return None if few or n_bytes > sizes.SINGLE_BYTES else samples_of_each_class(target)


def samples_of_each_class(target: Target) -> NDArray | None:
    """Samples of thousands, ascending, always the same: as large a share of each class.

    None if there are few samples, or if weights differ within a class: of those drawn all weights
    may be 0.
    """
    if target.codes is None or len(target) < 2 * BEGIN_WITH or not _alike_within_classes(target):
        return None
    rng, counts = np.random.default_rng(0), target.classes.counts
    drawn = [rng.permutation(np.flatnonzero(target.codes == c)) for c in range(len(counts))]
    shares = np.ceil(BEGIN_WITH * counts / len(target)).astype(int)
    taken = np.minimum(np.maximum(shares, LEAST_OF_CLASS), counts)
    rows = np.concatenate([of[:n] for of, n in zip(drawn, taken, strict=True)])
    return np.sort(rows) if 2 * len(rows) <= len(target) else None


def _alike_within_classes(target: Target) -> bool:
    """Whether all samples of a class have the same weight, which is not 0."""
    if target.weights is None:
        return True
    ones = [target.weights[target.codes == c] for c in range(len(target.classes.counts))]
    return all(some.min() > 0 and some.max() == some.min() for some in ones)


def fewer_samples(features: Features, target: Target, pairs: Pairs) -> NDArray | None:
    """Samples from whose fixed point that of all is found in row tiles: ascending, or None.

    A share of the samples, with all that may be neighbors if these are only some; `SOME_SAMPLES`
    where a share would be few, or too many to be copied.
    """
    few = FEWER if pairs.references is None else FEWER_OF_REFERENCES
    size, n_samples = len(target) // few, len(target)
    held = sizes.PER_COLUMN * n_samples * min(features.n_features, sizes.TILE_COLUMNS)
    small = size <= TIMES_AS_MANY * SOME_SAMPLES
    if not (small or features.room == 0 or 2 * size * features.n_features > held):
        rows = some_of_each_kind(target, size)
        if pairs.references is not None:
            rows = np.union1d(rows, pairs.references)
        if 2 * len(rows) <= n_samples:
            return rows
    if n_samples < TIMES_AS_MANY * SOME_SAMPLES:
        return None
    rows = some_of_each_kind(target, SOME_SAMPLES)
    return rows if 2 * len(rows) <= n_samples else None  # there may be very many classes


def some_of_each_kind(target: Target, size: int) -> NDArray:
    """So many samples, and a few of each kind at least: ascending, always the same."""
    rng = np.random.default_rng(0)
    rows = random_subset(len(target), size, rng, target.kinds)
    return np.union1d(rows, balanced_references(target, 2 * (int(target.kinds.max()) + 1)))


def least_memory(n_samples: int, n_features: int, itemsize: int) -> int:
    """Bytes that a fit in row tiles takes.

    It begins with weights for all features: of all samples, or of some if these are very many.
    """
    begins_with = SOME_SAMPLES if n_samples >= TIMES_AS_MANY * SOME_SAMPLES else n_samples
    numbers = sizes.PER_VALUE * begins_with * n_features
    numbers += sizes.PER_COLUMN * n_samples * min(n_features, sizes.TILE_COLUMNS)
    return itemsize * numbers


# ---------------------------------------------------------------- from some samples to all

ROUGH = 1e-2  # tolerance of the fixed point of some samples, from which all go on
ROUGH_ITERATIONS = 20  # from one start, at most, with approximate steps: 30 were no quicker
# Iterations after which all features are looked at for the first time: two draws of 3,000 x 2,000
# take 4.6 and 7.3 CPU s with 4, 5.0 and 7.5 with 5, 5.9 and 7.6 with 3 (alpha=1).
FIRST_LOOK = 4
# Candidates beside the non-zeros once all samples looked at all features: 3,000 x 2,000 of
# 8 classes take 4.8 CPU s with 24, 4.9 with 48, 5.3 with 64 (alpha=1).
NEAREST = 32
NEAR = 1e-3  # distance from the fixed point of all samples at which that of other ones is near it


class CoarseToFine(FixedPoints):
    """Fixed points of very many samples, found from those of some of them.

    The starts are followed with some samples, and the end of that with all; only where this does
    not lead to a fixed point with weights, the starts are followed with all. The parameters are
    those of `FixedPoints`, and the samples to begin with, ascending.
    """

    must_explain = False  # whether what some samples lead to must explain much

    def __init__(self, *arguments: Any, rows: NDArray, **parameters: Any):
        super().__init__(*arguments, **parameters)
        self.rows = rows

    def solve(self, sigma: float, alpha: float, also: Sequence[MoreStarts] = ()) -> Fit:
        """The fixed point of lowest objective that some samples, or all starts, lead to."""
        # 1 Follow the starts with some samples, at a penalty that is as strong for these.
        found = self.coarse.solve(sigma, alpha * self.share)
        # 2 Where they explain little, follow the starts with all samples, if there is room.
        poor = self.must_explain and self.coarse.is_poor(found)
        if (poor or not found.w.any()) and self.fits:
            return super().solve(sigma, alpha, also)
        # 3 Go on from there with all samples.
        found = self.of_all(found)
        if not found.w.any():
            found = self.zero(sigma, alpha, found.largest_alpha)
            if found.gradient.max() <= alpha:
                return found
        quick = self.refine(sigma, alpha, found)
        good = quick.converged and quick.w.any() and not (self.must_explain and self.is_poor(quick))
        if good or not self.fits:
            return quick
        # 4 Where that failed, follow the starts with all samples, and take the lower one.
        other = super().solve(sigma, alpha, also)
        if quick.converged != other.converged:
            return quick if quick.converged else other
        return quick if lower(quick, other) else other

    def refine(self, sigma: float, alpha: float, found: Fit) -> Fit:
        """The certified fixed point of all samples that one of some leads to."""
        raise NotImplementedError

    def follow(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """Warm start from a fit to the same data; from some samples where it is zero."""
        if previous.w.any() or previous.gradient.max() > alpha:
            return super().follow(sigma, alpha, previous)
        return self.solve(sigma, alpha)

    @cached_property
    def coarse(self) -> FixedPoints:
        """The fixed points of some samples, found roughly."""
        some, pairs = self.features.of_samples(self.rows), self.problem.pairs
        # On a cluster a matrix of pairs travels, and not all features of these samples.
        at_hand = pairs.is_matrix or some.is_in_memory
        pairs = pairs.of(self.rows) if at_hand else AllPairs()
        return roughly(self, some, self.problem.of(self.rows, pairs))

    @property
    def share(self) -> float:
        """The size of the loss of some samples over that of all."""
        some, every = (
            len(target) if target.weights is None else float(target.weights.sum())
            for target in (self.coarse.problem.target, self.problem.target)
        )
        return some / every

    def of_all(self, found: Fit) -> Fit:
        """A fixed point of some samples in units of all."""
        share = self.share
        return found._replace(
            gradient=found.gradient / share, largest_alpha=found.largest_alpha / share
        )


class RefinedByIteration(CoarseToFine):
    """Thousands of samples, whose pairs are in a matrix, with approximate steps.

    All features are looked at after every iteration on the narrow set; the violators of largest
    gradient join it. With a narrow kernel fixed points are many: all samples follow the starts.
    """

    must_explain = True

    def __init__(self, *arguments: Any, **parameters: Any):
        super().__init__(*arguments, **parameters)
        self.rough_evaluator = self.evaluator.replaced_by(APPROXIMATE)
        self._anderson: dict[float, Anderson] = defaultdict(extrapolation)  # of every kernel width

    def led_by_some(self, sigma: float) -> "RefinedByIteration | None":
        """Itself, unless the kernel is so narrow that all samples follow the starts."""
        return None if self.more_starts and sigma <= NARROW_KERNEL else self

    def solve(self, sigma: float, alpha: float, also: Sequence[MoreStarts] = ()) -> Fit:
        """The fixed point of lowest objective that some samples, or all starts, lead to."""
        if self.led_by_some(sigma) is None:
            return FixedPoints.solve(self, sigma, alpha, also)
        return super().solve(sigma, alpha, also)

    def refine(self, sigma: float, alpha: float, found: Fit) -> Fit:
        """The certified fixed point of all samples that one of some leads to."""
        search, candidate = self._begun_at(sigma, alpha, found)
        if self.max_iter > FIRST_LOOK:
            self._approach(search, candidate)
        return _certified_by_iteration(search, candidate, found.largest_alpha)

    def follow(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """Warm start from a fit to the same data; from some samples where it is zero."""
        if previous.w.any() or previous.gradient.max() > alpha:
            search, candidate = self._begun_at(sigma, alpha, previous)
            return _certified_by_iteration(search, candidate, previous.largest_alpha)
        return self.solve(sigma, alpha)

    def grown(self, sigma: float, alpha: float, previous: Fit) -> Fit | None:
        """Warm start from the fit at a stronger penalty; None if that has no more features."""
        search = self.search(sigma, alpha, self.rough_evaluator)
        candidate = warm_start(search, previous)
        if np.count_nonzero(candidate.w) <= np.count_nonzero(previous.w):
            return None
        return certify(search, [candidate], previous.largest_alpha)

    def approached(self, found: Fit, alpha: float) -> Fit:
        """A few iterations with all samples from a fit of some; not certified."""
        search, candidate = self._begun_at(found.sigma, alpha, self.of_all(found))
        self._approach(search, candidate)
        return search.fit(candidate, candidate.full_gradient, found.largest_alpha / self.share)

    def followed_roughly(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """Iterations on few features: neither exact nor certified.

        Other features keep their gradients.
        """
        search, candidate = self._begun_at(sigma, alpha, previous)
        narrow = search.nearest(candidate.w, candidate.full_gradient, NEAREST)
        some = self.features.columns(narrow)
        search.iterate(candidate, some, narrow, tol=NEAR)
        return search.fit(candidate, candidate.full_gradient, previous.largest_alpha)

    def _begun_at(self, sigma: float, alpha: float, previous: Fit) -> tuple[Search, Candidate]:
        candidate = Candidate(previous.start, np.arange(len(previous.w)), previous.w)
        candidate.full_gradient = previous.gradient
        candidate.anderson = self._anderson[float(sigma)]
        return self.search(sigma, alpha, self.rough_evaluator), candidate

    def _approach(self, search: Search, candidate: Candidate) -> None:
        """A few iterations, and a look at all features where they end."""
        narrow, tol = search.nearest(candidate.w, candidate.full_gradient), max(LOOSE, self.tol)
        some = self.features.columns(narrow)
        search.iterate(candidate, some, narrow, tol=tol, max_iter=FIRST_LOOK)
        S = pair_weights(self.features, search.problem, candidate.w)
        candidate.full_gradient = self.features.sums([S])[0]


def _certified_by_iteration(search: Search, candidate: Candidate, largest_alpha: float) -> Fit:
    """Iterate on few features, look at all, let violators in, until there are none."""
    tol = search.tol
    narrow = search.nearest(candidate.w, candidate.full_gradient, NEAREST)
    while not candidate.certified and candidate.n_iter < search.max_iter:
        # 1 Iterate on the narrow set. A look at all features takes longer, so it comes at the end.
        some = search.features.columns(narrow)
        found = search.iterate(candidate, some, narrow, tol=tol)
        search.evaluate(candidate, some, found)
        # 2 Look at every feature once, exactly.
        last = found.converged and tol <= search.tol
        candidate.full_gradient = search.gradient(candidate, last=last)
        # 3 Let violators in; without any it is certified, or wants a finer tolerance.
        entering = violators(candidate.w, candidate.full_gradient, search.problem.alpha)
        if len(np.setdiff1d(entering, narrow)):
            nearest = search.nearest(candidate.w, candidate.full_gradient, NEAREST)
            narrow = np.union1d(nearest, entering)
        else:
            candidate.certified = last and not len(entering)
            tol = finer(tol, search.tol) if found.converged else search.tol
    return search.answer(candidate, largest_alpha)


class RefinedByNewton(CoarseToFine):
    """Samples too many for a matrix of pairs, where every pass over these takes long.

    Newton's method on the few features with a weight needs two or three passes that are quick, and
    one look at all features certifies where it ends. Where that leads nowhere, or many features
    have a weight, it is a plain warm start.
    """

    def largest_alpha(self, sigma: float) -> float:
        """The smallest alpha at which every start leads to zero at once: from some samples."""
        return self.coarse.largest_alpha(sigma) / self.share

    def refine(self, sigma: float, alpha: float, found: Fit) -> Fit:
        """The certified fixed point of all samples that one of some leads to."""
        search, tol = self.search(sigma, alpha), max(LOOSE, self.tol)
        candidate = Candidate(found.start, np.arange(len(found.w)), found.w)
        candidate.full_gradient = found.gradient
        while candidate.n_iter < self.max_iter:
            # 1 Newton's method on the features with a weight, if it may work there.
            support = np.flatnonzero(candidate.w)
            exact = _newton(search, candidate, support)
            if exact is None:
                break
            # 2 Look at every feature once; those with a weight are known in double precision.
            c = search.gradient(candidate, last=False)
            c[support] = exact
            candidate.full_gradient = c
            entering = violators(candidate.w, c, alpha)
            # 3 Nobody wants to enter: this is the fixed point.
            if not len(entering):
                candidate.certified = True
                return search.fit(candidate, c, found.largest_alpha)
            # 4 Let them in by a few iterations.
            narrow = np.union1d(search.nearest(candidate.w, c), entering)
            some = self.features.columns(narrow)
            ended = search.iterate(candidate, some, narrow, tol=tol)
            search.evaluate(candidate, some, ended)
            candidate.full_gradient = search.gradient(candidate, last=False)
            if not candidate.w[entering].any():  # it ended where it began
                tol *= FINER
        start = found._replace(w=candidate.w, gradient=candidate.full_gradient)
        return certify(search, [warm_start(search, start)], found.largest_alpha)


def _newton(search: Search, candidate: Candidate, support: NDArray) -> NDArray | None:
    """Move to the root on the features with a weight, and return the gradient of these."""
    problem, features = search.problem, search.features
    if not (len(support) and affordable(features, problem, len(support))):
        return None
    few, tol = features.columns(support, dtype=float), min(search.tol, NEAR)
    found = search.evaluator.root(few, problem, candidate.w[support], tol)
    if found is None:
        return None
    candidate.w = np.zeros(len(candidate.active))
    candidate.w[support] = found.w
    candidate.Q = problem.neighbors(features, candidate.w)
    candidate.pull, candidate.objective = found.pull, found.objective
    candidate.n_iter += found.n_steps
    search.record(
        start=candidate.start,
        sigma=problem.sigma,
        alpha=problem.alpha,
        objective=found.objective,
        step=1.0,
        n_nonzero=len(support),
        gap=problem.gap(found.w, found.gradient),
        residual=found.distance,
    )
    return found.gradient


# ---------------------------------------------------------------- which of them a fit takes


def fixed_points(
    features: Features,
    problem: Problem,
    starts: Sequence[float | NDArray],
    *,
    rows: NDArray | None = None,
    **how: Any,
) -> FixedPoints:
    """Fixed points of all samples, or from coarse to fine where samples are very many.

    Parameters
    ----------
    features, problem, starts, **how
        As in `FixedPoints`.
    rows : ndarray of int, optional
        Samples to begin with, as from `samples_of_fit`.
    """
    given = any(np.ndim(start) for start in starts)  # by the user: there are no others
    if not given and not problem.pairs.is_matrix:
        rows = fewer_samples(features, problem.target, problem.pairs)
    if given or rows is None:
        return FixedPoints(features, problem, starts, **how)
    kind = RefinedByIteration if problem.pairs.is_matrix else RefinedByNewton
    return kind(features, problem, starts, rows=rows, **how)


def one_of_several(
    features: Features, problem: Problem, unit: Callable[[], NDArray], starts: Any, **how: Any
) -> FixedPoints:
    """Fixed points of one of several targets on the same features: a class against the rest.

    Of few samples with the distances that serve for every target; of thousands the search begins
    with some, whose distances take no time.

    Parameters
    ----------
    features, problem, starts, **how
        As in `FixedPoints`.
    unit : callable
        Finds, once, the distances under unit weights.
    """
    rows = None if features.needs_matrix else samples_of_each_class(problem.target)
    if rows is None:
        problem = problem.replaced(pairs=AllPairs(unit()))
    return fixed_points(features, problem, starts, rows=rows, **how)


def roughly(points: FixedPoints, features: Features, problem: Problem) -> FixedPoints:
    """Fixed points of other samples, found roughly."""
    evaluator, max_iter = points.rough_evaluator, points.max_iter
    return fixed_points(
        features,
        problem,
        points.starts,
        more_starts=points.more_starts,
        n_init=points.n_init,
        tol=max(points.tol, ROUGH),
        max_iter=min(max_iter, ROUGH_ITERATIONS) if evaluator.anderson else max_iter,
        record=points.record,
        evaluator=evaluator,
    )


def of_few_samples(points: FixedPoints) -> FixedPoints:
    """The same of samples few enough for a matrix of pairs: of all, if these are few."""
    target = points.problem.target
    rows, features = np.arange(len(target)), points.features
    if len(rows) > SOME_SAMPLES:
        rows = some_of_each_kind(target, SOME_SAMPLES)
        features = features.of_samples(rows)
    return roughly(points, features, points.problem.of(rows, AllPairs()))


def of_samples_alone(points: FixedPoints, rows: NDArray, max_iter: int) -> FixedPoints:
    """The same of some samples, found roughly, in few iterations and without a record."""
    problem = points.problem.of(rows, AllPairs())
    found = roughly(points, points.features.of_samples(rows), problem)
    found.max_iter, found.record = min(max_iter, points.max_iter), lambda **row: None
    return found
