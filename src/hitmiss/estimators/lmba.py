"""Lmba: the square loss of several neighbors, without a penalty."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss.estimators import thresholds
from hitmiss.estimators.energy import EnergyBased
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.losses import EnergyLoss, SquareSquare
from hitmiss.penalties import L2, Penalty
from hitmiss.solvers.exact import check_solvable


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

    _pair_nanoseconds = thresholds.LMBA_NANOSECONDS

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        sigma: float | None = None,
        solver: str = "exact",
        positive: bool = False,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
        tol: float = 1e-5,
        max_iter: int = 200,
        n_jobs: int | None = None,
        verbose: bool = False,
    ):
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.solver = solver
        self.positive = positive
        self.scale = scale
        self.missing = missing
        self.categorical = categorical
        self.threshold = threshold
        self.max_features = max_features
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

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
        return L2(thresholds.VANISHING_ALPHA * (mean_square or 1.0), positive=self.positive)


def _no_effect(name: str) -> str:
    return (
        f"The steps of solver='paper' have length one, so that {name} has no effect; leave it out, "
        "or use solver='exact'."
    )
