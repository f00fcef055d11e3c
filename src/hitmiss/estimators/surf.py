"""SURF: all hits and misses nearer than the mean distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_positive
from hitmiss.data.features import Features
from hitmiss.estimators.averaged import AveragedMargins
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.neighbors import band_neighbors, mean_distance
from hitmiss.targets.classes import AnyTarget


class SURF(AveragedMargins):
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

    def __init__(
        self,
        radius: float | None = None,
        *,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
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
            class_weight=class_weight,
            n_jobs=n_jobs,
            memory=memory,
            verbose=verbose,
        )
        self.radius = radius

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.radius is not None:
            check_positive("radius", self.radius)

    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        self.radius_ = mean_distance(D, target) if self.radius is None else float(self.radius)
        return band_neighbors(D, target, -np.inf, self.radius_, features.workers, features.dtype)
