"""RIRelief: I-RELIEF for numbers."""

from __future__ import annotations

from numpy.typing import ArrayLike

from hitmiss.estimators.irelief import IRelief
from hitmiss.estimators.regressor import LikenessMixin


class RIRelief(LikenessMixin, IRelief):
    r"""Iterative RELIEF for numbers: the weights whose own neighbors lead back to them.

    .. math::
        w = \frac{\nu^+}{\|\nu^+\|_2}, \qquad \nu = \frac 1N \sum_n \gamma_n \bar z_n(w)

    as in `IRelief`, where sample i is the nearest hit of n with a probability proportional to
    :math:`S_{ni} k(d_{ni})`, the nearest miss with one proportional to
    :math:`(1 - S_{ni}) k(d_{ni})`, and :math:`S_{ni} = e^{-|r_n - r_i| / \tau}` with r the
    ranks of y over the number of samples. With two values of y and the same `sigma` the weights
    are those of `IRelief`.

    Parameters
    ----------
    sigma : float or "auto", default="auto"
        Kernel width of the soft neighbors. A number is a distance; "auto" is 0.3 standard
        deviations of the distances under the current weights, however many features there are, and
        the iteration is accelerated.
    tau : float, default=0.1
        How far likeness reaches, as a share of the samples: samples that are so far apart in the
        order of y are still 37 % alike.
    outliers : bool, default=True
        Whether samples count by how like their neighbors are; otherwise all alike.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : array-like of shape (n_features,), default=None
        Start; None is 1 / n_features for every feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    tol : float, default=1e-5
        The iteration stops when the weights, of length one, move by less than this.
    max_iter : int, default=100
        Largest number of iterations.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features, of length one; all zero if no feature has a positive margin.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        The mean margin vector, whose positive part the weights are.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    converged_ : bool
        Whether the weights stopped moving.
    n_iter_ : int
        Number of iterations.
    history_ : list of dict
        A row per iteration: step, the Euclidean norm of the change of the weights.
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
    Y. Sun (2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.
    IEEE TPAMI 29(6), 1035-1051, eq. 8-12; here with a likeness in the place of classes.

    Examples
    --------
    >>> from hitmiss import RIRelief, datasets
    >>> X, y = datasets.make_ring(n_irrelevant=50, random_state=0, return_X_y=True)
    >>> sorted(RIRelief().fit(X, y).ranking_[:2].tolist())
    [0, 1]
    """

    def __init__(
        self,
        sigma: float | str = "auto",
        *,
        tau: float = 0.1,
        outliers: bool = True,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        init: ArrayLike | None = None,
        threshold: float = 0.01,
        max_features: int | None = None,
        tol: float = 1e-5,
        max_iter: int = 100,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        super().__init__(
            sigma,
            outliers=outliers,
            scale=scale,
            missing=missing,
            categorical=categorical,
            init=init,
            threshold=threshold,
            max_features=max_features,
            tol=tol,
            max_iter=max_iter,
            n_jobs=n_jobs,
            memory=memory,
            verbose=verbose,
        )
        self.tau = tau
