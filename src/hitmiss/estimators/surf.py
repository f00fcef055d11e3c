"""SURF, SURFStar, MultiSURF, MultiSURFStar, RSURF and RMultiSURF: neighbors within a radius."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.checks import check_positive
from hitmiss.data.features import Features, PairList
from hitmiss.estimators.relief import AveragedMargins, Averaging, weighted
from hitmiss.estimators.selector import Weigher
from hitmiss.estimators.target_kinds import ClassWeight, ForNumbers
from hitmiss.neighbors import band_neighbors, dead_band, mean_distance
from hitmiss.targets.target import Target


@dataclass(eq=False, repr=False)
class WithinRadius(AveragedMargins):
    """Base of SURF, SURFStar and RSURF: one radius for all samples."""

    radius: float | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.radius is not None:
            check_positive("radius", self.radius)

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        self.radius_ = mean_distance(D, target) if self.radius is None else float(self.radius)
        return band_neighbors(D, target, -np.inf, self.radius_, features.workers, features.dtype)


@dataclass(eq=False, repr=False)
class SURF(WithinRadius):
    r"""Spatially uniform ReliefF: every sample within one radius is a neighbor.

    .. math::
        w = \frac 1N \sum_n \Bigl( \sum_{c \ne y_n} p_c
            \operatorname*{mean}_{i \in M_c(n)} |x_n - x_i|
            - \operatorname*{mean}_{i \in H(n)} |x_n - x_i| \Bigr)

    where H(n) are the hits and M_c(n) the misses of class c nearer than the radius, and p_c is
    the share of class c among all samples of the classes that have misses there. A mean over
    nothing is left out.

    Parameters
    ----------
    radius : float, default=None
        Largest distance of a neighbor; None is the mean distance of all pairs of samples.
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
    radius_ : float
        The radius used.
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
    C. S. Greene, N. M. Penrod, J. Kiralis, J. H. Moore (2009). Spatially uniform ReliefF (SURF)
    for computationally-efficient filtering of gene-gene interactions. BioData Mining 2:5.

    Examples
    --------
    >>> from hitmiss import SURF, datasets
    >>> xor = datasets.make_xor(n_irrelevant=20, random_state=0)
    >>> sorted(SURF(max_features=2).fit(xor.data, xor.target).get_support(indices=True).tolist())
    [0, 1]
    """

    _: KW_ONLY
    class_weight: ClassWeight = None


@dataclass(eq=False, repr=False)
class SURFStar(WithinRadius):
    r"""SURF*: SURF of near samples minus that of far ones; for interactions, can miss main effects.

    Far hits raise a feature by their differences and far misses lower it, which sharpens pure
    interactions. Near is below the radius, far is above it.

    Parameters
    ----------
    radius : float, default=None
        Where far begins; None is the mean distance of all pairs of samples.
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
        Weights of the features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    radius_ : float
        The radius used.
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
    C. S. Greene, D. S. Himmelstein, J. Kiralis, J. H. Moore (2010). The informative extremes:
    using both nearest and farthest individuals can improve Relief algorithms in the domain of
    human genetics. EvoBIO, 182-193.

    Examples
    --------
    >>> from hitmiss import SURFStar, datasets
    >>> xor = datasets.make_xor(n_irrelevant=20, random_state=0)
    >>> SURFStar(max_features=2).fit(xor.data, xor.target).get_support(indices=True)
    array([0, 1])
    """

    _: KW_ONLY
    class_weight: ClassWeight = None

    # Near and far samples have means of their own, which "pairwise" does not tell apart.
    _missing_rules = ("mean-difference", "error")

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        near = super()._neighbors(D, target, features)
        return near - band_neighbors(
            D, target, self.radius_, np.inf, features.workers, features.dtype
        )


@dataclass(eq=False, repr=False)
class MultiSURF(AveragedMargins):
    r"""MultiSURF: SURF with a radius per sample, and no parameter to choose.

    The radius of a sample is the mean of its distances to all others minus half their standard
    deviation. Hits and misses within it are averaged as in `SURF`.

    Parameters
    ----------
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

    References
    ----------
    R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore (2018). Benchmarking
    relief-based feature selection methods for bioinformatics data mining. Journal of Biomedical
    Informatics 85, 168-188, section 2.1.5.

    Examples
    --------
    >>> from hitmiss import MultiSURF, datasets
    >>> xor = datasets.make_xor(n_irrelevant=20, random_state=0)
    >>> MultiSURF(max_features=2).fit(xor.data, xor.target).get_support(indices=True)
    array([0, 1])
    """

    _: KW_ONLY
    class_weight: ClassWeight = None

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        return near_neighbors(D, target, features)


class MultiSURFStar(MultiSURF):
    r"""MultiSURF*: MultiSURF plus likeness of far samples; for interactions, can miss main effects.

    Near samples, closer than the mean distance of a sample minus half the standard deviation, add
    :math:`|x_n - x_i|` as in `MultiSURF`; far ones, beyond the mean plus half the standard
    deviation, add :math:`1 - |x_n - x_i|` with the same signs. Those in between do not count.

    Parameters
    ----------
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
        Weights of the features; 0 for constant features.
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
    D. Granizo-Mackenzie, J. H. Moore (2013). Multiple threshold spatially uniform ReliefF for
    the genetic analysis of complex human diseases. EvoBIO, 1-10. The far score is that of the
    tables in R. J. Urbanowicz et al. (2018), Journal of Biomedical Informatics 85, 168-188.

    Examples
    --------
    >>> from hitmiss import MultiSURFStar, datasets
    >>> xor = datasets.make_xor(n_irrelevant=20, random_state=0)
    >>> MultiSURFStar(max_features=2).fit(xor.data, xor.target).get_support(indices=True)
    array([0, 1])
    """

    # Near and far samples have means of their own, which "pairwise" does not tell apart.
    _missing_rules = ("mean-difference", "error")

    def _weigher(self) -> Weigher:
        return NearMinusFar(self._neighbors)


class NearMinusFar(Averaging):
    """Differences of near samples plus likeness of far ones: the weights of MultiSURFStar."""

    def averages(self, features: Features, D: NDArray, targets: list[Target]) -> NDArray:
        """Weights for each of the targets, with neighbors at the distances D."""
        found = [self._near_minus_far(D, target, features) for target in targets]
        each_to_next = PairList.of(np.eye(features.n_samples, k=1), features.dtype)
        *sums, steps = features.sums([*(pairs for pairs, _ in found), each_to_next])
        totals = np.array(sums) + np.array([[likeness] for _, likeness in found])
        counts = np.array([[target.total] for target in targets])
        return np.where(steps > 0, totals, 0.0) / counts  # a constant has no steps

    def _near_minus_far(
        self, D: NDArray, target: Target, features: Features
    ) -> tuple[PairList, float]:
        """Weights of the differences, and what the likeness of far samples adds to these."""
        upper = dead_band(D, target)[1]
        near = weighted(self.rule(D, target, features), target)
        far = band_neighbors(D, target, upper, np.inf, features.workers, features.dtype)
        far = weighted(far, target)
        return PairList.of(near - far, features.dtype), float(far.sum())


@dataclass(eq=False, repr=False)
class RSURF(WithinRadius):
    r"""SURF for numbers: every sample within one radius is partly a hit, partly a miss.

    .. math::
        w = \frac 1N \sum_n \left(
            \frac{\sum_i (1 - S_{ni}) |x_n - x_i|}{\sum_i (1 - S_{ni})}
            - \frac{\sum_i S_{ni} |x_n - x_i|}{\sum_i S_{ni}} \right),
        \qquad S_{ni} = e^{-|r_n - r_i| / \tau}

    with the sums over the samples i nearer than the radius, and r the ranks of y over the number of
    samples. With two values of y the weights are those of `SURF`.

    Parameters
    ----------
    radius : float, default=None
        Largest distance of a neighbor; None is the mean distance of all pairs of samples.
    tau : float, default=0.1
        How far likeness reaches, as a share of the samples: samples that are so far apart in the
        order of y are still 37 % alike.
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
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, negative for those that differ more between like samples.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    radius_ : float
        The radius used.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    categories_ : dict
        Levels of each nominal feature, by its index; None where its numbers are the levels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    See Also
    --------
    RReliefF : The classic for numbers, which compares differences of y themselves.
    LOFERegressor : The same likeness, with neighbors found under the weights.

    References
    ----------
    C. S. Greene, N. M. Penrod, J. Kiralis, J. H. Moore (2009). Spatially uniform ReliefF (SURF)
    for computationally-efficient filtering of gene-gene interactions. BioData Mining 2:5; here with
    a likeness in the place of classes.

    Examples
    --------
    >>> from hitmiss import RSURF, datasets
    >>> X, y = datasets.make_product(n_irrelevant=20, random_state=0, return_X_y=True)
    >>> sorted(RSURF().fit(X, y).ranking_[:2].tolist())
    [0, 1]
    """

    _: KW_ONLY
    tau: float = 0.1

    @property
    def _kind(self) -> ForNumbers:
        return ForNumbers(self.tau)


@dataclass(eq=False, repr=False)
class RMultiSURF(AveragedMargins):
    r"""MultiSURF for numbers: `RSURF` with a radius per sample.

    The radius of a sample is the mean of its distances to all others minus half their standard
    deviation. Within it all samples are partly hits, partly misses, by how near they are in the
    order of y, as in `RSURF`. With two values of y the weights are those of `MultiSURF`.

    Parameters
    ----------
    tau : float, default=0.1
        How far likeness reaches, as a share of the samples: samples that are so far apart in the
        order of y are still 37 % alike.
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
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, negative for those that differ more between like samples.
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
    R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore (2018). Benchmarking
    relief-based feature selection methods for bioinformatics data mining. Journal of Biomedical
    Informatics 85, 168-188, section 2.1.5; here with a likeness in the place of classes.

    Examples
    --------
    >>> from hitmiss import RMultiSURF, datasets
    >>> X, y = datasets.make_product(n_irrelevant=20, random_state=0, return_X_y=True)
    >>> sorted(RMultiSURF().fit(X, y).ranking_[:2].tolist())
    [0, 1]
    """

    tau: float = 0.1

    @property
    def _kind(self) -> ForNumbers:
        return ForNumbers(self.tau)

    def _neighbors(self, D: NDArray, target: Target, features: Features) -> NDArray:
        return near_neighbors(D, target, features)


def near_neighbors(D: NDArray, target: Target, features: Features) -> NDArray:
    """Neighbors closer than the mean distance of a sample minus half the standard deviation."""
    near, _ = dead_band(D, target)
    return band_neighbors(D, target, -np.inf, near, features.workers, features.dtype)
