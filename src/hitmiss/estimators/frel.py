"""FREL and Lmba: energies of the neighbors of every sample, and a loss that is minimized."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass, is_dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss.data.features import Features
from hitmiss.estimators.relief import OF_SINGLE_NEIGHBORS
from hitmiss.estimators.selector import Selector, Weighed
from hitmiss.estimators.target_kinds import ClassWeight
from hitmiss.losses import LOSSES, EnergyLoss, SquareSquare, Weighted
from hitmiss.penalties import L1, L2, PENALTIES, Penalty
from hitmiss.solvers import Solution, missing
from hitmiss.solvers.exact import check_solvable, exact, solver_for
from hitmiss.solvers.paper_descent import single_pass
from hitmiss.targets.target import Target
from hitmiss.weighting.frel import LazyRows, energy_neighbors, energy_rows, miss_to_hit

VANISHING_ALPHA = 1e-8  # picks one minimizer, over the mean square of the rows: about the
# square root of the rounding error, so that the loss decides wherever it can


@dataclass(eq=False, repr=False, kw_only=True)
class EnergyBased(Selector):
    """Base of FREL and Lmba; a subclass implements `_loss` and `_penalty`."""

    scale: str | None = "range"
    missing: str = "mean-difference"
    categorical: str | ArrayLike | None = "auto"
    threshold: float = 0.01
    sigma: float | None = None
    solver: str = "exact"
    positive: bool = False
    class_weight: ClassWeight = None
    max_iter: int = 200

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        covariates: ArrayLike | None = None,
    ) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample's loss in the mean; only their ratios matter. A sample of weight
            zero is still the hit or the miss of others.
        groups, strata, covariates : array-like, default=None
            Who may be a neighbor of whom, as in `LOFE.fit`.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return super().fit(
            X,
            y,
            sample_weight=sample_weight,
            groups=groups,
            strata=strata,
            covariates=covariates,
        )

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        one = self.sigma is None and self.n_neighbors == 1
        return OF_SINGLE_NEIGHBORS if one else super().fit_takes

    @abstractmethod
    def _loss(self) -> EnergyLoss:
        """The loss; its margin may be None, which is replaced by that of the data."""

    @abstractmethod
    def _penalty(self, A: NDArray) -> Penalty:
        """The penalty, for rows A."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_count("n_neighbors", self.n_neighbors)
        if self.sigma is not None:
            check_positive("sigma", self.sigma)
        check_choice("solver", self.solver, ("exact", "paper"))

    def _weigh(self, features: Features, target: Target) -> Weighed:
        D = features.distances(np.ones(features.n_features))
        Q = energy_neighbors(D, target, int(self.n_neighbors), self.sigma, features.workers)
        loss: Any = self._loss()
        open_margin = is_dataclass(loss) and getattr(loss, "margin", 0.0) is None
        if open_margin:
            loss = replace(loss, margin=miss_to_hit(D, Q))
        A: Any = energy_rows(features, Q, loss)
        _check_squares(A)
        _check_one_per_row(loss, len(A))
        mean_loss = Weighted(loss, np.resize(_shares(target), len(A)))
        penalty: Any = self._penalty(A)
        if isinstance(A, LazyRows) and self._needs_memory(loss, penalty, A.shape):
            raise ValueError(
                f"{type(self).__name__} fits data of this size only with penalty='l2', "
                "positive=False, solver='exact' and a smooth loss that has a curvature; use these, "
                "or more memory."
            )
        found: Solution
        if self.solver == "paper":
            found = single_pass(A, mean_loss, penalty, len(target))
        else:
            found = exact(A, mean_loss, penalty, tol=self.tol, max_iter=self.max_iter)
        objective = float(mean_loss.value(A @ found.w).sum()) + penalty.value(found.w)
        if not np.isfinite(found.w).all():
            raise ValueError(
                f"Weights are not finite: is the derivative of {type(loss).__name__} that of its "
                "value?"
            )
        if not found.converged:
            warn(
                f"{type(self).__name__} did not converge in {found.n_iter} iterations (optimality "
                f"gap {found.gap:.1e}); increase alpha, max_iter or tol.",
                ConvergenceWarning,
            )
        if isinstance(penalty, L1) and not found.w.any():
            _warn_of_zeros(A, mean_loss, penalty)
        learned = {
            "objective_": objective,
            "n_iter_": found.n_iter,
            "converged_": found.converged,
            "optimality_gap_": found.gap,
        }
        return Weighed(found.w, learned)

    def _needs_memory(self, loss: EnergyLoss, penalty: Penalty, shape: tuple[int, int]) -> bool:
        """Whether the solver asks for more than products with the rows."""
        return self.solver == "paper" or solver_for(loss, penalty, shape).needs.in_memory


