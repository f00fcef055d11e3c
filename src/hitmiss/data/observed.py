"""Features compared by what is observed in both samples, as scikit-rebate compares them.

Differences with a missing value are left out of distances and of means over hits and misses, and
these are divided by what is left.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import one_blas_thread
from hitmiss.data import sizes
from hitmiss.data.extremes import Extremes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, PairList, PairWeights
from hitmiss.data.scaling import Part, Scaling
from hitmiss.data.subset import Subset


class Observed:
    """Other features, which are asked, without the differences that have a missing value.

    Parameters
    ----------
    whole : Features
        The data.
    """

    def __init__(self, whole: Features):
        scaling = whole.scaling
        gap = None if scaling.gap is None else np.where(np.isnan(scaling.gap), np.nan, 0.0)
        self.whole = whole.scaled(scaling._replace(gap=gap))  # what is missing adds nothing
        self.n_samples, self.n_features, self.dtype = whole.n_samples, whole.n_features, whole.dtype
        self.scaling, self.workers, self.room = self.whole.scaling, whole.workers, whole.room

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return self.whole.extremes()

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
        for part in self._parts(np.flatnonzero(holes)):
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
        if not isinstance(Q, np.ndarray):
            raise TypeError("Only a matrix of weights tells whose hits and misses these are.")
        wanted = np.arange(self.n_features)[slice(None) if index is None else index]
        Z, holes = self.whole.margins(Q, wanted), self._holes(wanted)
        for places in self._parts(np.flatnonzero(holes)):
            some, M = wanted[places], self._observed(wanted[places])
            sides = [self._mean(side, some, M) for side in (np.maximum(Q, 0), np.maximum(-Q, 0))]
            Z[:, places] = sides[0] - sides[1]
        return Z

    def squares(self, Q: Neighbors, weight: NDArray, index: Part | None = None) -> NDArray:
        """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z.

        The parameters are those of `Features.squares`.
        """
        return weight @ np.square(self.margins(Q, index).astype(float))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory."""
        return self.whole.columns(index, dtype)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        return self.whole.digest(index)

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

    def _parts(self, index: NDArray) -> list[NDArray]:
        size = sizes.TILE_COLUMNS
        return [index[k : k + size] for k in range(0, len(index), size)]


def pair_form(features: Any, Q: NDArray) -> PairWeights:
    """Weights of pairs in the form that is quickest: a list, unless rows have to be told apart.

    Parameters
    ----------
    features : Features
        What will be asked.
    Q : ndarray of shape (n_samples, n_samples)
        The weights.
    """
    return Q if isinstance(features, Observed) else PairList.of(Q, features.dtype)


def main_pairs(features: Any, Q: PairWeights) -> PairWeights:
    """Weights of pairs for very many features: a list of those that count, if these are few.

    Parameters
    ----------
    features : Features
        What will be asked.
    Q : PairWeights
        The weights.
    """
    few = features.n_features < sizes.LISTED_FROM or isinstance(features, Observed)
    if few or not isinstance(Q, np.ndarray):
        return Q
    pairs = PairList.of_most(Q, features.dtype)
    return Q if pairs is None else pairs


def subset(features: Any, index: NDArray) -> Features:
    """The features at `index`, ascending, compared as before."""
    if isinstance(features, Observed):
        return Observed(Subset(features.whole, index))
    return Subset(features, index)
