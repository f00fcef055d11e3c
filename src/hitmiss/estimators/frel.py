"""FREL: feature weighting as regularized energy-based learning."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_choice, check_positive
from hitmiss.estimators import thresholds
from hitmiss.estimators.energy import EnergyBased
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.losses import LOSSES, EnergyLoss
from hitmiss.penalties import PENALTIES, Penalty
from hitmiss.solvers import missing
from hitmiss.solvers.exact import check_solvable


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

    _out_of_core = True
    _pair_nanoseconds = thresholds.FREL_NANOSECONDS

    def __init__(
        self,
        loss: str | EnergyLoss = "log",
        penalty: str | Penalty = "l2",
        alpha: float = 5.0,
        *,
        n_neighbors: int = 1,
        sigma: float | None = None,
        solver: str = "exact",
        positive: bool = False,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
        tol: float = 1e-6,
        max_iter: int = 200,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
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
        self.memory = memory
        self.verbose = verbose

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
