"""LOFE: local-learning-based feature selection, exact and certified."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import KW_ONLY, dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.checks import check_choice, check_count, check_positive, check_positive_or
from hitmiss._util.errors import warn
from hitmiss._util.ties import comparable
from hitmiss._util.workers import one_blas_thread
from hitmiss.data.features import Features
from hitmiss.estimators.local_learning import LocalLearning
from hitmiss.estimators.prediction import LocalClassifier
from hitmiss.estimators.selector import Opened, Selector, Weigher, best_first
from hitmiss.estimators.target_kinds import ClassWeight, PerSample

if TYPE_CHECKING:
    from hitmiss.lofe import Problem


def by_weight(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """By weight, those without one by their score: features that say the same share a weight."""
    return best_first(weights, scores)


def by_margin(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """By mean margin: also those whose weight went to others that say the same."""
    return best_first(margins, scores)


def by_both(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """Features with a weight first, by their part of the mean margin, then the others by margin.

    The mean margin of the samples is the sum of weight times mean margin over the features. What
    was selected leads, and what it stands for follows.
    """
    parts = comparable(weights * np.maximum(margins, 0.0))
    return np.lexsort((-comparable(margins), -parts, weights <= 0))


# What `ranking_` follows.
ORDERS: dict[str, Callable[[NDArray, NDArray, NDArray], NDArray]] = {
    "weight": by_weight,
    "margin": by_margin,
    "both": by_both,
}


def _has_alpha(estimator: Any) -> bool:
    return hasattr(estimator, "alpha")


@dataclass(eq=False, repr=False, kw_only=True)
class LocalLearner(Selector):
    """Base of LOFE for classes, numbers and survival, and of LOFECV.

    The parameters are those of `hitmiss.LOFE`; `solver` and `order` are ones that only some have.
    """

    scale: str | None = "range"
    missing: str = "mean-difference"
    categorical: str | ArrayLike | None = "auto"
    threshold: float = 0.01
    init: str | ArrayLike = "auto"
    tol: float = 1e-5
    max_iter: int = 200
    n_init: int = 0

    _out_of_core = True
    # With alpha=1 and two threads 0.11 on the spiral with 1,000,000 features and 0.58 on twonorm
    # with 1,600 samples; 3 where 2,000 samples overlap so much that it iterates long.
    _pair_nanoseconds: ClassVar[tuple[float, float] | None] = (0.1, 3.0)
    solver = "working-set"
    order = "weight"

    def _weigher(self) -> Weigher:
        return self._learning()

    def _learning(self) -> LocalLearning:
        """The weigher of local learning with the parameters of the estimator."""
        parameters = self.get_params(deep=False)
        names = parameters.keys() & LocalLearning.__dataclass_fields__.keys()
        known = {name: parameters[name] for name in names}
        known |= {"solver": self.solver, "order": self.order, "memory": self._memory_limit()}
        return LocalLearning(type(self).__name__, self._kind, self._nominal(), parameters, **known)

    def _matrices(self, n_samples: int) -> int:
        return self._learning().matrices(n_samples)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_count("n_init", self.n_init, smallest=0)
        check_choice("order", self.order, tuple(ORDERS))
        if isinstance(self.init, str):
            check_choice("init", self.init, ("auto", "soft", "ones"))
        if not hasattr(self, "alpha"):
            return
        check_positive_or("sigma", self.sigma, ("auto",), largest=np.inf)
        check_positive_or("alpha", self.alpha, ("auto", "evidence"))
        if self.alpha == "evidence":
            warn(
                f"alpha='evidence' of {type(self).__name__} is deprecated and goes in hitmiss 0.3; "
                "use alpha='auto', which has better lists and predictions.",
                FutureWarning,
            )
        if self.max_references is not None:
            check_count("max_references", self.max_references)

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
        opened = model._open(data, target)
        return opened.features, self._problem(opened)

    def _problem(self, opened: Opened) -> Problem:
        """The problem of the fit."""
        return self._learning().problem(opened, self.sigma_, self.alpha_)

    @available_if(_has_alpha)
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
        model = self._for_path()
        opened = model._open(*model._validated(X, y, PerSample(**samples)))
        models = model._fitted_path(opened, alphas, ranked=False)
        return Bunch(
            alphas=np.array([model.alpha_ for model in models]),
            weights=np.array([model.weights_ for model in models]),
            objectives=np.array([model.objective_ for model in models]),
            optimality_gaps=np.array([model.optimality_gap_ for model in models]),
            converged=np.array([model.converged_ for model in models]),
        )

    def _for_path(self) -> Self:
        """A clone whose path is asked for."""
        if isinstance(self.sigma, str):
            raise ValueError("A path needs a number as sigma.")
        model = clone(self).set_params(alpha=1.0, checkpoint=None)
        model.solver = "working-set"
        return model

    @one_blas_thread()
    def _fitted_path(self, opened: Opened, alphas: ArrayLike | int, *, ranked: bool) -> list[Self]:
        """A fitted copy per strength, from strong to weak.

        Those that are not `ranked` have the order of their weights, which takes no pass.
        """
        models: list[Self] = []
        if not ranked:
            self.order = "weight"
        for alpha, found in self._learning().path(opened, alphas):
            model = copy(self)
            model.alpha = alpha
            models.append(model._take(found))
        return models

    @property
    def ranking_(self) -> NDArray:
        """All features, best first, by `order`."""
        if self.order == "weight":
            return super().ranking_
        if not hasattr(self, "mean_margins_"):
            raise AttributeError(f"order={self.order!r} was set after the fit; fit again.")
        return ORDERS[self.order](self.weights_, self.scores_, self.mean_margins_)


@dataclass(eq=False, repr=False)
class LOFE(LocalClassifier, LocalLearner):
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
        Kernel width of the soft neighbors: small means only the nearest count. "auto" with
        ``alpha="auto"`` is 2, unless 1 or 4 has a clearly lower error on samples held back from
        rough fits. With any other alpha, or data that do not fit into `memory`, it is the one of
        0.5, 1, 2, 4 and 8 with the lowest leave-one-out error; a fixed alpha is too weak for small
        widths.
    alpha : float or {"auto", "evidence"}, default="auto"
        Strength of the L1 penalty: larger means fewer features. "auto" is what features that say
        nothing do not exceed, from the data: hardly one of them is selected, however many samples
        there are. A number stands beside a sum over the samples, as in the paper, where it is 1,
        so that more samples mean more features, also irrelevant ones. "evidence", which is
        deprecated, chooses it by maximum evidence.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : {"auto", "soft", "ones"} or array-like of shape (n_features,), default="auto"
        Start of the iteration. "auto" runs it from several starts and keeps the fixed point of
        lowest objective, see "Several starts" in the user guide; "soft" runs it from
        ``1 / sqrt(n_features)`` for every feature, "ones" from 1.
    solver : {"working-set", "paper"}, default="working-set"
        "paper" is Algorithm 1 of the paper to the letter, for comparison: it may lose relevant
        features and may cycle. There ``alpha="auto"`` is the paper's 1.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select from the top of `ranking_`, instead of `threshold`.
    order : {"both", "weight", "margin"}, default="both"
        What `ranking_` follows: first the features with a weight, by weight times mean margin,
        which is their part of the mean margin of the samples, then all others by `mean_margins_`;
        the weight, and beyond the features with a weight `scores_`; or `mean_margins_`. Weights
        leave out features that say the same as others, margins keep them.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the loss, which multiply those of the samples. "balanced" gives
        every class the same in all.
    tol : float, default=1e-5
        The iteration stops when the weights change by less than this, relative to their norm.
        With ``solver="paper"`` it is the paper's absolute bound, 0.01 there.
    max_iter : int, default=200
        Largest number of iterations from one start.
    n_init : int, default=0
        Restarts from random supports near the best fixed point, which pay where the kernel is
        narrow and fixed points are many; see the user guide.
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
    mean_margins_ : ndarray of shape (n_features,)
        Mean over the samples of the margin in each feature alone, under the neighbors that all
        features with a weight define: how much farther misses are than hits. It makes the last
        look at all features longer, so it is not there with ``order="weight"``.
    ranking_ : ndarray of shape (n_features,)
        All features, best first, by `order`.
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
        gap and residual are those of the features at work, and where a fit begins with some of the
        samples, the first rows are of these.
    init_ : str
        The start that won.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    categories_ : dict
        Levels of each nominal feature, by its index; None where its numbers are the levels.
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
    array([25.9, 25.9])
    >>> round(lofe.alpha_, 2), bool(lofe.optimality_gap_ < 1e-3)
    (1.38, True)
    """

    sigma: float | str = 2.0
    alpha: float | str = "auto"
    _: KW_ONLY
    solver: str = "working-set"
    order: str = "both"
    class_weight: ClassWeight = None
    memory: int | str | None = None
    max_references: int | None = None
    checkpoint: str | PathLike | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("solver", self.solver, ("working-set", "paper"))
        if self.solver == "paper" and not (isinstance(self.init, str) and self.init == "auto"):
            raise ValueError("solver='paper' always starts from ones; leave init at 'auto'.")
        if self.solver == "paper" and (self.alpha == "evidence" or isinstance(self.sigma, str)):
            raise ValueError("solver='paper' needs numbers as sigma and alpha.")
        if self.solver == "paper" and self.checkpoint is not None:
            raise ValueError("solver='paper' keeps no checkpoint; leave checkpoint at None.")
