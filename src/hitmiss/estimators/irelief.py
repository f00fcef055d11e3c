"""IRelief and RIRelief: RELIEF with soft neighbors, found again under the weights they lead to."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from hitmiss._util.checks import (
    check_choice,
    check_count,
    check_positive,
    check_positive_or,
    check_weights,
)
from hitmiss._util.errors import warn
from hitmiss.data.features import Features
from hitmiss.estimators.selector import Selector, Weighed
from hitmiss.estimators.target_kinds import ClassWeight, ForNumbers
from hitmiss.solvers.anderson import Anderson
from hitmiss.targets.target import Target
from hitmiss.weighting.irelief import iterate, mean_margin


@dataclass(eq=False, repr=False, kw_only=True)
class SoftNeighbors(Selector):
    """Base of IRelief and RIRelief: a subclass has a `sigma` and a `multiclass`."""

    scale: str | None = "range"
    missing: str = "mean-difference"
    categorical: str | ArrayLike | None = "auto"
    threshold: float = 0.01
    outliers: bool = True
    init: ArrayLike | None = None
    tol: float = 1e-5
    max_iter: int = 100
    memory: int | str | None = None

    multiclass = "pooled"
    _out_of_core = True
    # An iteration took 0.07 to 0.1 with two threads, and there were 4 to 51 of at most 100, on
    # twonorm and on noise, 300 x 10,000 to 2,000 x 1,000 (2026-11-18).
    _pair_nanoseconds = (0.15, 5.0)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive_or("sigma", self.sigma, ("auto",), largest=np.inf)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_choice("multiclass", self.multiclass, ("pooled", "per-class"))

    def _weigh(self, features: Features, target: Target) -> Weighed:
        how: dict[str, Any] = {
            "sigma": np.nan if self.sigma == "auto" else float(self.sigma),
            "by_class": self.multiclass == "per-class",
            "outliers": bool(self.outliers),
        }
        n = features.n_features
        start = np.full(n, 1 / n) if self.init is None else check_weights("init", self.init, n)
        w, scores, steps = iterate(
            lambda w: mean_margin(features, target, w, **how),
            start,
            float(self.tol),
            int(self.max_iter),
            Anderson() if self.sigma == "auto" else None,
        )
        learned = {
            "scores_": scores,
            "n_iter_": len(steps),
            "history_": [{"step": step} for step in steps],
            "converged_": steps[-1] < self.tol or not w.any(),
        }
        if not w.any():
            warn(
                "All weights are zero: no feature has a positive margin, its misses are no "
                f"farther than its hits with sigma={self.sigma}; try another sigma."
            )
        elif not learned["converged_"]:
            warn(
                f"IRelief did not converge in {len(steps)} iterations (the last changed the "
                f"weights by {steps[-1]:.1e}); increase sigma, max_iter or tol.",
                ConvergenceWarning,
            )
        return Weighed(w, learned)


@dataclass(eq=False, repr=False)
class IRelief(SoftNeighbors):
    r"""Iterative RELIEF: the weights whose own neighbors lead back to them.

    .. math::
        w = \frac{\nu^+}{\|\nu^+\|_2}, \qquad \nu = \frac 1N \sum_n \gamma_n \bar z_n(w)

    where the margin vectors :math:`\bar z_n(w)` average :math:`|x_n - x_i|` over misses minus
    hits, weighted by how likely each is the nearest under w, and :math:`\gamma_n` is the
    probability that sample n is no outlier. Mislabeled samples have little influence, and
    irrelevant features do not affect the neighbors, as their weights vanish.

    Parameters
    ----------
    sigma : float or "auto", default=1.0
        Kernel width of the soft neighbors. A number is a distance, as in the paper: with thousands
        of features distances are far larger than 1, only the nearest sample counts, and the
        iteration may cycle, as it may below about 0.5 in any case. "auto" is 0.3 standard
        deviations of the distances under the current weights, however many features there are, and
        the iteration is accelerated.
    multiclass : {"pooled", "per-class"}, default="pooled"
        Whether the misses of all other classes are pooled (I-RELIEF-2), or those of each class
        are taken apart and weighted by its share (I-RELIEF-1). The same for two classes.
    outliers : bool, default=True
        Whether samples count by their probability of being no outlier; otherwise all alike.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : array-like of shape (n_features,), default=None
        Start; None is 1 / n_features for every feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the average, which multiply those of the samples. "balanced" gives
        every class the same in all.
    tol : float, default=1e-5
        The iteration stops when the weights, of length one, move by less than this.
    max_iter : int, default=100
        Largest number of iterations.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, of length one; all zero if no feature has a positive margin.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        The mean margin vector, whose positive part the weights are.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    converged_ : bool
        Whether the weights stopped moving.
    n_iter_ : int
        Number of iterations.
    history_ : list of dict
        A row per iteration: step, the Euclidean norm of the change of the weights.
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
    Y. Sun (2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.
    IEEE TPAMI 29(6), 1035-1051, eq. 8-12, 20 and 21.

    Examples
    --------
    >>> from hitmiss import IRelief, datasets
    >>> ring = datasets.make_ringnorm(n_irrelevant=50, random_state=0)
    >>> irelief = IRelief().fit(ring.data, ring.target)
    >>> sorted(irelief.ranking_[:20].tolist()) == ring.relevant.tolist()
    True
    """

    sigma: float | str = 1.0
    _: KW_ONLY
    multiclass: str = "pooled"
    class_weight: ClassWeight = None


@dataclass(eq=False, repr=False)
class RIRelief(SoftNeighbors):
    r"""Iterative RELIEF for numbers: the weights whose own neighbors lead back to them.

    .. math::
        w = \frac{\nu^+}{\|\nu^+\|_2}, \qquad \nu = \frac 1N \sum_n \gamma_n \bar z_n(w)

    as in `IRelief`, where sample i is the nearest hit of n with a probability proportional to
    :math:`S_{ni} k(d_{ni})`, the nearest miss with one proportional to
    :math:`(1 - S_{ni}) k(d_{ni})`, and :math:`S_{ni} = e^{-|r_n - r_i| / \tau}` with r the
    ranks of y over the number of samples. With two values of y and the same `sigma` the weights
    are those of `IRelief`.

    Parameters
    ----------
    sigma : float or "auto", default="auto"
        Kernel width of the soft neighbors. A number is a distance; "auto" is 0.3 standard
        deviations of the distances under the current weights, however many features there are, and
        the iteration is accelerated.
    tau : float, default=0.1
        How far likeness reaches, as a share of the samples: samples that are so far apart in the
        order of y are still 37 % alike.
    outliers : bool, default=True
        Whether samples count by how like their neighbors are; otherwise all alike.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : array-like of shape (n_features,), default=None
        Start; None is 1 / n_features for every feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    tol : float, default=1e-5
        The iteration stops when the weights, of length one, move by less than this.
    max_iter : int, default=100
        Largest number of iterations.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, of length one; all zero if no feature has a positive margin.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        The mean margin vector, whose positive part the weights are.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    converged_ : bool
        Whether the weights stopped moving.
    n_iter_ : int
        Number of iterations.
    history_ : list of dict
        A row per iteration: step, the Euclidean norm of the change of the weights.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    categories_ : dict
        Levels of each nominal feature, by its index; None where its numbers are the levels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    Y. Sun (2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.
    IEEE TPAMI 29(6), 1035-1051, eq. 8-12; here with a likeness in the place of classes.

    Examples
    --------
    >>> from hitmiss import RIRelief, datasets
    >>> X, y = datasets.make_ring(n_irrelevant=50, random_state=0, return_X_y=True)
    >>> sorted(RIRelief().fit(X, y).ranking_[:2].tolist())
    [0, 1]
    """

    sigma: float | str = "auto"
    _: KW_ONLY
    tau: float = 0.1

    @property
    def _kind(self) -> ForNumbers:
        return ForNumbers(self.tau)
