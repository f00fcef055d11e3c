"""Data of the metrics: checked to belong together, with missing values allowed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_X_y, get_tags

from hitmiss.estimators.alignment import aligned


def checked_data(X: Any, y: Any) -> tuple[NDArray, NDArray]:
    """X and y as arrays; values of X may be missing.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,) or str
        Labels, or the name of the column of X that holds them.
    """
    X, y, _ = aligned(X, y)
    return check_X_y(X, y, dtype="numeric", ensure_all_finite="allow-nan")


def filled_for(selector: Any, X: NDArray) -> NDArray:
    """X, with the mean of the feature in the place of missing values if the selector takes none.

    Parameters
    ----------
    selector : estimator
        Whose tags say what it takes.
    X : ndarray of shape (n_samples, n_features)
        Samples.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> filled_for(SelectKBest(), np.array([[1.0], [np.nan], [3.0]]))
    array([[1.],
           [2.],
           [3.]])
    """
    gaps = np.isnan(X) if X.dtype.kind == "f" else np.zeros(0, bool)
    if not gaps.any() or get_tags(selector).input_tags.allow_nan:
        return X
    counts = np.maximum((~gaps).sum(axis=0), 1)
    means = np.where(gaps, 0.0, X).sum(axis=0) / counts
    return np.where(gaps, means, X)
