"""Features: the few questions that every method asks of the data, wherever these are.

With far more features than samples the data is cut along features. Labels, kernel widths and
starts are unknown here: the questions are about pairs of samples and their weights.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.pair_weights import Neighbors, PairWeights
from hitmiss.data.scaling import Extremes, Part, Scaling
from hitmiss.data.sizes import TILE_COLUMNS

if TYPE_CHECKING:
    from hitmiss.data.in_memory import InMemory


class Features(ABC):
    """Samples by features, each feature as its `scaling` says.

    The scaling also says how far a missing value is from any other, and nominal values from each
    other, where the formulas below have ``|x_nj - x_ij|``.

    An implementation that wraps another holds it and passes questions on. Where a question takes
    `index`, ascending, the answer is about these features only; None stands for all.
    """

    n_samples: int
    n_features: int
    dtype: np.dtype  # float32 or float64: the precision of the work
    scaling: Scaling
    workers: Workers
    room: float  # bytes that may be held beside the data
    is_in_memory = False  # whether the values are an array of this process
    needs_matrix = False  # whether pair weights must be a matrix: hits and misses are told apart

    @abstractmethod
    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""

    def scaled(self, scaling: Scaling) -> Self:
        """The same raw values with another scaling."""
        twin = copy(self)
        twin.scaling = scaling
        return twin

    @abstractmethod
    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""

    @abstractmethod
    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""

    @abstractmethod
    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""

    @abstractmethod
    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "InMemory":
        """Some features, scaled, in memory."""

    @abstractmethod
    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""

    def subset(self, index: NDArray) -> "Features":
        """The features at `index`, ascending, compared as before; nothing is copied."""
        from hitmiss.data.views import Subset

        return Subset(self, index)

    def of_samples(self, rows: NDArray) -> "Features":
        """The same features of some samples; unless they are on a cluster, these are copied."""
        from hitmiss.data.in_memory import InMemory

        X = np.empty((len(rows), self.n_features), self.dtype)
        for part in in_parts(np.arange(self.n_features)):
            X[:, part] = self.columns(part).X[rows]
        return InMemory(X, self.workers, self.scaling.of_scaled())

    def in_single_precision(self) -> "Features":
        """The features in single precision, where a copy of them is small and saves time."""
        return self

    def raw_values(self, part: Part | None = None) -> NDArray:
        """The values before any scaling, for methods that go through samples or sort values.

        Parameters
        ----------
        part : slice or ndarray, optional
            Some of the features. By default all: the array that was handed in, not a view of it, so
            that processes that have a copy recognize it. Of a subset a copy is made.
        """
        raise TypeError(f"{type(self).__name__} does not hold its values in memory.")


def in_parts(index: NDArray) -> list[NDArray]:
    """Features in parts of which the columns may be in memory at once."""
    return [index[k : k + TILE_COLUMNS] for k in range(0, len(index), TILE_COLUMNS)]
