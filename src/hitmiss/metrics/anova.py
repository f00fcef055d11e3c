"""The F-test of every feature by itself."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.feature_selection import f_classif


def f_and_p(X: ArrayLike, y: ArrayLike) -> tuple[NDArray, NDArray]:
    """F and p of each feature; 0 and 1 where it is constant.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.

    Returns
    -------
    F, p : ndarray of shape (n_features,)
        F is infinite where a feature varies between the classes only.

    Examples
    --------
    >>> F, p = f_and_p([[0, 5], [1, 5], [2, 5], [3, 5]], [0, 0, 1, 1])
    >>> F.round(6).tolist(), p.round(2).tolist()
    ([8.0, 0.0], [0.11, 1.0])
    """
    data = np.asarray(X)
    F, p = np.zeros(data.shape[1]), np.ones(data.shape[1])
    varied = data.min(axis=0) < data.max(axis=0)
    if varied.any():
        with np.errstate(divide="ignore"):  # infinite where the classes are constant
            F[varied], p[varied] = f_classif(data[:, varied], y)
    return F, p
