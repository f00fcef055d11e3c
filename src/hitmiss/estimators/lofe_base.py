"""What LOFE does for any target: fixed points, paths, checkpoints, statistics of tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache, partial
from itertools import cycle
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from hitmiss._util.checks import check_count, check_positive_or
from hitmiss._util.ties import first_smallest
from hitmiss._util.workers import one_blas_thread
from hitmiss.data.features import Features
from hitmiss.data.views import Reordered
from hitmiss.estimators import thresholds
from hitmiss.estimators.classifier import left_out_wrong
from hitmiss.estimators.local_learner import LocalLearner, decreasing
from hitmiss.estimators.per_sample import NOTHING, PerSample
from hitmiss.inference.path_area import AREA_TOL, noise_alpha, path_area
from hitmiss.inference.statistic import Statistic
from hitmiss.lofe import (
    EXACT,
    QUICK_STARTS,
    SCREENED_STEPS,
    ByNoise,
    Checkpoint,
    Checkpointed,
    Exact,
    Fit,
    FixedPoints,
    Problem,
    algorithm_1,
    best_width,
    fingerprint,
    one_of_several,
    samples_of_fit,
)
from hitmiss.neighbors.pairs import AllPairs, Pairs, balanced_references
from hitmiss.online.evidence import by_evidence
from hitmiss.targets.classes import AnyTarget

# Parameters that change no weight, so that a checkpoint may be continued with others.
IRRELEVANT = ("checkpoint", "max_features", "memory", "n_jobs", "order", "threshold", "verbose")
EVIDENCE = ("evidence", "bound")  # ways to tune alpha by the evidence


class BaseLOFE(LocalLearner):
    """Base of LOFE for classes, numbers and survival; a subclass has parameters and predicts.

    The parameters are those of `hitmiss.LOFE`; `solver` and `order` are ones that only some have.
    """

    _out_of_core = True
    _pair_nanoseconds = thresholds.LOFE_NANOSECONDS
    solver = "working-set"
    order = "weight"
    sigma: float | str
    alpha: float | str
    tol: float

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive_or("sigma", self.sigma, ("auto",), largest=np.inf)
        check_positive_or("alpha", self.alpha, ("auto", *EVIDENCE))
        if self.max_references is not None:
            check_count("max_references", self.max_references)

    @one_blas_thread()
    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        with self._evaluator(features, target) as evaluator:
            return self._weighed(features, target, evaluator)

    def _weighed(self, features: Features, target: AnyTarget, evaluator: Exact) -> NDArray:
        self.history_: list[dict[str, Any]] = []
        pairs = self._pairs(features, target)
        rows = samples_of_fit(features, Problem(target, 1.0, 1.0, pairs=pairs))
        margins = self.order != "weight" and self.alpha not in EVIDENCE  # which takes many fits
        fixed_points = self._fixed_points(
            features, target, evaluator, pairs=pairs, rows=rows, mean_margins=margins
        )
        found = self._best(fixed_points)
        w = self._learned(fixed_points, found)
        self._warn(found, features)
        return w

    def _best(self, fixed_points: FixedPoints) -> Fit:
        """The fixed point, at the kernel width of lowest error."""
        if self.sigma != "auto":
            return self._solve(fixed_points, float(self.sigma))
        if self._holds_back(fixed_points):
            return self._solve(fixed_points, self._best_width(fixed_points))
        fits = [self._solve(fixed_points, sigma) for sigma in thresholds.AUTO_SIGMAS]
        errors = [
            self._left_out_loss(
                fixed_points.features, fixed_points.problem.replaced(sigma=fit.sigma), fit.w
            )
            for fit in fits
        ]
        return fits[first_smallest(errors)]

    def _holds_back(self, fixed_points: FixedPoints) -> bool:
        """Whether a tuned width is chosen by samples held back, which are copied for that."""
        classes = self.alpha == "auto" and self.explains == "classes"
        return classes and fixed_points.samples_fit

    def _best_width(self, fixed_points: FixedPoints) -> float:
        """The kernel width by classes of samples held back."""

        def wrong(points: FixedPoints, sigma: float, w: NDArray) -> NDArray:
            return left_out_wrong(points.features, points.problem.replaced(sigma=sigma), w)

        return best_width(fixed_points, thresholds.OTHER_SIGMAS, thresholds.USUAL_SIGMA, wrong)

    @property
    def _by_noise(self) -> bool:
        """Whether noise decides the strength of the penalty; the paper's algorithm has a number."""
        return self.alpha == "auto" and self.solver != "paper"

    def _why_empty(self, found: Fit) -> list[str]:
        if self.alpha in EVIDENCE:
            return ["the data give no evidence for any feature"]
        if self._by_noise:
            return [f"no feature does better than noise can (alpha={found.alpha:.3g})"]
        return super()._why_empty(found)

    def _references(self, target: AnyTarget) -> NDArray | None:
        if self.max_references is None:
            return None
        return balanced_references(target, int(self.max_references))

    def _matrices(self, n_samples: int) -> int:
        if self.max_references is not None and self.max_references < n_samples:
            return 0
        return super()._matrices(n_samples)

    @contextmanager
    def _evaluator(self, features: Features, target: AnyTarget) -> Iterator[Exact]:
        """The evaluator of the fit; with a checkpoint, which no other fit has then, it stores."""
        if self.checkpoint is None:
            yield EXACT
            return
        parameters = self.get_params(deep=False)
        for name in IRRELEVANT:
            parameters.pop(name, None)
        parameters["row_tiles"] = not self._matrices(len(target))  # steps other than those of pairs
        problem = Problem(target, 1.0, 1.0, pairs=self._pairs(features, target))
        begins_with = samples_of_fit(features, problem)
        parameters["begins_with_some"] = begins_with is not None  # as only data in memory do
        key = fingerprint(features, target, parameters)
        with Checkpoint(self.checkpoint, key) as checkpoint:
            yield Checkpointed(EXACT, checkpoint)

    def _solve(self, fixed_points: FixedPoints, sigma: float) -> Fit:
        """The fixed point at a kernel width, the strength of the penalty tuned if need be."""
        if self.alpha in EVIDENCE:
            found, evidence = by_evidence(fixed_points, sigma)
            self.log_evidence_ = evidence.log_evidence
            self.n_improper_ = evidence.n_improper
            return found
        if self._by_noise:
            return ByNoise(fixed_points).solve(sigma)
        if self.solver != "paper":
            return fixed_points.solve(sigma, float(self.alpha))
        alpha = thresholds.PAPER_ALPHA if self.alpha == "auto" else float(self.alpha)
        return algorithm_1(
            fixed_points.features,
            fixed_points.problem.replaced(sigma=sigma, alpha=alpha),
            tol=self.tol,
            max_iter=self.max_iter,
            record=self._recorder(["ones"]),
        )

    def shared_by_labels(
        self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray], **samples: Any
    ) -> float:
        """The strength of the penalty at which noise begins to have a weight.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            The target.
        orders : sequence of ndarray of shape (n_samples,)
            Permutations to learn it from.
        **samples : array-like
            What `fit` takes of every sample: `sample_weight`, `groups`, `strata`, `covariates`.
        """
        model, features, target = self._opened(X, y, **samples)
        return model._shared_by_targets(features, (target.relabeled(order) for order in orders))

    def _shared_by_targets(self, features: Features, targets: Iterable[AnyTarget]) -> float:
        return noise_alpha(self._fixed_points(features, target) for target in targets)

    def _weigh_each(self, features: Features, targets: Iterable[AnyTarget]) -> Iterator[Self]:
        matrix = self.max_references is None and self._matrices(features.n_samples)
        if not matrix or self.solver == "paper":
            yield from super()._weigh_each(features, targets)
            return
        unit = cache(lambda: features.distances(np.ones(features.n_features)))
        exchanges: Any = None
        for target in targets:
            model = copy(self)
            model._set_target(target)
            model.history_ = []
            make = partial(one_of_several, unit=unit)
            points = model._fixed_points(features, target, pairs=AllPairs(), make=make)
            points.exchanges = exchanges
            with one_blas_thread():
                found = model._best(points)
            exchanges = points.exchanges
            model._describe(found)
            model.weights_ = found.w
            model._take_margins(points, found)
            yield model._ranked()

    def _statistics(
        self, features: Features, targets: Iterable[AnyTarget], shared: float | Sequence[float]
    ) -> Iterator[Statistic]:
        self.history_, self.tol = [], max(self.tol, AREA_TOL)
        features, pairs = features.in_single_precision(), None
        weakest = cycle(np.atleast_1d(shared).tolist())  # of several, each in turn
        for target in targets:
            pairs = pairs or self._shared_pairs(features, target)
            points = self._fixed_points(
                features, target, SCREENED_STEPS, pairs, more_starts=QUICK_STARTS
            )
            with one_blas_thread():
                found = path_area(points, self._width(points), next(weakest))
            yield Statistic(*found)

    def _width(self, points: FixedPoints) -> float:
        """The kernel width: a tuned one is chosen by the labels at hand, be they permuted.

        Chosen once, by the true labels, it would favor these.
        """
        if self.sigma != "auto":
            return float(self.sigma)
        return self._best_width(points) if self._holds_back(points) else self._best(points).sigma

    def refined_statistics(
        self,
        X: ArrayLike,
        y: ArrayLike,
        orders: Sequence[NDArray],
        shared: float,
        known: NDArray,
        **samples: Any,
    ) -> Iterator[NDArray]:
        """The statistic of every feature if known ones keep their labels: noise beside signal.

        For each of the orders the labels and the known features change places together, so that
        the latter explain the former as well as ever, and all others say nothing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            The target.
        orders : sequence of ndarray of shape (n_samples,)
            Orders of the labels.
        shared : float
            As from `shared_by_labels`.
        known : ndarray of int
            The known features, ascending.
        **samples : array-like
            What `fit` takes of every sample: `sample_weight`, `groups`, `strata`, `covariates`.
        """
        model, features, target = self._opened(X, y, **samples)
        features = features.in_single_precision()
        model.history_, model.tol = [], max(self.tol, AREA_TOL)
        with one_blas_thread():
            sigma = model._width(model._fixed_points(features, target))
            alone = model._fixed_points(features.columns(known), target).solve(sigma, shared)
        model.init = np.zeros(features.n_features)
        model.init[known] = alone.w
        for order in orders:
            moved = Reordered(features, known, order)
            points = model._fixed_points(
                moved, target.relabeled(order), SCREENED_STEPS, more_starts=QUICK_STARTS
            )
            with one_blas_thread():
                found = path_area(points, sigma, shared, known)
            yield found.areas

    def _shared_pairs(self, features: Features, target: AnyTarget) -> Pairs:
        """Pairs of samples for any target, with what does not depend on it."""
        pairs = self._pairs(features, target)
        if isinstance(pairs, AllPairs):
            return AllPairs(features.distances(np.ones(features.n_features)))
        return pairs

    def _starts(self, n_features: int) -> dict[str, float | NDArray]:
        return {"ones": 1.0} if self.solver == "paper" else super()._starts(n_features)

    def path(
        self, X: ArrayLike, y: ArrayLike, alphas: ArrayLike | int = 20, **samples: Any
    ) -> Bunch:
        """Weights for many strengths of the penalty.

        The estimator itself is not fitted, and its `alpha` is not used.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            The target.
        alphas : array-like or int, default=20
            Strengths, or how many: then from the smallest that makes every weight zero down to
            0.03 of it, in equal ratios.
        **samples : array-like
            What `fit` takes of every sample: `sample_weight`, `groups`, `strata`, `covariates`.

        Returns
        -------
        path : Bunch
            alphas, from strong to weak; weights of shape (n_alphas, n_features); objectives,
            optimality_gaps and converged, each of shape (n_alphas,).
        """
        models = self._fitted_path(X, y, alphas, PerSample(**samples), ranked=False)
        return Bunch(
            alphas=np.array([model.alpha_ for model in models]),
            weights=np.array([model.weights_ for model in models]),
            objectives=np.array([model.objective_ for model in models]),
            optimality_gaps=np.array([model.optimality_gap_ for model in models]),
            converged=np.array([model.converged_ for model in models]),
        )

    @one_blas_thread()
    def _fitted_path(
        self,
        X: ArrayLike,
        y: ArrayLike,
        alphas: ArrayLike | int,
        samples: PerSample = NOTHING,
        *,
        ranked: bool,
    ) -> list[Self]:
        """A fitted clone per strength, from strong to weak.

        Those that are not `ranked` have the order of their weights, which takes no pass.
        """
        if isinstance(self.sigma, str):
            raise ValueError("A path needs a number as sigma.")
        model = clone(self).set_params(alpha=1.0, checkpoint=None)
        model.solver = "working-set"
        data, target = model._validated(X, y, samples)
        model.history_ = []
        if not ranked:
            model.order = "weight"
        sigma = float(model.sigma)
        features = model._features(data, model._workers())
        fixed_points = model._fixed_points(features, target)
        strengths = decreasing(alphas, lambda: fixed_points.largest_alpha(sigma))
        return [
            copy(model)._fitted(fixed_points, found)
            for found in fixed_points.path(sigma, strengths)
        ]

    def _fitted(self, fixed_points: FixedPoints, found: Fit) -> Self:
        """The estimator as `fit` leaves it."""
        self.alpha = found.alpha
        self.weights_ = self._learned(fixed_points, found)
        return self._ranked()