@dataclass(eq=False, repr=False)
class FREL(EnergyBased):
    r"""Feature weighting as regularized energy-based learning.

    The energy of an answer is its weighted distance: :math:`E_n = w \cdot |x_n - NH(x_n)|` to the
    nearest hit, the right answer, and :math:`\bar E_n = w \cdot |x_n - NM(x_n)|` to the nearest
    miss. Neighbors are found once, with all weights one. Then

    .. math:: w = \arg\min_u \frac 1N \sum_n Q(E_n, \bar E_n) + \alpha R(u)

    pushes energies of right answers down and those of wrong answers up. With the L2 penalty and
    the log or the hinge loss, taking any sample out of the sum moves w by at most
    :math:`\max_n \|z_n\|_2 / (N \alpha)`, where :math:`z_n` is the margin vector (Theorem 1; the
    neighbors of the others and the factor 1/N stay as they are).

    Parameters
    ----------
    loss : {"log", "square", "hinge", "square-exp"} or object, default="log"
        Q. "log" is :math:`\log(1 + e^{E - \bar E})`, "hinge" is :math:`\max(0, 1 + E - \bar E)`,
        "square" is :math:`E^2 + \max(0, \theta_n - \bar E)^2` with :math:`\theta_n` the distance
        between NM and NH, "square-exp" is :math:`E^2 + e^{-\bar E}`. For other constants hand in
        an object of `hitmiss.losses`, for another loss an object of your own.
    penalty : {"l1", "l2"} or object, default="l2"
        R: the sum of the absolute values or of the squares of the weights. An object, such as
        ``hitmiss.penalties.L2(0.1)`` or one of your own, brings its own strength and bound.
    alpha : float, default=5.0
        Strength of the penalty: larger is more stable, and with L2 and the log loss approaches
        Relief (`n_neighbors` 1) or ReliefF (more). The paper has 1 for log with L2, 0.01 for log
        with L1 and 0.1 for square with L2; with L1 a few tenths set every weight to zero.
    n_neighbors : int, default=1
        Number of hits and misses that are averaged. 1 is the paper's: the nearest of all misses.
        More takes as many of each other class, weighted by the class as in ReliefF, and is far
        more stable.
    sigma : float, default=None
        Kernel width of soft neighbors, as in LOFE, in place of `n_neighbors`. With
        ``loss="log", penalty="l1", positive=True`` this is the first step of LOFE.
    solver : {"exact", "paper"}, default="exact"
        "exact" minimizes. "paper" is Algorithm 1 to the letter: one pass over the samples from
        w = 1 with steps of length one, which ends far from the minimum.
    positive : bool, default=False
        Whether weights are kept from falling below zero.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the loss, which multiply those of the samples. "balanced" gives
        every class the same in all.
    tol : float, default=1e-6
        Largest `optimality_gap_` of a converged fit.
    max_iter : int, default=200
        Largest number of iterations of the exact solver.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features; negative for those that differ more between hits.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    objective_ : float
        Objective at `weights_`.
    optimality_gap_ : float
        Certificate of the exact solver. With L2 the objective exceeds its minimum by at most
        ``gap**2`` of its value; with L1 it is the largest violation of the optimality condition
        over alpha. With a loss or a penalty of your own that Newton's method cannot take, no
        weights as near to `weights_` as zero is have an objective lower by more than ``gap`` of
        its value. NaN for ``solver="paper"``.
    converged_ : bool
        Whether the gap is at most `tol`; always true for ``solver="paper"``.
    n_iter_ : int
        Number of iterations; for ``solver="paper"`` the number of steps.
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

    See Also
    --------
    Ensemble : Averages over random subsets, for still more stability.
    Lmba : The square loss without a penalty.

    References
    ----------
    Y. Li, J. Si, G. Zhou, S. Huang, S. Chen (2015). FREL: a stable feature selection algorithm.
    IEEE TNNLS 26(7), 1388-1402, eq. 2 and 5-9, Algorithm 1, Theorem 1.

    Examples
    --------
    >>> from hitmiss import FREL, datasets
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=500, random_state=0, return_X_y=True)
    >>> frel = FREL(n_neighbors=10, max_features=20).fit(X, y)
    >>> int((frel.get_support(indices=True) < 20).sum())  # the relevant features are 0 ... 19
    17
    """

    loss: str | EnergyLoss = "log"
    penalty: str | Penalty = "l2"
    alpha: float = 5.0
    _: KW_ONLY
    n_neighbors: int = 1
    tol: float = 1e-6
    memory: int | str | None = None

    _out_of_core = True
    # 0.1 to 0.24 with two threads with one and with ten neighbors, 0.07 to 0.11 with L1, on twonorm
    # and on noise, 300 x 10,000 to 2,000 x 1,000 (2026-11-18).
    _pair_nanoseconds = (0.05, 0.25)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        loss, penalty = self._loss(), self._penalty()
        _check_part("loss", loss, ("reads", "smooth", "value", "derivative"))
        _check_part("penalty", penalty, ("value",))
        check_choice("reads of the loss", loss.reads, ("margins", "energies"))
        check_solvable(loss, penalty, self.solver)

    def _loss(self) -> EnergyLoss:
        if isinstance(self.loss, str):
            return LOSSES[check_choice("loss", self.loss, tuple(LOSSES))]
        return self.loss

    def _penalty(self, A: NDArray | None = None) -> Penalty:
        if isinstance(self.penalty, str):
            kind = PENALTIES[check_choice("penalty", self.penalty, tuple(PENALTIES))]
            return kind(check_positive("alpha", self.alpha), positive=self.positive)
        return self.penalty


