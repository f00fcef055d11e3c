"""The one form in which every generator returns its dataset."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from sklearn.utils import Bunch

from hitmiss._util.checks import check_float_dtype
from hitmiss.datasets.irrelevant import add_irrelevant


def dataset(X: np.ndarray, y: np.ndarray, relevant: ArrayLike, descr: str) -> Bunch:
    """Bunch of the data, its labels and the answer."""
    return Bunch(
        data=X,
        target=y,
        relevant=np.asarray(relevant, dtype=np.intp),
        feature_names=[f"x{j}" for j in range(X.shape[1])],
        DESCR=descr,
    )


def finished(
    bunch: Bunch,
    rng: np.random.Generator,
    *,
    n_irrelevant: int,
    dtype: DTypeLike,
    return_X_y: bool,
) -> Any:
    """`bunch` with its irrelevant features, in the form the caller asked for.

    Typed Any, because a union of Bunch and tuple would have to be narrowed at every call.
    """
    dtype = check_float_dtype("dtype", dtype)
    if not return_X_y:
        return add_irrelevant(bunch, n_irrelevant, dtype=dtype, random_state=rng)
    X = add_irrelevant(bunch.data, n_irrelevant, dtype=dtype, random_state=rng)
    return X, bunch.target
