"""The Bunch that every generator returns."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from sklearn.utils import Bunch

from hitmiss._util.checks import check_float_dtype
from hitmiss.datasets.irrelevant import add_irrelevant


def dataset(X: np.ndarray, y: np.ndarray, relevant: ArrayLike, descr: str) -> Bunch:
    """Bunch of the data, their labels and the relevant features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples.
    y : ndarray of shape (n_samples,)
        Labels.
    relevant : array-like of int
        Indices of the relevant features.
    descr : str
        One sentence about the dataset.

    Returns
    -------
    Bunch
    """
    return Bunch(
        data=X,
        target=y,
        relevant=np.asarray(relevant, dtype=np.intp),
        feature_names=[f"x{j}" for j in range(X.shape[1])],
        DESCR=descr,
    )


def with_irrelevant(
    bunch: Bunch,
    rng: np.random.Generator,
    *,
    n_irrelevant: int,
    dtype: DTypeLike,
    return_X_y: bool,
) -> Any:
    """`bunch` with irrelevant features appended, or its ``(data, target)``.

    Parameters
    ----------
    bunch : Bunch
        As from `dataset`.
    rng : Generator
        Source of randomness.
    n_irrelevant : int
        Number of irrelevant N(0, 1) features to append.
    dtype : {float32, float64}
        Type of the data.
    return_X_y : bool
        Whether to return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch or tuple
        Annotated as Any, because a union would have to be narrowed at every call.
    """
    dtype = check_float_dtype("dtype", dtype)
    if not return_X_y:
        return add_irrelevant(bunch, n_irrelevant, dtype=dtype, random_state=rng)
    X = add_irrelevant(bunch.data, n_irrelevant, dtype=dtype, random_state=rng)
    return X, bunch.target
