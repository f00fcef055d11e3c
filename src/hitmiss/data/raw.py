"""Raw values in memory, for methods that go through the samples or sort the values."""

from typing import Any

from numpy.typing import NDArray

from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import Part
from hitmiss.data.subset import Subset


def raw_values(features: Any, part: Part = slice(None)) -> NDArray:
    """The values before any scaling, shape (n_samples, n_features).

    Parameters
    ----------
    features : InMemory or Subset
        The data; of a subset a copy is made.
    part : slice or ndarray
        Some of the features; all by default.
    """
    if isinstance(features, Subset):
        return raw_values(features.whole, features.index[part])
    if isinstance(features, InMemory):
        return features.X[:, part]
    raise TypeError(f"{type(features).__name__} does not hold its values in memory.")
