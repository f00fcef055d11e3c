"""Features: the few questions that every method asks of the data, wherever these are.

With far more features than samples the data is cut along features. Labels, kernel widths and
starts are unknown here: the questions are about pairs of samples and their weights.

``Q[n, i]`` is what the difference ``|x_n - x_i|`` counts for. A matrix of all pairs is quick but
takes memory that grows with the square of the number of samples; a list is quicker where few
pairs count; tiles, some rows at a time, are made when they are needed and forgotten.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.scaling import Extremes, Part, Scaling
from hitmiss.data.sizes import TILE_COLUMNS
from hitmiss.kernels.sums import count_pairs, list_pairs, sizes_of_weights

if TYPE_CHECKING:
    from hitmiss.data.in_memory import InMemory

# Share of the pairs up to which a matrix becomes a list of those that count. With 460 x 30,000
# values a list of all takes 1.2 of the time of the matrix, one of 13 % 0.23.
LISTED_SHARE = 0.6
LISTED_FROM = 4096  # features: of fewer the sums take no longer than counting such pairs
EXPONENTS = 2049  # powers of two that a number in double precision may have


class PairList(NamedTuple):
    """The pairs that count, each once: partners i > n of every sample n, and their weights.

    Those of n are at the places ``first[n]`` to ``first[n + 1]``, a multiple of four.
    """

    first: NDArray
    partner: NDArray
    weight: NDArray

    @classmethod
    def of(cls, Q: NDArray, dtype: DTypeLike = float) -> "PairList":
        """The pairs of a matrix that are not zero.

        Parameters
        ----------
        Q : ndarray of shape (n_samples, n_samples)
            Weights, symmetric or not: ``Q[n, i]`` and ``Q[i, n]`` count for the same difference.
        dtype : dtype
            Of the weights; that of the features, if it is known, saves a copy.

        Examples
        --------
        >>> PairList.of(np.array([[0.0, 1.0], [0.5, 0.0]])).weight
        array([1.5, 0. , 0. , 0. ])
        """
        return cls._of_upper(Q + Q.T, dtype)

    @classmethod
    def of_most(cls, Q: NDArray, dtype: DTypeLike = float) -> "PairList | None":
        """The pairs of largest weight, if these are few: all others are lost in a sum.

        Together they are at most a rounding error of the sum of all, each without its sign.

        Parameters
        ----------
        Q : ndarray of shape (n_samples, n_samples)
            Weights, as in `of`.
        dtype : dtype
            Of the weights, whose rounding error it is.
        """
        S, (total, count) = Q + Q.T, np.zeros((2, EXPONENTS))
        sizes_of_weights(S, total, count)
        lost = np.cumsum(total) <= np.finfo(dtype).eps * total.sum()
        if count[~lost].sum() > LISTED_SHARE * S.size / 2:
            return None
        place = min(int(np.count_nonzero(lost)), EXPONENTS - 1)  # of the smallest that counts
        S[np.abs(S) < np.ldexp(0.5, place - 1024)] = 0
        return cls._of_upper(S, dtype)

    @classmethod
    def _of_upper(cls, S: NDArray, dtype: DTypeLike) -> "PairList":
        """The pairs of a matrix whose weights right of the diagonal are not zero."""
        first = np.empty(len(S) + 1, np.intp)
        count_pairs(S, first)
        partner, weight = np.empty(first[-1], np.int32), np.empty(first[-1], dtype)
        list_pairs(S, first, partner, weight)
        return cls(first, partner, weight)


class Tiles(Protocol):
    """A few rows of a matrix at a time."""

    tiles: list[NDArray]  # the samples of every tile
    references: NDArray  # samples that may be neighbors, in the order of the columns

    def probabilities(self, rows: NDArray) -> tuple[NDArray, list[slice]]:
        """Rows of a tile, padded to a multiple of four, and the references that they are of."""
        ...


class WeightedTiles(NamedTuple):
    """Tiles whose row n is multiplied by ``weight[n]``."""

    tiles: Tiles
    weight: NDArray


Neighbors = NDArray | Tiles  # signed probabilities of being the nearest hit or miss
PairWeights = NDArray | PairList | WeightedTiles


def is_matrix(weights: Any) -> TypeGuard[NDArray]:
    """Whether weights of pairs are a matrix; the only place that asks."""
    return isinstance(weights, np.ndarray)


def weighted_rows(Q: Neighbors, weight: NDArray) -> PairWeights:
    """``weight[n] Q[n, i]``, in the form that Q has."""
    return weight[:, None] * Q if is_matrix(Q) else WeightedTiles(Q, weight)  # type: ignore[arg-type]


def grouped(weights: Iterable[PairWeights]) -> Iterator[list[PairWeights]]:
    """Weights worked on at once: matrices, or lists, but tiles one by one, which may be large."""
    for kind, some in groupby(weights, type):
        if kind is WeightedTiles:
            yield from ([S] for S in some)
        else:
            yield list(some)


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


def pair_form(features: Features, Q: NDArray) -> PairWeights:
    """A matrix of weights in the form that is quickest: a list, if the features take one.

    Parameters
    ----------
    features : Features
        The data that will be asked.
    Q : ndarray of shape (n_samples, n_samples)
        The weights.
    """
    return Q if features.needs_matrix else PairList.of(Q, features.dtype)


def main_pairs(features: Features, Q: PairWeights) -> PairWeights:
    """Weights of pairs for very many features: a list of those that count, if these are few.

    Parameters
    ----------
    features : Features
        The data that will be asked.
    Q : PairWeights
        The weights.
    """
    if features.n_features < LISTED_FROM or features.needs_matrix or not is_matrix(Q):
        return Q
    pairs = PairList.of_most(Q, features.dtype)
    return Q if pairs is None else pairs
