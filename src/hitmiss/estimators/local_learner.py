"""The base of LOFE and LOFECV: starts, solver, fitted attributes, warnings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.checks import check_choice, check_count, check_positive, check_weights
from hitmiss._util.errors import warn
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.memory_limit import check_memory_limit
from hitmiss.estimators import thresholds
from hitmiss.estimators.comparing import ComparingSelector
from hitmiss.estimators.orders import ORDERS
from hitmiss.estimators.per_sample import PerSample
from hitmiss.estimators.skew import skewed_features
from hitmiss.lofe import (
    EXACT,
    STARTS,
    Exact,
    Fit,
    FixedPoints,
    MoreStarts,
    Problem,
    fixed_points,
    least_memory,
    weighted_margins,
)
from hitmiss.neighbors.pairs import AllPairs, Pairs, RowTiles
from hitmiss.targets.classes import AnyTarget


class LocalLearner(ComparingSelector):
    """A selector by the fixed point of local learning.

    A subclass has the parameters `init`, `order`, `tol` and `max_iter`, calls `_learned`, and has
    a mixin that predicts, such as `hitmiss.estimators.classifier.LocalClassifierMixin`.
    """

    _explained = "the classes"  # in words, for warnings

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_choice("order", self.order, tuple(ORDERS))
        if isinstance(self.init, str):
            check_choice("init", self.init, ("auto", "soft", "ones"))

    def _matrices(self, n_samples: int) -> int:
        memory = self._memory_limit()
        most: float = thresholds.MATRIX_SAMPLES
        if memory is not None:
            most = (memory / (thresholds.PAIR_BYTES * sizes.MATRICES)) ** 0.5
        return sizes.MATRICES if n_samples <= most else 0

    def _pairs(self, features: Features, target: AnyTarget) -> Pairs:
        """All pairs of samples in a matrix, or row tiles if there are too many to be kept."""
        if self._matrices(len(target)):
            return AllPairs()
        shape = features.n_samples, features.n_features
        least = least_memory(*shape, features.dtype.itemsize)
        check_memory_limit(self._memory_limit(), least, shape)
        return RowTiles(self._references(target))

    def _references(self, target: AnyTarget) -> NDArray | None:
        """Samples that may be neighbors; None for all."""
        return None

    def _fixed_points(
        self,
        features: Features,
        target: AnyTarget,
        evaluator: Exact = EXACT,
        pairs: Pairs | None = None,
        make: Callable[..., FixedPoints] = fixed_points,
        more_starts: Sequence[MoreStarts] = STARTS,
        **how: Any,
    ) -> FixedPoints:
        return make(
            features,
            Problem(target, 1.0, 1.0, pairs=pairs or self._pairs(features, target)),
            starts=list(self._starts(features.n_features).values()),
            more_starts=more_starts if isinstance(self.init, str) and self.init == "auto" else (),
            n_init=getattr(self, "n_init", 0),
            tol=self.tol,
            max_iter=self.max_iter,
            record=self._recorder(self._start_names(features.n_features), features),
            evaluator=evaluator,
            **how,
        )

    def reopened(self, X: ArrayLike, y: ArrayLike, **samples: Any) -> tuple[Features, Problem]:
        """The features and the problem of the fit: for `hitmiss.metrics.synergy`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples that were fitted.
        y : array-like of shape (n_samples,)
            Their class labels.
        **samples : array-like
            What `fit` was given of every sample: weights, groups, strata, covariates.
        """
        check_is_fitted(self)
        model = clone(self).set_params(verbose=False)
        data, target = model._validated(X, y, PerSample(**samples))
        n_features = model.n_features_in_
        classes: Any = getattr(self, "classes_", None)
        found: Any = getattr(model, "classes_", None)
        if n_features != self.n_features_in_ or not np.array_equal(classes, found):
            fitted = "" if classes is None else f" and {len(classes)} classes"
            given = "" if found is None else f" and classes {found.tolist()}"
            raise ValueError(
                f"X and y must be those of the fit, of {self.n_features_in_} features{fitted}; got "
                f"{n_features} features{given}."
            )
        features = model._features(data, model._workers())
        pairs = model._pairs(features, target)
        return features, Problem(target, self.sigma_, self.alpha_, pairs=pairs)

    def _learned(self, fixed_points: FixedPoints, found: Fit) -> NDArray:
        """Set the fitted attributes from a fixed point, and return its weights."""
        features = fixed_points.features
        problem = fixed_points.problem.replaced(sigma=found.sigma, alpha=found.alpha)
        self._describe(found)
        support = np.flatnonzero(found.w)
        few = features.columns(support)  # once: they may come from afar
        self._remember(features, few, problem, found.w)
        self._leave_one_out(few, problem, found.w[support])
        self._take_margins(fixed_points, found)
        return found.w

    def _describe(self, found: Fit) -> None:
        """Set the attributes that tell of a fixed point."""
        self.sigma_, self.alpha_ = found.sigma, found.alpha
        self.init_ = self._start_names(len(found.w))[found.start]
        self.scores_ = found.gradient / found.alpha
        self.optimality_gap_ = found.gap
        self.objective_ = found.objective
        settled = found.converged or found.gap <= thresholds.EXACT
        self.converged_ = settled and found.gap <= thresholds.CERTIFIED
        self.n_iter_ = found.n_iter

    def _take_margins(self, fixed_points: FixedPoints, found: Fit) -> None:
        """Set the mean margins of all features, if the order needs them.

        They take a pass where the last look at all features did not take them.
        """
        progress = fixed_points.features.workers.progress
        if progress is not None and hasattr(progress, "done"):
            progress.done()  # the iterations are over
        if self.order == "weight":
            return
        if found.margins is not None:
            self.mean_margins_ = found.margins
            return
        features, support = fixed_points.features, np.flatnonzero(found.w)
        problem = fixed_points.problem.replaced(sigma=found.sigma, alpha=found.alpha)
        Q = problem.neighbors(features.columns(support), found.w[support])
        (self.mean_margins_,) = weighted_margins(features, Q, problem.share)

    @abstractmethod
    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep what prediction needs."""

    @abstractmethod
    def _leave_one_out(self, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Set what leaving each sample out says of the weights w of a few features."""

    @abstractmethod
    def _left_out_loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """What kernel widths are compared by."""

    def _start_names(self, n_features: int) -> list[str]:
        return [*self._starts(n_features), "pruned", "restart"]

    def _starts(self, n_features: int) -> dict[str, float | NDArray]:
        """Name and weights of each start; a number stands for uniform weights."""
        uniform = {"soft": n_features**-0.5, "ones": 1.0}
        if isinstance(self.init, str):
            return uniform if self.init == "auto" else {self.init: uniform[self.init]}
        return {"given": check_weights("init", self.init, n_features)}

    def _recorder(self, names: list[str], features: Features | None = None) -> Any:
        """What keeps the history and, with `features`, shows how far an iteration is."""
        progress = None if features is None else features.workers.progress
        first: dict[int, float] = {}  # logarithm of the residual from each start

        def record(start: int, **row: Any) -> None:
            self.history_.append({"start": names[start], **row})
            if progress is None or not hasattr(progress, "show"):
                return
            size = np.log(max(row["residual"], np.finfo(float).tiny))
            done = (first.setdefault(start, size) - size) / -np.log(min(self.tol, 0.1))
            progress.show(f"from {names[start]}", min(max(done, 0.0), 1.0))

        return record

    def _warn(self, found: Fit, features: Features) -> None:
        if not self.converged_:
            stopped = found.converged  # by a tolerance that is too coarse for a certificate
            change = "decrease tol" if stopped else "increase sigma, max_iter or tol"
            warn(
                f"{type(self).__name__} did not converge in {found.n_iter} iterations "
                f"(optimality gap {found.gap:.1e}); {change}.",
                ConvergenceWarning,
            )
        if not found.w.any():
            reason, *advice = self._why_empty(found)
            if self.scale == "range":
                advice = [*_on_skew(*skewed_features(features)), *advice]
            warn(f"All weights are zero: {'; '.join([reason, *advice])}.")

    def _why_empty(self, found: Fit) -> list[str]:
        """Why every weight is zero, and what to do about it, if anything."""
        return [
            f"alpha={self.alpha_:g} is too strong for these data, or they say nothing about "
            f"{self._explained}",
            _advice(found),
        ]

    @property
    def ranking_(self) -> NDArray:
        """All features, best first, by `order`."""
        if self.order == "weight":
            return super().ranking_
        if not hasattr(self, "mean_margins_"):
            raise AttributeError(f"order={self.order!r} was set after the fit; fit again.")
        return ORDERS[self.order](self.weights_, self.scores_, self.mean_margins_)

    def _scores(self) -> NDArray:
        return self.scores_


def _on_skew(n_skewed: int, n_features: int) -> list[str]:
    """What to do about skewed features, if there are any."""
    if not n_skewed:
        return []
    are = "is skewed or has" if n_skewed == 1 else "are skewed or have"
    of = f"{n_skewed:,} of {n_features:,} features looked at"
    return [f"first try logarithms or ranks, since {of} {are} outliers"]


def _advice(found: Fit) -> str:
    """What alpha to use where every weight is zero.

    Below the largest gradient at w = 0 a weight is certain. Where no feature alone separates
    the classes, only an interaction can, and the starts show how strong it may be.
    """
    certain = found.gradient.max()
    if certain > 0:
        return f"use an alpha below {certain:.3g}"
    if found.largest_alpha > 0:
        return f"try an alpha well below {found.largest_alpha:.3g}"
    return "no feature is closer between hits than between misses"


def decreasing(alphas: ArrayLike | int, largest: Callable[[], float]) -> NDArray:
    """Strengths from strong to weak; of a number of them, from `largest` down."""
    if isinstance(alphas, Integral) and not isinstance(alphas, bool):
        check_count("alphas", alphas)
        top = largest()
        strongest = top if top > thresholds.SMALLEST_ALPHA else 1.0
        return strongest * np.geomspace(1.0, thresholds.WEAKEST_OF_PATH, int(alphas))
    given = np.atleast_1d(np.asarray(alphas, float))
    if given.ndim != 1 or not len(given) or not (np.isfinite(given) & (given > 0)).all():
        raise ValueError("alphas must be a whole number, or a list of finite numbers above 0.")
    return np.sort(given)[::-1]