@dataclass(eq=False, repr=False)
class Lmba(EnergyBased):
    r"""Feature weighting by the loss margin of nearest neighbors.

    .. math:: w = \arg\min_u \frac 1N \sum_n E_n^2 + \max(0, \theta_n - \bar E_n)^2

    with the energies :math:`E_n = u \cdot |x_n - NH(x_n)|`,
    :math:`\bar E_n = u \cdot |x_n - NM(x_n)|` averaged over several hits and misses, and
    :math:`\theta_n` the mean distance between these misses and hits. With more features than
    samples many w are minimal; the shortest of them is taken, the limit of FREL with
    ``loss="square"`` when alpha vanishes.

    Variance-reduced Lmba (VR-Lmba) is
    ``Lmba().fit(X, y, sample_weight=margin_sample_weights(X, y))``. With more features than
    samples the loss can be made zero whatever the weights of the samples, and then they matter
    only with ``positive=True``. ``solver="paper"`` takes none, since its steps have length one.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of hits, and of misses of each other class, that are averaged.
    sigma : float, default=None
        Kernel width of soft neighbors, in place of `n_neighbors`.
    solver : {"exact", "paper"}, default="exact"
        "exact" minimizes. "paper" makes one pass over the samples from w = 1 with steps of length
        one, as Algorithm 1 of FREL without its penalty.
    positive : bool, default=False
        Whether weights are kept from falling below zero.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the loss, which multiply those of the samples. "balanced" gives
        every class the same in all.
    tol : float, default=1e-5
        Largest `optimality_gap_` of a converged fit.
    max_iter : int, default=200
        Largest number of iterations of the exact solver.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features; negative for those that differ more between hits.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    objective_ : float
        Objective at `weights_`, with the vanishing penalty.
    optimality_gap_ : float
        The objective exceeds its minimum by at most ``gap**2`` of its value; NaN for
        ``solver="paper"``.
    converged_ : bool
        Whether the gap is at most `tol`; always true for ``solver="paper"``.
    n_iter_ : int
        Number of iterations; for ``solver="paper"`` the number of steps.
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

    See Also
    --------
    FREL : The same with a penalty and a choice of losses.
    margin_sample_weights : The weights that make it VR-Lmba.

    References
    ----------
    Y. Li, B.-L. Lu (2009). Feature selection based on loss margin of nearest neighbor
    classification. Pattern Recognition 42(9), 1914-1921; here as described in Y. Li et al.
    (2015), IEEE TNNLS 26(7), section IV-A.

    Examples
    --------
    >>> from hitmiss import Lmba, datasets, margin_sample_weights
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=30, random_state=0, return_X_y=True)
    >>> lmba = Lmba(max_features=20).fit(X, y)
    >>> int((lmba.get_support(indices=True) < 20).sum())  # the relevant features are 0 ... 19
    19
    >>> vr_lmba = Lmba().fit(X, y, sample_weight=margin_sample_weights(X, y))
    """

    n_neighbors: int = 10
    _: KW_ONLY
    tol: float = 1e-5

    _pair_nanoseconds = (0.2, 4.0)  # 0.35 to 4.1, measured as that of FREL

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        taken = super().fit_takes
        return tuple(name for name in taken if name != "sample_weight" or self.solver != "paper")

    def _refusal(self, name: str) -> str:
        return _no_effect(name) if name == "sample_weight" else super()._refusal(name)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.solver == "paper" and self.class_weight is not None:
            raise ValueError(_no_effect("class_weight"))
        check_solvable(self._loss(), L2(1.0, positive=self.positive), self.solver)

    def _loss(self) -> EnergyLoss:
        return SquareSquare()

    def _penalty(self, A: NDArray) -> Penalty:
        if self.solver == "paper":
            return L2(0.0)
        mean_square = float(np.mean(np.einsum("rj,rj->r", A, A, dtype=float)))
        return L2(VANISHING_ALPHA * (mean_square or 1.0), positive=self.positive)


