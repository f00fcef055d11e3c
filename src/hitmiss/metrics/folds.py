"""Training and test samples of every fold; groups stay together."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv

Split = tuple[NDArray, NDArray]


def splits(
    X: NDArray,
    y: NDArray,
    *,
    n_folds: int,
    random_state: int,
    cv: Any = None,
    groups: ArrayLike | None = None,
) -> list[Split]:
    """Rows of the training and of the test samples of every fold.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples.
    y : ndarray of shape (n_samples,)
        Class labels.
    n_folds : int
        Number of stratified folds, if `cv` is None.
    random_state : int
        Seed of these.
    cv : splitter or iterable, optional
        As in scikit-learn.
    groups : array-like of shape (n_samples,), optional
        Of which no one is in the training and in the test samples of a fold; given to `cv`.

    Returns
    -------
    list of tuple of ndarray
    """
    known = None if groups is None else np.asarray(groups)
    if cv is None:
        if known is not None and len(np.unique(known)) < n_folds:
            raise ValueError(
                f"{n_folds} folds need as many groups, and there are {len(np.unique(known))}; use "
                "fewer folds."
            )
        kind = StratifiedKFold if known is None else StratifiedGroupKFold
        cv = kind(n_folds, shuffle=True, random_state=random_state)
    return list(check_cv(cv, y, classifier=True).split(X, y, known))
