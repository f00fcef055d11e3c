"""RSURF: SURF for numbers."""

from __future__ import annotations

from numpy.typing import ArrayLike

from hitmiss.estimators.regressor import LikenessMixin
from hitmiss.estimators.surf import SURF


class RSURF(LikenessMixin, SURF):
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

    def __init__(
        self,
        radius: float | None = None,
        *,
        tau: float = 0.1,
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
            radius,
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