def _no_effect(name: str) -> str:
    return (
        f"The steps of solver='paper' have length one, so that {name} has no effect; leave it out, "
        "or use solver='exact'."
    )


def _check_part(role: str, part: Any, needed: tuple[str, ...]) -> None:
    """An error if what was handed in as a loss or a penalty is a class, or only half of one."""
    if isinstance(part, type):
        raise ValueError(f"{role} must be an object, not a class; use {part.__name__}(...).")
    absent = " and no ".join(map(repr, missing(needed, part)))
    if absent:
        raise ValueError(
            f"{role} of type {type(part).__name__} has no {absent}; what a {role} needs is in the "
            "guide under 'Your own loss or penalty'."
        )


def _warn_of_zeros(A: NDArray, loss: Weighted, penalty: L1) -> None:
    gradient = loss.derivative(np.zeros(len(A))) @ A
    largest = float((-gradient if penalty.positive else np.abs(gradient)).max())
    advice = f"; use an alpha below {largest:.3g}" if largest > 0 else ""
    warn(
        f"All weights are zero: alpha={penalty.alpha:g} is too strong for these data, or they say "
        f"nothing about the classes{advice}."
    )


def _check_squares(A: NDArray) -> None:
    """An error if the squared length of a row overflows."""
    largest = max(float(A.max(initial=0.0)), -float(A.min(initial=0.0)))
    if not largest < np.sqrt(np.finfo(float).max / A.size):
        raise ValueError(
            "Squared distances between samples overflow; divide the features by their range "
            "with scale='range', or rescale them."
        )


def _check_one_per_row(loss: EnergyLoss, n_rows: int) -> None:
    """An error if the loss does not answer with one number per row."""
    for method in ("value", "derivative", "curvature"):
        if not hasattr(loss, method):  # the last may be missing
            continue
        shape = np.shape(getattr(loss, method)(np.zeros(n_rows)))
        if shape != (n_rows,):
            raise ValueError(
                f"{type(loss).__name__}.{method} must return as many numbers as it is given, an "
                f"array of shape ({n_rows},); got shape {shape}."
            )


def _shares(target: Target) -> NDArray:
    """Each sample's share in the mean loss; 0 for those without a hit."""
    counted = np.where(target.has_hit, 1.0 if target.weights is None else target.weights, 0.0)
    return counted / counted.sum()
