"""Fixed points of one set of data for any kernel width and strength of the penalty."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.mixing import Mixing
from hitmiss.lofe.narrow_search import NarrowSearch
from hitmiss.lofe.noise_level import Exchanges, exchanges_of
from hitmiss.lofe.problem import Fit, Problem
from hitmiss.lofe.search import Search
from hitmiss.lofe.some_samples import fewer_samples, some_of_each_kind
from hitmiss.lofe.starts import gradient
from hitmiss.lofe.steps import PLAIN_STEPS, Steps
from hitmiss.lofe.tile_search import TileSearch
from hitmiss.neighbors.pairs import AllPairs, RowTiles

AnySearch = TypeVar("AnySearch", bound=Search)


class FixedPoints:
    """Fixed points of one set of data.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved; its sigma and alpha are replaced by those asked for.
    starts : sequence of float or ndarray
        Weights to start from, as in `Search.run`.
    explore : bool
        Whether to add other starts where these do not explain much.
    tol, max_iter, record, steps
        As in `Search`.
    levels : sequence of ndarray of int
        Samples with which the search begins, the fewest last, each among those before; by default
        it begins with all, or with some if these are very many.
    mix, margins : bool
        As in `Search`, the former wherever the search does not follow the starts with all samples,
        the latter wherever pairs of samples are in a matrix.
    """

    def __init__(
        self,
        features: Features,
        problem: Problem,
        starts: Sequence[float | NDArray],
        *,
        explore: bool,
        tol: float,
        max_iter: int,
        record: Callable[..., None],
        steps: Steps = PLAIN_STEPS,
        levels: Sequence[NDArray] = (),
        mix: bool = False,
        margins: bool = False,
    ):
        self.mix, self.margins = mix, margins and isinstance(problem.pairs, AllPairs)
        self.features, self.problem, self.starts, self.levels = features, problem, starts, levels
        self.explore, self.tol, self.max_iter = explore, tol, max_iter
        self.record, self.steps = record, steps
        self._first: dict[float, NDArray] = {}
        self._mixing: dict[float, Mixing] = defaultdict(Mixing)  # of every kernel width

    def solve(
        self, sigma: float, alpha: float, *, vary: bool = False, weaker: Sequence[float] = ()
    ) -> Fit:
        """The fixed point of lowest objective from all starts.

        Of very many samples the starts are followed with some, and the end of that with all; only
        where this does not lead to a fixed point with weights, the starts are followed with all.

        Parameters
        ----------
        sigma, alpha : float
            Kernel width and strength of the penalty.
        vary : bool
            Whether to take more time for a narrow kernel, where fixed points are many; only if
            other starts may be added at all.
        weaker : sequence of float
            As in `Search.run`, where the starts are followed with all samples.
        """
        narrow = vary and self.is_narrow(sigma)
        quick = None if self.levels and narrow else self._solve_by_sample(sigma, alpha)
        if quick is not None and (self._is_good(quick) or not self._all_fit):
            return quick
        vary = vary and self.explore
        found = self._run(sigma, alpha, explore=self.explore, vary=vary, weaker=weaker)
        if quick is None:
            return found
        if quick.converged != found.converged:
            return quick if quick.converged else found
        return quick if _lower(quick, found) else found

    def is_narrow(self, sigma: float) -> bool:
        """Whether fixed points are so many that other starts pay, if these may be added at all."""
        return self.explore and sigma <= heuristics.NARROW_KERNEL

    def _is_good(self, found: Fit) -> bool:
        """Whether a fixed point that came from some samples needs no comparison with the starts."""
        settled = found.converged and bool(found.w.any())
        return settled and not (self.levels and self.is_poor(found))

    def is_poor(self, found: Fit) -> bool:
        """Whether a fixed point is not much better than w = 0."""
        problem = self.problem.replaced(alpha=found.alpha)
        return found.objective > heuristics.UNEXPLAINED * problem.null_objective

    def follow(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """The fixed point that the previous one leads to; from the starts if it leads nowhere.

        Parameters
        ----------
        sigma, alpha : float
            Kernel width and strength of the penalty.
        previous : Fit
            Of the same data, with others.
        """
        if previous.w.any() or previous.gradient.max() > alpha:
            return self._search(sigma, alpha, mix=self.mix).resume(previous)
        if self.sample is not None:
            return self.solve(sigma, alpha)
        return self._run(sigma, alpha, explore=False)

    def lets_in(self, sigma: float, alpha: float, previous: Fit) -> Fit | None:
        """The fixed point that the previous one leads to, if that has more features.

        Parameters
        ----------
        sigma, alpha : float
            Kernel width and strength of the penalty.
        previous : Fit
            Of the same data, with weights, at a stronger penalty.
        """
        return self._search(sigma, alpha, mix=self.mix).lets_in(previous)

    def largest_alpha(self, sigma: float) -> float:
        """The smallest alpha at which every start leads to zero at once.

        For very many samples it is estimated from some of them.
        """
        if self.sample is not None and not self.levels:
            found = self.sample.largest_alpha(sigma)
            return found / self._share(self.sample)
        return float(self._first_gradients(sigma).max())

    def path(self, sigma: float, alphas: NDArray) -> list[Fit]:
        """Fixed points for decreasing alphas, each leading to the next.

        Where several fixed points exist, the way down may stay with one that is no longer the
        lowest. So the middle one is searched for from all starts as well; if that is lower, it is
        followed in both directions for as long as it stays lower.
        """
        largest = self.largest_alpha(sigma)
        below = np.flatnonzero(alphas < largest)
        found = [self._zero(sigma, float(alpha), largest) for alpha in alphas]
        for k in below.tolist():
            found[k] = self.follow(sigma, alphas[k], found[max(k - 1, 0)])
        if len(below):
            k = int(below[len(below) // 2])
            other = self.solve(sigma, alphas[k])
            if _lower(other, found[k]):
                found[k] = other
                self._replace(found, other, alphas, range(k + 1, len(alphas)))
                self._replace(found, other, alphas, range(k - 1, below[0] - 1, -1))
        return found

    def _run(self, sigma: float, alpha: float, **how: Any) -> Fit:
        mix = self.mix and not self.levels  # only among some samples
        first, search = self._first_gradients(sigma), self._search(sigma, alpha, mix=mix)
        return search.run(self.starts, first=first, **how)

    def _replace(self, found: list[Fit], other: Fit, alphas: NDArray, way: range) -> None:
        """Follow another fixed point for as long as it is lower than those found."""
        for k in way:
            other = self.follow(other.sigma, alphas[k], other)
            if not _lower(other, found[k]):
                return
            found[k] = other

    def _zero(self, sigma: float, alpha: float, largest_alpha: float) -> Fit:
        """The fixed point w = 0 of a penalty too strong for any other."""
        w, problem = np.zeros(self.features.n_features), self.problem.replaced(alpha=alpha)
        return Fit(
            w=w,
            gradient=self.gradient_at_zero,
            gap=problem.gap(w, self.gradient_at_zero),
            objective=problem.null_objective,
            n_iter=0,
            converged=True,
            start=0,
            largest_alpha=largest_alpha,
            sigma=sigma,
            alpha=alpha,
        )

    @property
    def _all_fit(self) -> bool:
        """Whether there is room for all samples with weights for all features."""
        features = self.features
        n_bytes = features.dtype.itemsize * features.n_samples * features.n_features
        return sizes.PER_VALUE * n_bytes <= features.room

    @property
    def samples_fit(self) -> bool:
        """Whether most samples may be copied: there is room, or a cluster holds them."""
        return self.features.room == 0 or self._all_fit

    def _solve_by_sample(self, sigma: float, alpha: float) -> Fit | None:
        """The fixed point of all samples that the one of some leads to.

        None if that has no weights, and there is room to follow the starts with all samples.
        """
        if self.sample is None:
            return None
        found = self.sample.solve(sigma, alpha * self._share(self.sample))
        poor = self.levels and self.sample.is_poor(found)
        if (poor or not found.w.any()) and self._all_fit:
            return None
        found = self._spread(self.sample, found)
        if not found.w.any():
            found = self._zero(sigma, alpha, found.largest_alpha)
            if found.gradient.max() <= alpha:
                return found
        problem = self.problem.replaced(sigma=sigma, alpha=alpha)
        kind = TileSearch if isinstance(self.problem.pairs, RowTiles) else NarrowSearch
        return self._of_problem(kind, problem, self.mix).resume_from_some(found)

    def near(self, sample: "FixedPoints", found: Fit, alpha: float) -> Fit:
        """Where a few iterations with all samples lead from a fixed point of some of `levels`.

        Parameters
        ----------
        sample : FixedPoints
            Of some samples.
        found : Fit
            One of them, with weights.
        alpha : float
            Strength of the penalty.
        """
        problem = self.problem.replaced(sigma=found.sigma, alpha=alpha)
        return self._of_problem(NarrowSearch, problem, self.mix).approach(
            self._spread(sample, found)
        )

    def roughly(self, sigma: float, alpha: float, previous: Fit) -> Fit:
        """Where iterations with all samples lead from `near`, without a look at all features.

        Parameters
        ----------
        sigma, alpha : float
            Kernel width and strength of the penalty.
        previous : Fit
            Of the same data, with weights.
        """
        problem = self.problem.replaced(sigma=sigma, alpha=alpha)
        return self._of_problem(NarrowSearch, problem, self.mix).roughly(previous)

    def _spread(self, sample: "FixedPoints", found: Fit) -> Fit:
        """A fixed point of some samples in units of all."""
        share = self._share(sample)
        return found._replace(
            gradient=found.gradient / share, largest_alpha=found.largest_alpha / share
        )

    def _share(self, sample: "FixedPoints") -> float:
        """The size of the loss of some samples over that of all."""
        some, every = (
            len(target) if target.weights is None else float(target.weights.sum())
            for target in (sample.problem.target, self.problem.target)
        )
        return some / every

    @cached_property
    def sample(self) -> "FixedPoints | None":
        """The same of some of the samples, if these are very many and no start is given."""
        given, pairs = any(np.ndim(start) for start in self.starts), self.problem.pairs
        rows = self.levels[0] if self.levels else None
        if rows is None and isinstance(pairs, RowTiles):
            rows = fewer_samples(self.features, self.problem.target, pairs)
        if given or rows is None:
            return None
        some = self.features.of_samples(rows)
        if isinstance(pairs, AllPairs) or isinstance(some, InMemory):
            pairs = pairs.of(rows)
        else:  # on a cluster a matrix of pairs travels, and not all features of these samples
            pairs = AllPairs()
        levels = [np.searchsorted(rows, fewer) for fewer in self.levels[1:]]
        return self._of(some, self.problem.of(rows, pairs), levels)

    def of_some(self) -> "FixedPoints":
        """The same of samples few enough for a matrix of pairs: of all, if these are few."""
        target = self.problem.target
        rows, features = np.arange(len(target)), self.features
        if len(rows) > heuristics.SOME_SAMPLES:
            rows = some_of_each_kind(target, heuristics.SOME_SAMPLES)
            features = features.of_samples(rows)
        return self._of(features, self.problem.of(rows, AllPairs()))

    def of_rows(self, rows: NDArray, max_iter: int) -> "FixedPoints":
        """The same of some samples, found roughly, in few iterations and without a record.

        Parameters
        ----------
        rows : ndarray of int
            The samples, ascending.
        max_iter : int
            Iterations from one start, at most.
        """
        found = self._of(self.features.of_samples(rows), self.problem.of(rows, AllPairs()))
        found.max_iter, found.record = min(max_iter, self.max_iter), _nowhere
        return found

    def _of(
        self, features: Features, problem: Problem, levels: Sequence[NDArray] = ()
    ) -> "FixedPoints":
        """The same of other samples, found roughly."""
        return FixedPoints(
            features,
            problem,
            self.starts,
            explore=self.explore,
            tol=max(self.tol, heuristics.ROUGH),
            max_iter=min(self.max_iter, heuristics.ROUGH_ITERATIONS) if self.mix else self.max_iter,
            record=self.record,
            steps=self.steps,
            levels=levels,
            mix=self.mix,
        )

    def share(self, others: "FixedPoints") -> None:
        """Let other targets of the same features have what was found without a target.

        Parameters
        ----------
        others : FixedPoints
            Of another target.
        """
        if "exchanges" in vars(self):
            others.exchanges = self.exchanges

    @cached_property
    def exchanges(self) -> Exchanges:
        """How samples change places where noise is measured, whatever sigma and alpha are."""
        return exchanges_of(self.features, self.problem.target)

    @cached_property
    def gradient_at_zero(self) -> NDArray:
        """The same for every sigma and alpha: without weights all samples are equally near."""
        problem = self.problem.replaced(sigma=1.0)
        Q = problem.neighbors(self.features, np.zeros(self.features.n_features))
        return gradient(self.features, Q, problem.first_pull)

    def _first_gradients(self, sigma: float) -> NDArray:
        if sigma not in self._first:
            self._first = {sigma: self._search(sigma, 1.0).first_gradients(self.starts)}
        return self._first[sigma]

    def _search(self, sigma: float, alpha: float, *, mix: bool = False) -> Search:
        problem = self.problem.replaced(sigma=float(sigma), alpha=float(alpha))
        return self._of_problem(NarrowSearch if self.levels else Search, problem, mix)

    def _of_problem(self, kind: type[AnySearch], problem: Problem, mix: bool) -> AnySearch:
        return kind(
            self.features,
            problem,
            tol=self.tol,
            max_iter=self.max_iter,
            record=self.record,
            steps=self.steps,
            mix=mix,
            mixing=self._mixing[problem.sigma],
            margins=self.margins,
        )


def _nowhere(**_: object) -> None:
    """A record that is not kept."""


def _lower(one: Fit, other: Fit) -> bool:
    return one.objective < other.objective * (1 - heuristics.SAME_OBJECTIVE)
