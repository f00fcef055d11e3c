"""Relief, ReliefF and RReliefF: margins averaged over the nearest neighbors of every sample."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.any_estimator import PER_SAMPLE
from hitmiss._util.checks import check_count, check_positive
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.data.features import Features, pair_form
from hitmiss.estimators.selector import Selector, Weighed, Weigher
from hitmiss.estimators.target_kinds import ClassWeight, ForDifferences
from hitmiss.inference.permutation import Statistic
from hitmiss.neighbors import (
    nearest_neighbors,
    ranked_neighbors,
    signed_by_differences,
    single_neighbors,
)
from hitmiss.targets.numbers import numbers_of
from hitmiss.targets.target import PairTarget, Target

# What a method of one hit and one miss takes: covariates weigh neighbors, and exclude none.
OF_SINGLE_NEIGHBORS = tuple(name for name in PER_SAMPLE if name != "covariates")

TARGETS_TOGETHER = 16  # permuted labels for which every block of features is packed once

Rule = Callable[[NDArray, Target, Features], NDArray]


class Averaging(Weigher):
    """Mean over the samples of ``sum_i Q_ni |x_n - x_i|``, the neighbors Q given by a rule.

    Parameters
    ----------
    rule : callable
        From distances, target and features to the signed weights Q of the neighbors: plus for
        misses, minus for hits.
    """

    uses_blas = False

    def __init__(self, rule: Rule):
        self.rule = rule

    def weigh(self, features: Features, target: Target) -> Weighed:
        """Weights for one target."""
        return Weighed(self.averages(features, _unit_distances(features), [target])[0])

    def weigh_each(self, features: Features, targets: Iterable[Target]) -> Iterator[Weighed]:
        """Weights for each of the targets, with one matrix of distances."""
        for found in self.statistics(features, targets, None):
            yield Weighed(found.values)

    def statistics(
        self, features: Features, targets: Iterable[Target], shared: Any
    ) -> Iterator[Statistic]:
        """The weights for each of the targets, with one matrix of distances."""
        D, left = _unit_distances(features), iter(targets)
        while some := list(islice(left, TARGETS_TOGETHER)):
            yield from map(Statistic.of, self.averages(features, D, some))

    def averages(self, features: Features, D: NDArray, targets: list[Target]) -> NDArray:
        """Weights for each of the targets, with neighbors at the distances D."""
        Q = (weighted(self.rule(D, target, features), target) for target in targets)
        sums = features.sums([pair_form(features, each) for each in Q])
        return sums / np.array([[target.total] for target in targets])


def weighted(Q: NDArray, target: Target) -> NDArray:
    """The neighbors of every sample, times its weight."""
    return Q if target.weights is None else Q * target.weights[:, None]


def _unit_distances(features: Features) -> NDArray:
    return features.distances(np.ones(features.n_features))


@dataclass(eq=False, repr=False, kw_only=True)
class AveragedMargins(Selector):
    """Base of the RELIEF methods; a subclass implements `_neighbors`, its neighbor rule."""

    scale: str | None = "range"
    missing: str = "mean-difference"
    categorical: str | ArrayLike | None = "auto"
    threshold: float = 0.01
    memory: int | str | None = None

    _out_of_core = True
    # 0.02 (ReliefF, 1,000 x 5,000) to 0.04 (MultiSURF, 2,350 x 230,000) with two threads, as
    # measured in benchmarks/requirements.md.
    _pair_nanoseconds = (0.02, 0.05)
    _missing_rules: ClassVar[tuple[str, ...]] = ("mean-difference", "pairwise", "error")

    def _weigher(self) -> Weigher:
        return Averaging(self._neighbors)

    @abstractmethod
    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        """Signed weights Q of the neighbors: plus for misses, minus for hits."""


@dataclass(eq=False, repr=False)
class Relief(AveragedMargins):
    r"""RELIEF: how much farther the nearest miss is than the nearest hit, feature by feature.

    .. math:: w = \frac 1N \sum_n |x_n - \mathrm{NM}(x_n)| - |x_n - \mathrm{NH}(x_n)|

    where the neighbors are nearest in Manhattan distance over all features. With more than two
    classes the nearest miss is that of all other classes pooled.

    Parameters
    ----------
    n_samples : int, default=None
        Number of samples drawn, with replacement, to look at; None looks at every sample once.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
    missing : {"mean-difference", "pairwise", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
        "pairwise" leaves such differences out, as scikit-rebate does.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the average, which multiply those of the samples. "balanced" gives
        every class the same in all.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draws, if `n_samples` is given.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, negative for those that differ more between hits.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
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
    K. Kira, L. A. Rendell (1992). A practical approach to feature selection. ICML, 249-256; here
    with absolute differences, as in Fig. 1 of Y. Sun (2007), IEEE TPAMI 29(6), 1035-1051.

    Examples
    --------
    >>> from hitmiss import Relief
    >>> X = [[0, 0], [1, 4], [8, 1], [9, 3]]
    >>> Relief(scale=None).fit(X, ["a", "a", "b", "b"]).weights_
    array([ 7., -2.])
    """

    n_samples: int | None = None
    _: KW_ONLY
    class_weight: ClassWeight = None
    random_state: RandomStateLike = None

    fit_takes = OF_SINGLE_NEIGHBORS

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.n_samples is not None:
            check_count("n_samples", self.n_samples)

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        Q = single_neighbors(D, target, features.dtype)
        if self.n_samples is None:
            return Q
        rng = as_generator(self.random_state)
        has_hit = np.flatnonzero(target.has_hit)
        drawn = rng.choice(has_hit, self.n_samples)
        times = np.bincount(drawn, minlength=len(target)) / self.n_samples
        return Q * times[:, None] * len(has_hit)


@dataclass(eq=False, repr=False)
class ReliefF(AveragedMargins):
    r"""RELIEF-F: like RELIEF, with several neighbors from every class.

    .. math::
        w = \frac 1N \sum_n \Bigl( \sum_{c \ne y_n} \frac{P(c)}{1 - P(y_n)}
            \operatorname*{mean}_{i \in \mathrm{NM}_c(n)} |x_n - x_i|
            - \operatorname*{mean}_{i \in \mathrm{NH}(n)} |x_n - x_i| \Bigr)

    where NH(n) are the k nearest hits and NM_c(n) the k nearest misses of class c, in Manhattan
    distance over all features, and P(c) is the share of class c.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number k of neighbors per class; a class with fewer samples gives all it has.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
    missing : {"mean-difference", "pairwise", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
        "pairwise" leaves such differences out, as scikit-rebate does.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the average, which multiply those of the samples. "balanced" gives
        every class the same in all.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, negative for those that differ more between hits.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
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

    Notes
    -----
    The weight of a miss class is Kononenko's P(c) / (1 - P(y_n)); eq. 19 of the I-RELIEF paper
    prints P(c) / (1 - P(c)), under which the weights do not sum to one.

    References
    ----------
    I. Kononenko (1994). Estimating attributes: analysis and extensions of RELIEF. ECML, 171-182.

    Examples
    --------
    >>> from hitmiss import ReliefF
    >>> X = [[0, 0], [1, 4], [8, 1], [9, 3]]
    >>> ReliefF(n_neighbors=2, scale=None).fit(X, ["a", "a", "b", "b"]).weights_
    array([ 7., -1.])
    """

    n_neighbors: int = 10
    _: KW_ONLY
    class_weight: ClassWeight = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_neighbors", self.n_neighbors)

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        n_neighbors, dtype = int(self.n_neighbors), features.dtype
        return nearest_neighbors(D, target, n_neighbors, features.workers, dtype)


@dataclass(eq=False, repr=False)
class RReliefF(AveragedMargins):
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

    n_neighbors: int = 70
    rank_width: float = 20.0

    _missing_rules = ("mean-difference", "error")

    @property
    def _kind(self) -> ForDifferences:
        return ForDifferences()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_neighbors", self.n_neighbors)
        check_positive("rank_width", self.rank_width, largest=np.inf)

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
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
