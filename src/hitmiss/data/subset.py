"""Some of the features of other data; nothing is copied before it is needed."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.data.extremes import Extremes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, PairWeights
from hitmiss.data.scaling import Part, Scaling


class Subset:
    """The features at `index` of other features, which are asked.

    Parameters
    ----------
    whole : Features
        The data.
    index : ndarray of shape (n_kept,)
        Features to keep, ascending.
    """

    def __init__(self, whole: Features, index: NDArray):
        self.whole, self.index = whole, index
        self.n_samples, self.n_features, self.dtype = whole.n_samples, len(index), whole.dtype
        self.scaling = whole.scaling.at(index)
        self.workers, self.room = whole.workers, whole.room

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return self.whole.extremes().at(self.index)

    def scaled(self, scaling: Scaling) -> "Subset":
        """The same raw values with another scaling."""
        of_all = Scaling(
            self._spread(scaling.center, 0.0, self.dtype),
            self._spread(scaling.factor, 1.0, self.dtype),
            self._spread(scaling.gap, np.nan, np.dtype(float)),
            self._spread(scaling.cap, np.inf, np.dtype(float)),
        )
        return Subset(self.whole.scaled(of_all), self.index)

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        spread = np.zeros(self.whole.n_features, w.dtype)
        spread[self.index] = w
        return self.whole.distances(spread)

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        return self.whole.sums(weights, self._of(index))

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        return self.whole.margins(Q, self._of(index))

    def squares(self, Q: Neighbors, weight: NDArray, index: Part | None = None) -> NDArray:
        """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z.

        The parameters are those of `Features.squares`.
        """
        return self.whole.squares(Q, weight, self._of(index))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory."""
        return self.whole.columns(self.index[index], dtype)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        return self.whole.digest(self._of(index))

    def _of(self, index: Part | None) -> NDArray:
        return self.index if index is None else self.index[index]

    def _spread(self, values: NDArray | None, elsewhere: float, dtype: np.dtype) -> NDArray | None:
        if values is None:
            return None
        spread = np.full(self.whole.n_features, elsewhere, dtype)
        spread[self.index] = values
        return spread
