"""LOFE: local-learning-based feature selection, exact and certified."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hitmiss.blocks import Blocks
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.classifier import LocalClassifierMixin
from hitmiss.estimators.validation import check_choice, check_count, check_positive
from hitmiss.margins import FixedPoint, Problem
from hitmiss.paper import algorithm_1
from hitmiss.working_set import Search

CERTIFIED = 1e-3  # the largest optimality gap of a converged fit


class LOFE(LocalClassifierMixin, BaseSelector):
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
    sigma : float, default=2.0
        Kernel width of the soft neighbors: small means only the nearest count.
    alpha : float, default=1.0
        Strength of the L1 penalty: larger means fewer features.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    init : {"auto", "soft", "ones"} or array-like of shape (n_features,), default="auto"
        Start. "soft" is ``1 / sqrt(n_features)`` for every feature, "ones" is 1. "auto" runs both,
        where neither settles also one that comes from a stronger penalty ("sparse"), where none
        explains much one that comes from more local neighbors ("sharp"), and keeps the fixed
        point of lowest objective.
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
        relative to alpha, with the neighbors recomputed at `weights_`.
    objective_ : float
        Objective at `weights_`.
    loo_error_ : float
        Share of training samples misclassified when each is left out in turn.
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

    def __init__(
        self,
        sigma: float = 2.0,
        alpha: float = 1.0,
        *,
        scale: str | None = "range",
        init: str | ArrayLike = "auto",
        solver: str = "working-set",
        threshold: float = 0.01,
        max_features: int | None = None,
        tol: float = 1e-5,
        max_iter: int = 200,
        n_jobs: int | None = None,
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
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("sigma", self.sigma, largest=np.inf)
        check_positive("alpha", self.alpha)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_choice("solver", self.solver, ("working-set", "paper"))
        if isinstance(self.init, str):
            check_choice("init", self.init, ("auto", "soft", "ones"))
        if self.solver == "paper" and not (isinstance(self.init, str) and self.init == "auto"):
            raise ValueError("solver='paper' always starts from ones; leave init at 'auto'.")

    def _weigh(self, blocks: Blocks, y: NDArray) -> NDArray:
        problem = Problem(y, float(self.sigma), float(self.alpha))
        self.history_: list[dict[str, Any]] = []
        found = self._solve(blocks, problem)
        self.scores_ = found.gradient / self.alpha
        self.optimality_gap_ = found.gap
        self.objective_ = found.objective
        self.converged_ = found.converged and found.gap <= CERTIFIED
        self.n_iter_ = found.n_iter
        self._remember(blocks, y, found.w)
        self._warn(found)
        return found.w

    def _solve(self, blocks: Blocks, problem: Problem) -> FixedPoint:
        limits: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        if self.solver == "paper":
            self.init_ = "ones"
            record = self._recorder([self.init_])
            return algorithm_1(blocks, problem, **limits, record=record)
        starts = self._starts(blocks.n_features)
        names = [*starts, "sparse", "sharp"]
        search = Search(blocks, problem, **limits, record=self._recorder(names))
        auto = isinstance(self.init, str) and self.init == "auto"
        found = search.run(list(starts.values()), explore=auto)
        self.init_ = names[found.start]
        return found

    def _starts(self, n_features: int) -> dict[str, float | NDArray]:
        """Name and weights of each start; a number stands for uniform weights."""
        uniform = {"soft": n_features**-0.5, "ones": 1.0}
        if isinstance(self.init, str):
            return uniform if self.init == "auto" else {self.init: uniform[self.init]}
        w = np.asarray(self.init, float)
        if w.shape != (n_features,) or not np.isfinite(w).all() or (w < 0).any():
            raise ValueError(
                f"init must hold {n_features} finite weights of at least 0, one per feature."
            )
        return {"given": w}

    def _recorder(self, names: list[str]) -> Any:
        def record(start: int, **row: Any) -> None:
            self.history_.append({"start": names[start], **row})

        return record

    def _warn(self, found: FixedPoint) -> None:
        if not self.converged_:
            warnings.warn(
                f"LOFE did not converge in {found.n_iter} iterations (optimality gap "
                f"{found.gap:.1e}); increase sigma, max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        if not found.w.any():
            warnings.warn(
                f"All weights are zero: alpha={self.alpha:g} is too strong for these data; "
                f"{_advice(found)}.",
                UserWarning,
                stacklevel=4,
            )

    def _scores(self) -> NDArray:
        return self.scores_


def _advice(found: FixedPoint) -> str:
    """What alpha to use where every weight is zero.

    Below the largest gradient at w = 0 a weight is certain. Where no feature alone separates
    the classes, only an interaction can, and the starts show how strong it may be.
    """
    certain = found.gradient.max()
    if certain > 0:
        return f"use an alpha below {certain:.3g}"
    if found.largest_alpha > 0:
        return f"try an alpha well below {found.largest_alpha:.3g}"
    return "and no feature is closer between hits than between misses"
