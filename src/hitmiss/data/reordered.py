"""Features of which some have their samples in another order."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.data.extremes import Extremes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, PairWeights
from hitmiss.data.scaling import Part, Scaling


class Reordered:
    """Other features, which are asked, but for a few of them whose samples change places.

    Parameters
    ----------
    whole : Features
        The data.
    index : ndarray of shape (n_moved,)
        Features, ascending, whose value for sample n is that of sample ``order[n]``.
    order : ndarray of shape (n_samples,)
        Samples.
    """

    def __init__(self, whole: Features, index: NDArray, order: NDArray):
        self.whole, self.index, self.order = whole, index, order
        self.n_samples, self.n_features, self.dtype = whole.n_samples, whole.n_features, whole.dtype
        self.scaling, self.workers, self.room = whole.scaling, whole.workers, whole.room
        moved = whole.columns(index)
        self._moved = InMemory(moved.X[order], whole.workers, moved.scaling)

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return self.whole.extremes()

    def scaled(self, scaling: Scaling) -> "Reordered":
        """The same raw values with another scaling."""
        return Reordered(self.whole.scaled(scaling), self.index, self.order)

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        others = w.copy()
        others[self.index] = 0
        return self.whole.distances(others) + self._moved.distances(w[self.index])

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        given = list(weights)
        found = self.whole.sums(given, index)
        return self._replaced(found, index, lambda part: self._moved.sums(given, part))

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        found = self.whole.margins(Q, index)
        return self._replaced(found, index, lambda part: self._moved.margins(Q, part))

    def squares(self, Q: Neighbors, weight: NDArray, index: Part | None = None) -> NDArray:
        """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z.

        The parameters are those of `Features.squares`.
        """
        found = self.whole.squares(Q, weight, index)
        return self._replaced(found, index, lambda part: self._moved.squares(Q, weight, part))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory."""
        found = self.whole.columns(index, dtype)
        self._replaced(found.X, index, lambda part: self._moved.X[:, part])
        return found

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values of the whole, of those that moved, and of their order."""
        _, moved = self._places(index)
        return self.whole.digest(index) + self._moved.digest(moved)

    def _replaced(
        self, found: NDArray, index: Part | None, of_moved: Callable[[NDArray], NDArray]
    ) -> NDArray:
        """The answer with the part of the moved features put in its place."""
        places, moved = self._places(index)
        if len(moved):
            found[..., places] = of_moved(moved)
        return found

    def _places(self, index: Part | None) -> tuple[NDArray, NDArray]:
        """Where moved features are in an answer about `index`, and which of them these are."""
        if index is None:
            return self.index, np.arange(len(self.index))
        wanted = np.arange(index.start, index.stop) if isinstance(index, slice) else index
        places = np.flatnonzero(np.isin(wanted, self.index))
        return places, np.searchsorted(self.index, wanted[places])
