"""FisherScore: spread between the classes over spread within them."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.estimators.univariate import Univariate


class FisherScore(Univariate):
    r"""Fisher score: how far apart the class means are, feature by feature.

    .. math:: w_j = \frac{\sum_c n_c (\mu_{cj} - \mu_j)^2}{\sum_c n_c \sigma_{cj}^2}

    A feature that is constant within every class but not over all would have an infinite score;
    it gets the largest that rounding can tell apart. Interactions go unseen.

    Parameters
    ----------
    missing : {"skip", "error"}, default="skip"
        Whether missing values, which are NaN, None or NA, are left out, feature by feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Fisher scores; 0 for constant features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    R. O. Duda, P. E. Hart, D. G. Stork (2001). Pattern classification, 2nd edition. Wiley.

    Examples
    --------
    >>> from hitmiss import FisherScore
    >>> X = [[0, 1], [2, 5], [4, 1], [6, 5]]
    >>> FisherScore().fit(X, ["a", "a", "b", "b"]).weights_.round(6)
    array([4., 0.])
    """

    def _score(self, X: NDArray, y: NDArray) -> NDArray:
        if np.isnan(X).any():
            return self._score_of_observed(X, y)
        X = X - X.mean(axis=0)
        between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for c in range(y.max() + 1):
            members = X[y == c]
            mean = members.mean(axis=0)
            between += len(members) * mean**2
            within += ((members - mean) ** 2).sum(axis=0)
        eps = np.finfo(float).eps
        between[between <= (len(y) * eps) ** 2 * within] = 0.0  # means that differ by rounding
        return between / np.where(between > 0, np.maximum(within, eps * between), 1.0)

    def _score_of_observed(self, X: NDArray, y: NDArray) -> NDArray:
        """The scores of features one by one, each without its missing values."""
        scores = np.zeros(X.shape[1])
        for j, x in enumerate(X.T):
            seen = ~np.isnan(x)
            if seen.any():
                codes = np.unique(y[seen], return_inverse=True)[1]
                scores[j] = self._score(x[seen, None], codes)[0]
        return scores
