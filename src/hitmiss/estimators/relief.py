"""Relief: the nearest hit and the nearest miss of every sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_count
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.data.features import Features
from hitmiss.estimators.averaged import AveragedMargins
from hitmiss.estimators.comparing import of_single_neighbors
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.neighbors import single_neighbors
from hitmiss.targets.classes import AnyTarget


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

    def __init__(
        self,
        n_samples: int | None = None,
        *,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        random_state: RandomStateLike = None,
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
        self.n_samples = n_samples
        self.random_state = random_state

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        return of_single_neighbors()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.n_samples is not None:
            check_count("n_samples", self.n_samples)

    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        Q = single_neighbors(D, target, features.dtype)
        if self.n_samples is None:
            return Q
        rng = as_generator(self.random_state)
        has_hit = np.flatnonzero(target.has_hit)
        drawn = rng.choice(has_hit, self.n_samples)
        times = np.bincount(drawn, minlength=len(target)) / self.n_samples
        return Q * times[:, None] * len(has_hit)
