"""Raw values in memory, for methods that go through the samples or sort the values."""

from typing import Any

from numpy.typing import NDArray

from hitmiss.data.in_memory import InMemory
from hitmiss.data.observed import Observed
from hitmiss.data.scaling import Part
from hitmiss.data.subset import Subset


def raw_values(features: Any, part: Part | None = None) -> NDArray:
    """The values before any scaling, shape (n_samples, n_features).

    Parameters
    ----------
    features : InMemory, Subset or Observed
        The data; of a subset a copy is made.
    part : slice or ndarray, optional
        Some of the features. By default all: the array that was handed in, not a view of it, so
        that processes that have a copy recognize it.
    """
    if isinstance(features, Observed):
        return raw_values(features.whole, part)
    if isinstance(features, Subset):
        return raw_values(features.whole, features.index if part is None else features.index[part])
    if isinstance(features, InMemory):
        return features.X if part is None else features.X[:, part]
    raise TypeError(f"{type(features).__name__} does not hold its values in memory.")
