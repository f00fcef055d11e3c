"""Data for fits on subsets of samples: words as codes, gaps kept if supported."""

from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_X_y

from hitmiss._util.alignment import aligned
from hitmiss.estimators.wrappers import allows_nan, with_numbers


def checked(
    estimator: Any, X: ArrayLike, y: ArrayLike, **beside: Any
) -> tuple[Any, NDArray, NDArray, dict[str, Any]]:
    """The estimator, X and y as arrays, rows of which it can be fitted to, and `beside`.

    Parameters
    ----------
    estimator : estimator
        Any.
    X : array-like of shape (n_samples, n_features)
        Samples. Missing values and words are kept for an estimator that takes them, of which a
        clone is returned that knows which features are nominal.
    y : array-like of shape (n_samples,) or str
        Labels, or the name of their column.
    **beside : array-like, str or None
        Groups, strata and the like, or the names of their columns; returned as values.
    """
    explained = getattr(estimator, "explains", "classes")
    if explained != "classes":
        raise ValueError(
            f"{type(estimator).__name__} explains {explained}, but this measure needs classes; use "
            "hitmiss.metrics.cross_validated_score."
        )
    X, y, known = aligned(X, y, **beside)
    estimator, numbers = with_numbers(estimator, X)
    finite = "allow-nan" if allows_nan(estimator) else True
    data, labels = check_X_y(numbers, y, dtype="numeric", ensure_all_finite=finite)
    return estimator, data, labels, known
