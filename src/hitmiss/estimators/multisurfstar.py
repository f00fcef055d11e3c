"""MultiSURFStar: near samples by their differences, far samples by their likeness."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import PairList
from hitmiss.estimators.multisurf import MultiSURF
from hitmiss.neighbors import band_neighbors, dead_band
from hitmiss.targets.classes import AnyTarget


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
    _missing_rules: tuple[str, ...] = ("mean-difference", "error")

    def _averaged(self, features: Features, D: NDArray, targets: list[AnyTarget]) -> NDArray:
        found = [self._near_minus_far(D, target, features) for target in targets]
        each_to_next = PairList.of(np.eye(features.n_samples, k=1), features.dtype)
        *sums, steps = features.sums([*(pairs for pairs, _ in found), each_to_next])
        totals = np.array(sums) + np.array([[likeness] for _, likeness in found])
        counts = np.array([[target.total] for target in targets])
        return np.where(steps > 0, totals, 0.0) / counts  # a constant has no steps

    def _near_minus_far(
        self, D: NDArray, target: AnyTarget, features: Features
    ) -> tuple[PairList, float]:
        """Weights of the differences, and what the likeness of far samples adds to these."""
        lower, upper = dead_band(D, target)
        near = band_neighbors(D, target, -np.inf, lower, features.workers, features.dtype)
        far = band_neighbors(D, target, upper, np.inf, features.workers, features.dtype)
        if target.weights is not None:
            near, far = near * target.weights[:, None], far * target.weights[:, None]
        return PairList.of(near - far, features.dtype), float(far.sum())
