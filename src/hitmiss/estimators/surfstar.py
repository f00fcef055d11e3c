"""SURFStar: samples beyond the mean distance count the other way."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.estimators.surf import SURF
from hitmiss.neighbors import band_neighbors
from hitmiss.targets.classes import AnyTarget


class SURFStar(SURF):
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

    # Near and far samples have means of their own, which "pairwise" does not tell apart.
    _missing_rules: tuple[str, ...] = ("mean-difference", "error")

    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        near = super()._neighbors(D, target, features)
        return near - band_neighbors(
            D, target, self.radius_, np.inf, features.workers, features.dtype
        )
