"""What estimators around another one hand on to it: the treatment of its columns."""

from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags

from hitmiss.data.categories import as_numbers


def with_nominal(estimator: Any, index: NDArray | list[int] | None) -> Any:
    """A clone that takes the features at `index` for nominal, wherever it has such a parameter.

    For data whose words are codes already.

    Parameters
    ----------
    estimator : estimator
        Not changed.
    index : ndarray of int or None
        The nominal features; None for none.
    """
    member = clone(estimator)
    names = [name for name in member.get_params() if name.split("__")[-1] == "categorical"]
    return member.set_params(**dict.fromkeys(names, index))


def with_numbers(estimator: Any, X: Any) -> tuple[Any, Any]:
    """X with words as codes, and a clone of the estimator that knows which features these are.

    Parameters
    ----------
    estimator : estimator
        Any; one that knows nothing of nominal features is returned as it is, with X as it is.
    X : array-like or data frame
        Samples.
    """
    rule = getattr(estimator, "categorical", None)
    data, categories = as_numbers(X, rule)
    if not categories:
        return estimator, data
    return with_nominal(estimator, sorted(categories)), data


def allows_nan(estimator: Any) -> bool:
    """Whether the estimator takes missing values."""
    return bool(get_tags(estimator).input_tags.allow_nan)
