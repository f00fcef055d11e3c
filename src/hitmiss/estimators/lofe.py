"""LOFE: local-learning-based feature selection, exact and certified."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss.blocks import Blocks
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.validation import check_choice, check_count, check_positive
from hitmiss.kernels.distances import cross_distances
from hitmiss.margins import FixedPoint, Problem
from hitmiss.neighbors import class_distances, expected_distance
from hitmiss.paper import algorithm_1
from hitmiss.working_set import Search

CHUNK = 4096  # samples predicted at once
CERTIFIED = 1e-3  # the largest optimality gap of a converged fit


class LOFE(ClassifierMixin, BaseSelector):
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
        Start. "soft" is ``1 / sqrt(n_features)`` for every feature, "ones" is 1, "auto" runs both
        and keeps the fixed point of lowest objective.
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
        Whether the fixed point was reached.
    n_iter_ : int
        Number of iterations from the start that won.
    history_ : list of dict
        A row per iteration: start, objective, step, n_nonzero, gap and residual.
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
    Two relevant features, of no use one by one, among a thousand:

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
        check_positive("sigma", self.sigma)
        check_positive("alpha", self.alpha)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_choice("solver", self.solver, ("working-set", "paper"))
        if isinstance(self.init, str):
            check_choice("init", self.init, ("auto", "soft", "ones"))

    def _weigh(self, blocks: Blocks, y: NDArray) -> NDArray:
        problem = Problem(y, float(self.sigma), float(self.alpha))
        self.history_: list[dict[str, Any]] = []
        found = self._solve(blocks, problem)
        self.scores_ = found.gradient / self.alpha
        self.optimality_gap_ = found.gap
        self.objective_ = found.objective
        self.converged_ = found.converged and found.gap <= CERTIFIED
        self.n_iter_ = found.n_iter
        self._keep_references(blocks, y, found.w)
        self._warn(found)
        return found.w

    def _solve(self, blocks: Blocks, problem: Problem) -> FixedPoint:
        limits: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        if self.solver == "paper":
            self.init_ = "ones"
            record = self._recorder([self.init_])
            return algorithm_1(blocks, problem, **limits, record=record)
        starts = self._starts(blocks.n_features)
        search = Search(blocks, problem, **limits, record=self._recorder(list(starts)))
        found = search.run(list(starts.values()))
        self.init_ = list(starts)[found.start]
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

    def _keep_references(self, blocks: Blocks, y: NDArray, w: NDArray) -> None:
        """The training samples, reduced to the features with a weight, and their LOO error."""
        support = np.flatnonzero(w)
        columns = blocks.columns(support)
        self._support, self._labels = support, y
        self._center = None if blocks.center is None else blocks.center[support]
        self._factor = w[support] * (1.0 if blocks.factor is None else blocks.factor[support])
        self._samples = columns.X * w[support]
        E = self._to_classes(columns.distances(w[support]), leave_out=True)
        counted = np.bincount(y)[y] > 1
        self.loo_error_ = float(np.mean(E.argmin(axis=1)[counted] != y[counted]))

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
                f"use an alpha below {found.largest_alpha:.3g}.",
                UserWarning,
                stacklevel=4,
            )

    def _scores(self) -> NDArray:
        return self.scores_

    def _by_distances(self, X: ArrayLike, function: Callable[[NDArray], NDArray]) -> NDArray:
        """`function` of the weighted distances of new samples to the training samples.

        A few samples at a time, so that the matrix of distances stays small.
        """
        check_is_fitted(self)
        data = validate_data(self, X, reset=False, dtype="numeric")
        A = data[:, self._support].astype(float)
        if self._center is not None:
            A -= self._center
        A *= self._factor

        def chunk(start: int) -> NDArray:
            queries = A[start : start + CHUNK]
            D = np.empty((len(queries), len(self._labels)))
            cross_distances(queries, self._samples, D)
            return function(D)

        return np.concatenate([chunk(start) for start in range(0, len(A), CHUNK)])

    def _to_classes(self, D: NDArray, *, leave_out: bool = False) -> NDArray:
        """Expected distance to each class; the smallest wins."""
        if not len(self._support):  # every distance is 0: the commonest class is the best guess
            prior = np.bincount(self._labels) / len(self._labels)
            return np.broadcast_to(-np.log(prior), (len(D), len(prior)))
        return class_distances(D, self._labels, self.sigma, leave_out=leave_out)

    def _to_margins(self, D: NDArray) -> NDArray:
        """Expected distance to all other classes pooled minus that to each class."""
        members = [self._labels == label for label in range(len(self.classes_))]
        return np.column_stack(
            [
                expected_distance(D, ~own, self.sigma) - expected_distance(D, own, self.sigma)
                for own in members
            ]
        )

    def margins(self, X: ArrayLike) -> NDArray:
        """Expected margin of each sample if it belonged to each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        margins : ndarray of shape (n_samples, n_classes)
            Expected distance to the nearest sample of all other classes pooled, minus that to
            the nearest of the class.
        """
        return self._by_distances(X, self._to_margins)

    def decision_function(self, X: ArrayLike) -> NDArray:
        """How much closer each sample is to a class than to the closest other class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes, positive means the second.
        """
        E = self._by_distances(X, self._to_classes)
        if E.shape[1] == 2:
            return E[:, 0] - E[:, 1]
        order = np.sort(E, axis=1)
        closest_other = np.where(order[:, :1] == E, order[:, 1:2], order[:, :1])
        return closest_other - E

    def predict(self, X: ArrayLike) -> NDArray:
        """Class of smallest expected distance.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Labels.
        """
        nearest = self._by_distances(X, self._to_classes).argmin(axis=1)
        return self.classes_[nearest]

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Probability of each class, ``softmax(-expected distance)``.

        For two classes this is the logistic function of the margin, the model that `fit` uses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        return softmax(-self._by_distances(X, self._to_classes), axis=1)
