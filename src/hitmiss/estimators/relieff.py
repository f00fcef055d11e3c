"""ReliefF: the k nearest hits and the k nearest misses of each class."""

from __future__ import annotations

from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_count
from hitmiss.data.features import Features
from hitmiss.estimators.averaged import AveragedMargins
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.neighbors import nearest_neighbors
from hitmiss.targets.classes import AnyTarget


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

    def __init__(
        self,
        n_neighbors: int = 10,
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
        self.n_neighbors = n_neighbors

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_neighbors", self.n_neighbors)

    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        n_neighbors, dtype = int(self.n_neighbors), features.dtype
        return nearest_neighbors(D, target, n_neighbors, features.workers, dtype)
