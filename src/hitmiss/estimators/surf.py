"""SURF: all hits and misses nearer than the mean distance."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.checks import check_positive
from hitmiss._util.workers import Workers
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
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        super().__init__(
            scale=scale,
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

    def _neighbors(self, D: NDArray, target: AnyTarget, workers: Workers) -> NDArray:
        self.radius_ = mean_distance(D, target) if self.radius is None else float(self.radius)
        return band_neighbors(D, target, -np.inf, self.radius_, workers)
