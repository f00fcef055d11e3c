"""LOFE: local-learning-based feature selection, exact and certified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import cycle
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from hitmiss._util.blas import one_blas_thread
from hitmiss._util.checks import check_choice, check_count, check_positive_or
from hitmiss.data.features import Features
from hitmiss.data.reordered import Reordered
from hitmiss.estimators import thresholds
from hitmiss.estimators.classifier import leave_one_out_error
from hitmiss.estimators.local_learner import LocalLearner, decreasing
from hitmiss.inference.statistic import Statistic
from hitmiss.lofe import heuristics
from hitmiss.lofe.algorithm1 import algorithm_1
from hitmiss.lofe.checkpoint import Checkpoint, fingerprint
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.path_area import noise_alpha, path_area
from hitmiss.lofe.problem import Fit
from hitmiss.lofe.several_targets import several_targets
from hitmiss.lofe.steps import PLAIN_STEPS, Steps
from hitmiss.lofe.tuning import by_evidence
from hitmiss.neighbors.pairs import AllPairs, Pairs, balanced_references
from hitmiss.targets.classes import Classes

# Parameters that change no weight, so that a checkpoint may be continued with others.
IRRELEVANT = ("checkpoint", "max_features", "memory", "n_jobs", "threshold", "verbose")


class LOFE(LocalLearner):
    r"""Local-learning-based feature selection, also known as LOGO.

    Finds weights :math:`w \ge 0` that make the margin of every sample large, its expected
    distance to the nearest miss minus that to the nearest hit, and keeps few of them:

    .. math:: w = \arg\min_{u \ge 0} \sum_n \log(1 + e^{-u \cdot \bar z_n(w)}) + \alpha \|u\|_1

    where the margin vectors :math:`\bar z_n(w)` average :math:`|x_n - x_i|` over misses minus
    hits, weighted by how likely each is the nearest under w itself. The fixed point is computed
    exactly, over all features, from several starts of which the lowest objective wins, and
    carries a certificate, `optimality_gap_`. The learned distance is also a classifier.

    Parameters
    ----------
    sigma : float or "auto", default=2.0
        Kernel width of the soft neighbors: small means only the nearest count. "auto" takes, of
        0.5, 1, 2, 4 and 8, the one of lowest leave-one-out error; use it with
        ``alpha="evidence"``, since a fixed alpha is too weak for small widths.
    alpha : float or {"evidence", "bound"}, default=1.0
        Strength of the L1 penalty: larger means fewer features. "evidence" chooses it by maximum
        evidence. "bound" does so by the paper's bound on the evidence, for comparison: it ends
        at a penalty far too weak.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    init : {"auto", "soft", "ones"} or array-like of shape (n_features,), default="auto"
        Start. "soft" is ``1 / sqrt(n_features)`` for every feature, "ones" is 1. "auto" runs both,
        where neither settles also one that comes from a stronger penalty ("sparse"), where none
        explains much one that comes from more local neighbors ("sharp") and one from the few
        features left when the worst ones go, again and again ("pruned"), and keeps the fixed
        point of lowest objective. Of very many samples (8,000 in row tiles, see the user guide)
        the starts are followed with 2,000 first.
    solver : {"working-set", "paper"}, default="working-set"
        "paper" is Algorithm 1 of the paper to the letter, for comparison: it may lose relevant
        features and may cycle.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    tol : float, default=1e-5
        The iteration stops when the weights change by less than this, relative to their norm.
        With ``solver="paper"`` it is the paper's absolute bound, 0.01 there.
    max_iter : int, default=200
        Largest number of iterations from one start.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB", or to more
        samples than there is room for pairs of.
    max_references : int, default=None
        Largest number of samples that may be neighbors, for very many samples: as many of each
        class, but at least two, drawn at random but always the same. The loss is still that of
        all samples. None takes all; see the user guide for what this costs in accuracy.
    checkpoint : str or path, default=None
        Folder for the state of the fit after every iteration. A fit that was interrupted goes on
        from there when it is run again with the same data and parameters, and gives the same
        weights, bit for bit.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        Gradient of the fit at the fixed point over alpha: 1 for features with a weight, below 1
        for the others, and the closer to 1 the closer to entering.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    optimality_gap_ : float
        Certificate: the largest violation of the optimality condition over all features,
        relative to alpha, with the neighbors recomputed at `weights_`. Near 0 the weights are a
        fixed point; that does not say that the features are the true ones.
    objective_ : float
        Objective at `weights_`.
    sigma_, alpha_ : float
        Kernel width and strength of the penalty in use.
    log_evidence_ : float
        Logarithm of the evidence of `alpha_`, if that was to be chosen.
    n_improper_ : int
        Number of features whose posterior does not hold and that the evidence leaves out, if
        alpha was to be chosen.
    loo_error_ : float
        Share of training samples misclassified when each is left out in turn. It is too low:
        the weights were found with these samples.
    converged_ : bool
        Whether the fixed point was reached and `optimality_gap_` is at most 1e-3.
    n_iter_ : int
        Number of iterations from the start that won.
    history_ : list of dict
        A row per iteration: start, sigma, alpha, objective, step, n_nonzero, gap and residual;
        gap and residual are those of the features at work.
    init_ : str
        The start that won.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    Y. Sun, S. Todorovic, S. Goodison (2010). Local-learning-based feature selection for
    high-dimensional data analysis. IEEE TPAMI 32(9), 1610-1626, eq. 3-7 and 20.

    Examples
    --------
    Two features that only together tell the classes apart, among a thousand others:

    >>> from hitmiss import LOFE, datasets
    >>> X, y = datasets.make_spiral(n_irrelevant=1000, random_state=0, return_X_y=True)
    >>> lofe = LOFE().fit(X, y)
    >>> lofe.get_support(indices=True)
    array([0, 1])
    >>> lofe.weights_[:2].round(1)
    array([29. , 28.6])
    >>> bool(lofe.optimality_gap_ < 1e-3)
    True
    """

    _out_of_core = True

    def __init__(
        self,
        sigma: float | str = 2.0,
        alpha: float | str = 1.0,
        *,
        scale: str | None = "range",
        init: str | ArrayLike = "auto",
        solver: str = "working-set",
        threshold: float = 0.01,
        max_features: int | None = None,
        tol: float = 1e-5,
        max_iter: int = 200,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        max_references: int | None = None,
        checkpoint: str | PathLike | None = None,
        verbose: bool = False,
    ):
        self.sigma = sigma
        self.alpha = alpha
        self.scale = scale
        self.init = init
        self.solver = solver
        self.threshold = threshold
        self.max_features = max_features
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.memory = memory
        self.max_references = max_references
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive_or("sigma", self.sigma, ("auto",), largest=np.inf)
        check_positive_or("alpha", self.alpha, ("evidence", "bound"))
        if self.max_references is not None:
            check_count("max_references", self.max_references)
        check_choice("solver", self.solver, ("working-set", "paper"))
        if self.solver == "paper" and not (isinstance(self.init, str) and self.init == "auto"):
            raise ValueError("solver='paper' always starts from ones; leave init at 'auto'.")
        if self.solver == "paper" and (isinstance(self.alpha, str) or isinstance(self.sigma, str)):
            raise ValueError("solver='paper' needs numbers as sigma and alpha.")
        if self.solver == "paper" and self.checkpoint is not None:
            raise ValueError("solver='paper' keeps no checkpoint; leave checkpoint at None.")

    @one_blas_thread()
    def _weigh(self, features: Features, target: Classes) -> NDArray:
        with self._steps(features, target) as steps:
            return self._weighed(features, target, steps)

    def _weighed(self, features: Features, target: Classes, steps: Steps) -> NDArray:
        self.history_: list[dict[str, Any]] = []
        fixed_points = self._fixed_points(features, target, steps)
        found = self._best(fixed_points)
        w = self._learned(fixed_points, found)
        if isinstance(self.alpha, str):
            self.log_evidence_ = found.evidence.log_evidence
            self.n_improper_ = found.evidence.n_improper
        self._warn(found, features)
        return w

    def _best(self, fixed_points: FixedPoints) -> Fit:
        """The fixed point, at the kernel width of lowest leave-one-out error."""
        if self.sigma != "auto":
            return self._solve(fixed_points, float(self.sigma))
        return min(
            (self._solve(fixed_points, sigma) for sigma in thresholds.AUTO_SIGMAS),
            key=lambda fit: leave_one_out_error(
                fixed_points.features, fixed_points.problem.replaced(sigma=fit.sigma), fit.w
            ),
        )

    def _why_empty(self, found: Fit) -> list[str]:
        if isinstance(self.alpha, str):
            return ["the data give no evidence for any feature"]
        return super()._why_empty(found)

    def _references(self, target: Classes) -> NDArray | None:
        if self.max_references is None:
            return None
        return balanced_references(target, int(self.max_references))

    def _matrices(self, n_samples: int) -> int:
        if self.max_references is not None and self.max_references < n_samples:
            return 0
        return super()._matrices(n_samples)

    @contextmanager
    def _steps(self, features: Features, target: Classes) -> Iterator[Steps]:
        """The steps of the fit, stored if there is a checkpoint, which no other fit has then."""
        if self.checkpoint is None:
            yield PLAIN_STEPS
            return
        parameters = self.get_params(deep=False)
        for name in IRRELEVANT:
            del parameters[name]
        parameters["row_tiles"] = not self._matrices(len(target))  # steps other than those of pairs
        key = fingerprint(features, target.codes, parameters)
        with Checkpoint(self.checkpoint, key) as checkpoint:
            yield checkpoint.steps()

    def _solve(self, fixed_points: FixedPoints, sigma: float) -> Fit:
        """The fixed point at a kernel width, the strength of the penalty tuned if need be."""
        if isinstance(self.alpha, str):
            return by_evidence(fixed_points, sigma, self.alpha)
        alpha = float(self.alpha)
        if self.solver != "paper":
            return fixed_points.solve(sigma, alpha)
        return algorithm_1(
            fixed_points.features,
            fixed_points.problem.replaced(sigma=sigma, alpha=alpha),
            tol=self.tol,
            max_iter=self.max_iter,
            record=self._recorder(["ones"]),
        )

    def shared_by_labels(self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray]) -> float:
        """The strength of the penalty at which noise begins to have a weight.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        orders : sequence of ndarray of shape (n_samples,)
            Permutations to learn it from.
        """
        model, features, target = self._opened(X, y)
        return model._shared_by_targets(features, (target.of(order) for order in orders))

    def _shared_by_targets(self, features: Features, targets: Iterable[Classes]) -> float:
        return noise_alpha(self._fixed_points(features, target) for target in targets)

    def _weigh_each(self, features: Features, targets: Iterable[Classes]) -> Iterator[Self]:
        matrix = self.max_references is None and self._matrices(features.n_samples)
        if not matrix or self.solver == "paper":
            yield from super()._weigh_each(features, targets)
            return
        unit = features.distances(np.ones(features.n_features))
        for target in targets:
            model = copy(self)
            model.classes_, model.history_ = target.labels, []
            how = several_targets(target, unit, self.tol)
            points = model._fixed_points(features, target, **how)
            with one_blas_thread():
                found = model._best(points)
            model._describe(found)
            model.weights_ = found.w
            yield model._ranked()

    def _statistics(
        self, features: Features, targets: Iterable[Classes], shared: float | Sequence[float]
    ) -> Iterator[Statistic]:
        if isinstance(self.sigma, str):
            raise ValueError("A test by permutation needs a number as sigma.")
        self.history_, self.tol = [], max(self.tol, heuristics.AREA_TOL)
        pairs, weakest = None, cycle(np.atleast_1d(shared).tolist())  # of several, each in turn
        for target in targets:
            pairs = pairs or self._shared_pairs(features, target)
            points = self._fixed_points(features, target, pairs=pairs)
            with one_blas_thread():
                found = path_area(points, float(self.sigma), next(weakest))
            yield Statistic(*found)

    def refined_statistics(
        self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray], shared: float, known: NDArray
    ) -> Iterator[NDArray]:
        """The statistic of every feature if known ones keep their labels: noise beside signal.

        For each of the orders the labels and the known features change places together, so that
        the latter explain the former as well as ever, and all others say nothing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        orders : sequence of ndarray of shape (n_samples,)
            Orders of the labels.
        shared : float
            As from `shared_by_labels`.
        known : ndarray of int
            The known features, ascending.
        """
        model, features, target = self._opened(X, y)
        model.history_, model.tol, sigma = [], max(self.tol, heuristics.AREA_TOL), float(self.sigma)
        with one_blas_thread():
            alone = model._fixed_points(features.columns(known), target).solve(sigma, shared)
        model.init = np.zeros(features.n_features)
        model.init[known] = alone.w
        for order in orders:
            moved = Reordered(features, known, order)
            points = model._fixed_points(moved, target.of(order))
            with one_blas_thread():
                found = path_area(points, sigma, shared, known)
            yield found.areas

    def _shared_pairs(self, features: Features, target: Classes) -> Pairs:
        """Pairs of samples for any target, with what does not depend on it."""
        pairs = self._pairs(features, target)
        if isinstance(pairs, AllPairs):
            return AllPairs(features.distances(np.ones(features.n_features)))
        return pairs

    def _starts(self, n_features: int) -> dict[str, float | NDArray]:
        return {"ones": 1.0} if self.solver == "paper" else super()._starts(n_features)

    def path(self, X: ArrayLike, y: ArrayLike, alphas: ArrayLike | int = 20) -> Bunch:
        """Weights for many strengths of the penalty.

        The estimator itself is not fitted, and its `alpha` is not used.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        alphas : array-like or int, default=20
            Strengths, or how many: then from the smallest that makes every weight zero down to
            0.03 of it, in equal ratios.

        Returns
        -------
        path : Bunch
            alphas, from strong to weak; weights of shape (n_alphas, n_features); objectives,
            optimality_gaps and converged, each of shape (n_alphas,).
        """
        models = self._fitted_path(X, y, alphas)
        return Bunch(
            alphas=np.array([model.alpha_ for model in models]),
            weights=np.array([model.weights_ for model in models]),
            objectives=np.array([model.objective_ for model in models]),
            optimality_gaps=np.array([model.optimality_gap_ for model in models]),
            converged=np.array([model.converged_ for model in models]),
        )

    @one_blas_thread()
    def _fitted_path(self, X: ArrayLike, y: ArrayLike, alphas: ArrayLike | int) -> list[LOFE]:
        """A fitted clone per strength, from strong to weak."""
        if isinstance(self.sigma, str):
            raise ValueError("A path needs a number as sigma.")
        model = clone(self).set_params(alpha=1.0, solver="working-set", checkpoint=None)
        data, target = model._validated(X, y)
        model.history_ = []
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
