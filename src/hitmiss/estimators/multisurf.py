"""MultiSURF: every sample has a radius of its own."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.estimators.averaged import AveragedMargins
from hitmiss.neighbors import band_neighbors, dead_band
from hitmiss.targets.classes import AnyTarget


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

    def _neighbors(self, D: NDArray, target: AnyTarget, workers: Workers) -> NDArray:
        near, _ = dead_band(D, target)
        return band_neighbors(D, target, -np.inf, near, workers)
