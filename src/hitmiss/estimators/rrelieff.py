"""RReliefF: RELIEF-F for numbers."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_count, check_positive
from hitmiss.data.features import Features
from hitmiss.estimators.averaged import AveragedMargins
from hitmiss.estimators.regressor import NumbersMixin
from hitmiss.neighbors import ranked_neighbors, signed_by_differences
from hitmiss.targets.classes import AnyTarget
from hitmiss.targets.numbers import Numbers, check_varied, numbers_of
from hitmiss.targets.target import PairTarget


class RReliefF(NumbersMixin, AveragedMargins):
    r"""RReliefF: how much more the nearest samples differ in a feature if y differs.

    .. math:: W = \frac{N_{dC \wedge dA}}{N_{dC}} - \frac{N_{dA} - N_{dC \wedge dA}}{m - N_{dC}}

    where the sums over the samples n and their k nearest neighbors i are weighted by rank, each
    sample's to one: :math:`N_{dC}` of the differences of y over its range, :math:`N_{dA}` of those
    of the feature, :math:`N_{dC \wedge dA}` of their products. All m samples are looked at.

    Parameters
    ----------
    n_neighbors : int, default=70
        Number k of neighbors, in Manhattan distance over all features.
    rank_width : float, default=20.0
        The neighbor of rank r has weight :math:`e^{-(r / \mathrm{rank\_width})^2}`; infinity gives
        all the same.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
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
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, negative for those that differ more where y does not.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
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
    M. Robnik-Sikonja, I. Kononenko (1997). An adaptation of Relief for attribute estimation in
    regression. ICML, 296-304, Fig. 2; (2003) Theoretical and empirical analysis of ReliefF and
    RReliefF. Machine Learning 53, 23-69.

    Examples
    --------
    >>> from hitmiss import RReliefF, datasets
    >>> X, y = datasets.make_additive(n_irrelevant=20, random_state=0, return_X_y=True)
    >>> sorted(RReliefF().fit(X, y).ranking_[:2].tolist())
    [0, 2]
    """

    _missing_rules = ("mean-difference", "error")

    def __init__(
        self,
        n_neighbors: int = 70,
        rank_width: float = 20.0,
        *,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        super().__init__(
            scale=scale,
            missing=missing,
            categorical=categorical,
            threshold=threshold,
            max_features=max_features,
            n_jobs=n_jobs,
            memory=memory,
            verbose=verbose,
        )
        self.n_neighbors = n_neighbors
        self.rank_width = rank_width

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_neighbors", self.n_neighbors)
        check_positive("rank_width", self.rank_width, largest=np.inf)

    def _target_of(self, y: Any) -> Numbers:
        check_varied(y)
        values = np.asarray(y, float)
        low, high = values.min(), values.max()
        halves = values / 2 - low / 2, high / 2 - low / 2  # whose difference cannot overflow
        return Numbers(values, 1.0, ranks=halves[0] / halves[1])

    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        r = numbers_of(target).ranks
        P = ranked_neighbors(
            D,
            cast(PairTarget, target),
            int(self.n_neighbors),
            float(self.rank_width),
            features.workers,
        )
        Q = signed_by_differences(P, np.abs(r[:, None] - r), target.weights)
        return Q * target.total  # a mean is taken of what is no mean
