"""Views of other features: some of them, some with reordered samples, all without what is missing.

A view holds the other features and passes questions on; nothing is copied before it is needed.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import one_blas_thread
from hitmiss.data.features import Features, Neighbors, PairWeights, in_parts, is_matrix
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import Extremes, Part, Scaling


class View(Features):
    """Other features, the `whole`, which answer what a subclass does not."""

    def __init__(self, whole: Features):
        self.whole = whole
        self.n_samples, self.n_features, self.dtype = whole.n_samples, whole.n_features, whole.dtype
        self.scaling, self.workers, self.room = whole.scaling, whole.workers, whole.room

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return self.whole.extremes()

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory."""
        return self.whole.columns(index, dtype)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        return self.whole.digest(index)


class Subset(View):
    """The features at `index` of other features.

    Parameters
    ----------
    whole : Features
        The data.
    index : ndarray of shape (n_kept,)
        Features to keep, ascending.
    """

    def __init__(self, whole: Features, index: NDArray):
        super().__init__(whole)
        self.index, self.n_features, self.scaling = index, len(index), whole.scaling.at(index)

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return self.whole.extremes().at(self.index)

    def scaled(self, scaling: Scaling) -> "Subset":
        """The same raw values with another scaling."""
        of_all = Scaling(
            self._in_whole(scaling.center, 0.0, self.dtype),
            self._in_whole(scaling.factor, 1.0, self.dtype),
            self._in_whole(scaling.gap, np.nan, np.dtype(float)),
            self._in_whole(scaling.cap, np.inf, np.dtype(float)),
        )
        return Subset(self.whole.scaled(of_all), self.index)

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        of_all = np.zeros(self.whole.n_features, w.dtype)
        of_all[self.index] = w
        return self.whole.distances(of_all)

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        return self.whole.sums(weights, self._of(index))

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        return self.whole.margins(Q, self._of(index))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory."""
        return self.whole.columns(self.index[index], dtype)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        return self.whole.digest(self._of(index))

    def of_samples(self, rows: NDArray) -> "Subset":
        """The same features of some samples."""
        return Subset(self.whole.of_samples(rows), self.index)

    def raw_values(self, part: Part | None = None) -> NDArray:
        """A copy of the values before any scaling."""
        return self.whole.raw_values(self._of(part))

    def _of(self, index: Part | None) -> NDArray:
        return self.index if index is None else self.index[index]

    def _in_whole(self, values: NDArray | None, others: float, dtype: np.dtype) -> NDArray | None:
        """Values of the kept features among all, `others` elsewhere."""
        if values is None:
            return None
        found = np.full(self.whole.n_features, others, dtype)
        found[self.index] = values
        return found


class Reordered(View):
    """Other features, a few of them with their samples in another order.

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
        super().__init__(whole)
        self.index, self.order, moved = index, order, whole.columns(index)
        self._moved = InMemory(moved.X[order], whole.workers, moved.scaling)

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
        """Places of moved features in an answer about `index`, and which of them these are."""
        if index is None:
            return self.index, np.arange(len(self.index))
        wanted = np.arange(self.n_features)[index]
        places = np.flatnonzero(np.isin(wanted, self.index))
        return places, np.searchsorted(self.index, wanted[places])


class Observed(View):
    """Other features compared by what is observed in both samples, as scikit-rebate compares them.

    Differences with a missing value are left out of distances and of means over hits and misses,
    and these are divided by what is left.

    Parameters
    ----------
    whole : Features
        The data.
    """

    needs_matrix = True

    def __init__(self, whole: Features):
        gap = whole.scaling.gap
        gap = None if gap is None else np.where(np.isnan(gap), np.nan, 0.0)
        super().__init__(whole.scaled(whole.scaling._replace(gap=gap)))  # missing adds nothing

    def scaled(self, scaling: Scaling) -> "Observed":
        """The same raw values with another scaling."""
        return Observed(self.whole.scaled(scaling))

    @one_blas_thread()
    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances, divided by the share of the weights that is observed.

        Two samples that share no observed feature are as far apart as any.
        """
        D = self.whole.distances(w)
        holes = w * self._holes(np.arange(self.n_features))
        seen = np.full(D.shape, w.sum() - holes.sum())
        for part in in_parts(np.flatnonzero(holes)):
            M = self._observed(part)
            seen += (M * w[part]) @ M.T
        known = seen > 0
        D *= np.where(known, w.sum() / np.where(known, seen, 1.0), 0.0)
        D[~known] = D.max(initial=0.0)
        np.fill_diagonal(D, 0.0)
        return D

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """Sums over the samples of margin vectors; every S is a matrix here."""
        return np.array([self.margins(S, index).sum(axis=0, dtype=float) for S in weights])  # type: ignore[arg-type]

    @one_blas_thread()
    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors, hits and misses averaged over those that are observed."""
        if not is_matrix(Q):
            raise TypeError("Only a matrix of weights tells whose hits and misses these are.")
        wanted = np.arange(self.n_features)[slice(None) if index is None else index]
        Z, holes = self.whole.margins(Q, wanted), self._holes(wanted)
        for places in in_parts(np.flatnonzero(holes)):
            some, M = wanted[places], self._observed(wanted[places])
            sides = [self._mean(side, some, M) for side in (np.maximum(Q, 0), np.maximum(-Q, 0))]
            Z[:, places] = sides[0] - sides[1]
        return Z

    def subset(self, index: NDArray) -> "Observed":
        """The features at `index`, ascending, compared as before."""
        return Observed(self.whole.subset(index))

    def of_samples(self, rows: NDArray) -> "Observed":
        """The same features of some samples."""
        return Observed(self.whole.of_samples(rows))

    def raw_values(self, part: Part | None = None) -> NDArray:
        """The values before any scaling."""
        return self.whole.raw_values(part)

    def _mean(self, P: NDArray, index: NDArray, M: NDArray) -> NDArray:
        """``sum_i P_ni |x_n - x_i|`` over observed i, as if these had all of the weight."""
        found, seen = self.whole.margins(P, index), P @ M
        share = np.divide(P.sum(axis=1)[:, None], seen, out=np.zeros_like(seen), where=seen > 0)
        return found * share

    def _observed(self, index: NDArray) -> NDArray:
        """1 where a value of these features is observed, else 0."""
        return (~np.isnan(self.whole.columns(index).X)).astype(float)

    def _holes(self, index: NDArray) -> NDArray:
        """Which of these features have missing values."""
        if self.scaling.gap is None:
            return np.zeros(len(index), bool)
        return ~np.isnan(self.scaling.gap[index])
