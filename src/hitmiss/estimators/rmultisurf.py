"""RMultiSURF: MultiSURF for numbers."""

from __future__ import annotations

from numpy.typing import ArrayLike

from hitmiss.estimators.multisurf import MultiSURF
from hitmiss.estimators.regressor import LikenessMixin


class RMultiSURF(LikenessMixin, MultiSURF):
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

    def __init__(
        self,
        tau: float = 0.1,
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
        self.tau = tau
