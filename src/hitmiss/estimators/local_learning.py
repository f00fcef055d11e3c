"""The weigher of local learning: fixed points of LOFE for any kind of target.

The only file of the estimators that knows `hitmiss.lofe`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import cycle
from numbers import Integral
from os import PathLike
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hitmiss._util.checks import check_count, check_memory_limit, check_weights
from hitmiss._util.errors import warn
from hitmiss._util.ties import first_smallest
from hitmiss._util.workers import one_blas_thread
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.views import Reordered
from hitmiss.estimators.prediction import LocalClasses, left_out_wrong, training_samples
from hitmiss.estimators.selector import Opened, Weighed, Weigher
from hitmiss.inference.permutation import AREA_TOL, Statistic, noise_alpha, path_area
from hitmiss.lofe import (
    EXACT,
    FURTHER_STARTS,
    QUICK_STARTS,
    SCREENED_STEPS,
    STARTS,
    ByNoise,
    Checkpoint,
    Checkpointed,
    Exact,
    Fit,
    FixedPoints,
    MoreStarts,
    Problem,
    algorithm_1,
    best_width,
    fingerprint,
    fixed_points,
    least_memory,
    one_of_several,
    samples_of_fit,
    weighted_margins,
)
from hitmiss.neighbors.pairs import AllPairs, Pairs, RowTiles, balanced_references
from hitmiss.online.evidence import by_evidence
from hitmiss.targets.target import Target

# Parameters that change no weight, so that a checkpoint may be continued with others.
IRRELEVANT = ("checkpoint", "max_features", "memory", "n_jobs", "order", "threshold", "verbose")

CERTIFIED = 1e-3  # largest optimality gap, relative to alpha, of a converged fit: convention
AT_REST = (
    1e-9  # gap of weights that are a fixed point whatever the last step did: where two of them
)
# do as well, T takes one or the other and never rests. Rounding makes about 1e-13

AUTO_SIGMAS = (8.0, 4.0, 2.0, 1.0, 0.5)  # the default, 2, and two factors of 2 either way; of
# equal errors the first, the widest, is taken
USUAL_SIGMA = 2.0  # the default: with alpha="auto" another must be clearly better
OTHER_SIGMAS = (4.0, 1.0)  # a factor of 2 either way; why no others, says `lofe/tuning.py`
PAPER_ALPHA = 1.0  # what alpha="auto" is for Algorithm 1 of the paper, and in the paper's figures

MATRIX_SAMPLES = 12_000  # above, no matrix of all pairs is kept if memory is not limited: 1.2 GB
PAIR_BYTES = 16  # of a limited memory for every number per pair: 8, and as many for all else


@dataclass
class LocalLearning(Weigher):
    """Weights at the fixed point of local learning; the parameters are those of `hitmiss.LOFE`."""

    refines = True

    name: str = "LOFE"  # of the estimator, for warnings
    kind: Any = field(default_factory=LocalClasses)  # of the target
    nominal: NDArray | None = None  # the nominal features
    parameters: dict[str, Any] = field(default_factory=dict)  # that a checkpoint depends on
    sigma: float | str = 2.0
    alpha: float | str = "auto"
    scale: str | None = "range"
    missing: str = "mean-difference"
    init: str | ArrayLike = "auto"
    solver: str = "working-set"
    order: str = "weight"
    tol: float = 1e-5
    max_iter: int = 200
    n_init: int = 0
    memory: int | None = None  # bytes
    max_references: int | None = None
    checkpoint: str | PathLike | None = None
    history: list[dict[str, Any]] = field(default_factory=list)  # rows of the fit at hand

    # Fits.

    def weigh(self, features: Features, target: Target) -> Weighed:
        """Weights for one target."""
        self.history = []
        pairs = self.pairs(features, target)
        rows = samples_of_fit(features, target, pairs)
        kept = self.checkpoint is not None
        with self._stored(features, target, rows) if kept else nullcontext(EXACT) as evaluator:
            points = self.fixed_points(
                features,
                target,
                evaluator,
                pairs=pairs,
                rows=rows,
                # Evidence takes many fits, each with a last look at all features.
                mean_margins=self.order != "weight" and self.alpha != "evidence",
            )
            found, evidence = self._best(points)
            learned = self.learned(points, found) | evidence
        self.warn(found, features, converged=learned["converged_"])
        return Weighed(found.w, learned)

    def path(self, opened: Opened, alphas: ArrayLike | int) -> Iterator[tuple[float, Weighed]]:
        """Every strength of the penalty, from strong to weak, and the weights there."""
        self.history, sigma = [], float(self.sigma)
        points = self.fixed_points(opened.features, opened.target)
        strengths = decreasing(alphas, lambda: points.largest_alpha(sigma))
        for found in points.path(sigma, strengths):
            yield found.alpha, Weighed(found.w, self.learned(points, found))

    def weigh_each(self, features: Features, targets: Iterable[Target]) -> Iterator[Weighed]:
        """Weights for each of the targets; distances and the like serve for all of them."""
        matrix = self.max_references is None and self.matrices(features.n_samples)
        if not matrix or self.solver == "paper":
            yield from super().weigh_each(features, targets)
            return
        unit, exchanges = cache(lambda: features.distances(np.ones(features.n_features))), None
        for target in targets:
            self.history = []
            make = partial(one_of_several, unit=unit)
            points = self.fixed_points(features, target, pairs=AllPairs(), make=make)
            points.exchanges = exchanges
            with one_blas_thread():
                found, evidence = self._best(points)
            exchanges = points.exchanges
            yield Weighed(found.w, self.learned(points, found, predicts=False) | evidence)

    def problem(self, opened: Opened, sigma: float, alpha: float) -> Problem:
        """The problem whose fixed points are looked for."""
        pairs = self.pairs(opened.features, opened.target)
        return Problem(opened.target, sigma, alpha, pairs=pairs)

    def fixed_points(
        self,
        features: Features,
        target: Target,
        evaluator: Exact = EXACT,
        pairs: Pairs | None = None,
        more_starts: Sequence[MoreStarts] = STARTS,
        make: Callable[..., FixedPoints] = fixed_points,
        **how: Any,
    ) -> FixedPoints:
        """The fixed points for one target."""
        automatic = isinstance(self.init, str) and self.init == "auto"
        return make(
            features,
            Problem(target, 1.0, 1.0, pairs=pairs or self.pairs(features, target)),
            starts=list(self._starts(features.n_features).values()),
            more_starts=more_starts if automatic else (),
            n_init=self.n_init,
            tol=self.tol,
            max_iter=self.max_iter,
            record=self._recorder(features.n_features, features.workers.progress),
            evaluator=evaluator,
            **how,
        )

    def _best(self, points: FixedPoints, sigma: float | None = None) -> tuple[Fit, dict[str, Any]]:
        """The fixed point at the kernel width of lowest error, and the evidence if it was asked."""
        # 1. The kernel width: a given one, by samples held back, or the best of several.
        if sigma is None:
            sigma = self._width_held_back(points) if self.sigma == "auto" else float(self.sigma)
        if sigma is None:
            found = [self._best(points, each) for each in AUTO_SIGMAS]
            scores = [
                self.kind.left_out(points.features, points.problem.replaced(sigma=fit.sigma), fit.w)
                for fit, _ in found
            ]
            return found[first_smallest(self.kind.left_out_sign * np.array(scores))]
        # 2. The fixed point there, the strength of the penalty tuned if need be.
        if self.alpha == "evidence":
            fit, evidence = by_evidence(points, sigma)
            learned = {"log_evidence_": evidence.log_evidence, "n_improper_": evidence.n_improper}
            return fit, learned
        if self.solver != "paper":
            if self.alpha == "auto":
                return ByNoise(points).solve(sigma), {}
            return points.solve(sigma, float(self.alpha)), {}
        alpha = PAPER_ALPHA if self.alpha == "auto" else float(self.alpha)
        fit = algorithm_1(
            points.features,
            points.problem.replaced(sigma=sigma, alpha=alpha),
            tol=self.tol,
            max_iter=self.max_iter,
            record=self._recorder(points.features.n_features),
        )
        return fit, {}

    def _width_held_back(self, points: FixedPoints) -> float | None:
        """The kernel width by classes of samples held back, where these can be copied for that."""
        if self.alpha != "auto" or self.kind.explains != "classes" or not points.samples_fit:
            return None

        def wrong(points: FixedPoints, sigma: float, w: NDArray) -> NDArray:
            return left_out_wrong(points.features, points.problem.replaced(sigma=sigma), w)

        return best_width(points, OTHER_SIGMAS, USUAL_SIGMA, wrong)

    @contextmanager
    def _stored(
        self, features: Features, target: Target, rows: NDArray | None
    ) -> Iterator[Checkpointed]:
        """The evaluator of a fit with a checkpoint, which no other fit has then."""
        known = {k: value for k, value in self.parameters.items() if k not in IRRELEVANT}
        known["row_tiles"] = not self.matrices(len(target))  # steps other than those of pairs
        known["begins_with_some"] = rows is not None  # as only data in memory do
        n_bytes = features.dtype.itemsize * features.n_samples * features.n_features
        known["room"] = sizes.PER_VALUE * n_bytes <= features.room  # to follow all starts
        folder = cast("str | PathLike", self.checkpoint)
        with Checkpoint(folder, fingerprint(features, target, known)) as checkpoint:
            yield Checkpointed(EXACT, checkpoint)

    # Pairs of samples.

    def matrices(self, n_samples: int) -> int:
        """Numbers per pair of samples that a fit holds: 0 in row tiles."""
        if self.max_references is not None and self.max_references < n_samples:
            return 0
        most: float = MATRIX_SAMPLES
        if self.memory is not None:
            most = (self.memory / (PAIR_BYTES * sizes.MATRICES)) ** 0.5
        return sizes.MATRICES if n_samples <= most else 0

    def pairs(self, features: Features, target: Target) -> Pairs:
        """All pairs of samples in a matrix, or row tiles if there are too many to be kept."""
        if self.matrices(len(target)):
            return AllPairs()
        shape = features.n_samples, features.n_features
        check_memory_limit(self.memory, least_memory(*shape, features.dtype.itemsize), shape)
        if self.max_references is None:
            return RowTiles(None)
        return RowTiles(balanced_references(target, int(self.max_references)))

    # Starts and history.

    def _starts(self, n_features: int) -> dict[str, float | NDArray]:
        """Name and weights of each start; a number stands for uniform weights."""
        if self.solver == "paper":
            return {"ones": 1.0}
        uniform = {"soft": n_features**-0.5, "ones": 1.0}
        if isinstance(self.init, str):
            return uniform if self.init == "auto" else {self.init: uniform[self.init]}
        return {"given": check_weights("init", self.init, n_features)}

    def _recorder(self, n_features: int, progress: Any = None) -> Callable[..., None]:
        """Function that keeps the history and shows how far an iteration is."""
        names, history = [*self._starts(n_features), *FURTHER_STARTS], self.history
        first: dict[int, float] = {}  # logarithm of the residual from each start

        def record(start: int, **row: Any) -> None:
            history.append({"start": names[start], **row})
            if progress is None or not hasattr(progress, "show"):
                return
            size = np.log(max(row["residual"], np.finfo(float).tiny))
            done = (first.setdefault(start, size) - size) / -np.log(min(self.tol, 0.1))
            progress.show(f"from {names[start]}", min(max(done, 0.0), 1.0))

        return record

    # Fitted attributes and warnings.

    def learned(self, points: FixedPoints, found: Fit, *, predicts: bool = True) -> dict[str, Any]:
        """Fitted attributes at a fixed point; with the training samples if it `predicts`."""
        features, support = points.features, np.flatnonzero(found.w)
        problem = points.problem.replaced(sigma=found.sigma, alpha=found.alpha)
        # 1. The fixed point and its certificate.
        settled = found.converged or found.gap <= AT_REST
        learned: dict[str, Any] = {
            "history_": self.history,
            "sigma_": found.sigma,
            "alpha_": found.alpha,
            "init_": [*self._starts(len(found.w)), *FURTHER_STARTS][found.start],
            "scores_": found.gradient / found.alpha,
            "optimality_gap_": found.gap,
            "objective_": found.objective,
            "converged_": settled and found.gap <= CERTIFIED,
            "n_iter_": found.n_iter,
        }
        # 2. What predicts, and how well.
        if predicts:
            few = features.columns(support)  # once: they may come from afar
            holes, kept = self.missing != "error", problem.pairs.neighbors_of(len(problem.target))
            learned |= self.kind.answers(problem.target, kept)
            learned |= training_samples(
                features, few, problem, found.w, holes=holes, nominal=self.nominal
            )
            score = self.kind.left_out(few, problem, found.w[support])
            learned[self.kind.left_out_name] = score
        # 3. The mean margins of all features, if the order needs them; they take a pass where the
        # last look at all features did not take them.
        progress = features.workers.progress
        if progress is not None and hasattr(progress, "done"):
            progress.done()  # the iterations are over
        if self.order != "weight":
            margins = found.margins
            if margins is None:
                Q = problem.neighbors(features.columns(support), found.w[support])
                (margins,) = weighted_margins(features, Q, problem.share)
            learned["mean_margins_"] = margins
        return learned

    def warn(
        self, found: Fit, features: Features, *, converged: bool, why_empty: str | None = None
    ) -> None:
        """Warn of a fit that did not converge, and of one without any weight.

        Parameters
        ----------
        found : Fit
            The fixed point.
        features : Features
            The data.
        converged : bool
            Whether it is certified.
        why_empty : str, optional
            Why every weight is zero, if so; by default what `alpha` says.
        """
        if not converged:
            stopped = found.converged  # by a tolerance that is too coarse for a certificate
            change = "decrease tol" if stopped else "increase sigma, max_iter or tol"
            warn(
                f"{self.name} did not converge in {found.n_iter} iterations "
                f"(optimality gap {found.gap:.1e}); {change}.",
                ConvergenceWarning,
            )
        if found.w.any():
            return
        reason, advice = why_empty, []
        if reason is None and self.alpha == "evidence":
            reason = "the data give no evidence for any feature"
        elif reason is None and self.alpha == "auto" and self.solver != "paper":
            reason = f"no feature does better than noise can (alpha={found.alpha:.3g})"
        elif reason is None:
            reason = (
                f"alpha={found.alpha:g} is too strong for these data, or they say nothing about "
                f"{self.kind.explained}"
            )
            advice = [_advice(found)]
        if self.scale == "range":
            advice = [*_on_skew(*skewed_features(features)), *advice]
        warn(f"All weights are zero: {'; '.join([reason, *advice])}.")

    # Permutation tests.

    def shared(self, features: Features, targets: Iterable[Target]) -> float:
        """The strength of the penalty at which noise begins to have a weight."""
        return noise_alpha(self.fixed_points(features, target) for target in targets)

    def statistics(
        self, features: Features, targets: Iterable[Target], shared: float | Sequence[float]
    ) -> Iterator[Statistic]:
        """The area under the weight of every feature as the penalty grows from where noise begins.

        Parameters
        ----------
        features : Features
            The data.
        targets : iterable
            The targets.
        shared : float or sequence of float
            Where noise begins; of several numbers each in turn.
        """
        quick, features = self._quick(), features.in_single_precision()
        weakest, pairs = cycle(np.atleast_1d(shared).tolist()), None
        for target in targets:
            pairs = pairs or quick.pairs(features, target).with_unit(features)
            points = quick.fixed_points(features, target, SCREENED_STEPS, pairs, QUICK_STARTS)
            with one_blas_thread():
                found = path_area(points, quick._width(points), next(weakest))
            yield found

    def refined(
        self,
        features: Features,
        target: Target,
        orders: Sequence[NDArray],
        shared: float,
        known: NDArray,
    ) -> Iterator[NDArray]:
        """The statistics if known features keep their labels: noise beside signal.

        Parameters
        ----------
        features : Features
            The data.
        target : Classes or PairTarget
            The target.
        orders : sequence of ndarray of shape (n_samples,)
            Orders of the labels for all other features.
        shared : float
            Where noise begins.
        known : ndarray of int
            The features that are known. They have no statistic: 0.
        """
        quick, features = self._quick(), features.in_single_precision()
        with one_blas_thread():
            sigma = quick._width(quick.fixed_points(features, target))
            alone = quick.fixed_points(features.columns(known), target).solve(sigma, shared)
        start = np.zeros(features.n_features)
        start[known] = alone.w
        beside = replace(quick, init=start)
        for order in orders:
            moved = Reordered(features, known, order)
            points = beside.fixed_points(moved, target.relabeled(order), SCREENED_STEPS)
            with one_blas_thread():
                found = path_area(points, sigma, shared, known)
            yield found.values

    def _quick(self) -> LocalLearning:
        """A copy with the tolerance that areas need."""
        return replace(self, tol=max(self.tol, AREA_TOL), history=[])

    def _width(self, points: FixedPoints) -> float:
        """The kernel width: a tuned one is chosen by the labels at hand, be they permuted.

        Chosen once, by the true labels, it would favor these.
        """
        if self.sigma != "auto":
            return float(self.sigma)
        return self._width_held_back(points) or self._best(points)[0].sigma


SMALLEST_ALPHA = 1e-100  # below, weights would overflow
WEAKEST_OF_PATH = 0.03  # over the strength that makes every weight zero: convention


def decreasing(alphas: ArrayLike | int, largest: Callable[[], float]) -> NDArray:
    """Strengths from strong to weak; of a number of them, from `largest` down."""
    if isinstance(alphas, Integral) and not isinstance(alphas, bool):
        check_count("alphas", alphas)
        top = largest()
        strongest = top if top > SMALLEST_ALPHA else 1.0
        return strongest * np.geomspace(1.0, WEAKEST_OF_PATH, int(alphas))
    given = np.atleast_1d(np.asarray(alphas, float))
    if given.ndim != 1 or not len(given) or not (np.isfinite(given) & (given > 0)).all():
        raise ValueError("alphas must be a whole number, or a list of finite numbers above 0.")
    return np.sort(given)[::-1]


def _advice(found: Fit) -> str:
    """Advice on alpha if every weight is zero.

    Below the largest gradient at w = 0 a weight is certain. Where no feature alone separates
    the classes, only an interaction can, and the starts show how strong it may be.
    """
    certain = found.gradient.max()
    if certain > 0:
        return f"use an alpha below {certain:.3g}"
    if found.largest_alpha > 0:
        return f"try an alpha well below {found.largest_alpha:.3g}"
    return "no feature is closer between hits than between misses"


SKEWED = 0.1  # share of its range in which the middle half of a skewed feature lies; of a normal
# one it is 0.27 with 100 samples, and still 0.14 with a million
SKEW_VALUES = 2_000_000  # looked at for that, at most: convention


def skewed_features(features: Features) -> tuple[int, int]:
    """Number of skewed features, and of those looked at: all, or some evenly spread.

    A feature is skewed, or has outliers, if the middle half of its values lies within a tenth of
    its range. One most of whose values are equal is taken as counts or marks, not as skewed.

    Parameters
    ----------
    features : Features
        Each feature divided by its range.

    Returns
    -------
    n_skewed, n_looked_at : int
    """
    n = min(features.n_features, max(1, SKEW_VALUES // features.n_samples))
    index = np.linspace(0, features.n_features - 1, n).astype(int)
    X = features.columns(index).X
    holes = np.isnan(X).any(axis=0)
    low, high = np.quantile(X[:, ~holes], [0.25, 0.75], axis=0)  # those without a gap will do
    return int(np.count_nonzero((low < high) & (high - low < SKEWED))), n


def _on_skew(n_skewed: int, n_features: int) -> list[str]:
    """Advice on skewed features, if there are any."""
    if not n_skewed:
        return []
    are = "is skewed or has" if n_skewed == 1 else "are skewed or have"
    of = f"{n_skewed:,} of {n_features:,} features looked at"
    return [f"first try logarithms or ranks, since {of} {are} outliers"]
