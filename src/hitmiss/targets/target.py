"""Targets: which samples are alike, which may be compared, and so which are hits and misses.

A hit is a sample like this one, a miss is one unlike it, and a neighbor must be comparable. With
likeness S and comparability C, both in [0, 1], a pair is ``C S`` of a hit and ``C (1 - S)`` of a
miss. `Classes`, where S is 1 or 0 and C is 1, overrides the general answers by quicker ones.
"""

from abc import ABC, abstractmethod
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.kernels.neighbors import (
    class_pair_probabilities,
    nearest_pairs,
    pair_probabilities,
    pairs_within_band,
)

if TYPE_CHECKING:
    from hitmiss.targets.classes import Classes
    from hitmiss.targets.comparable import Comparable

KEPT_SAMPLES = 3000  # up to which the shares of all pairs are kept: two matrices of 72 MB
ROWS_TOGETHER = 1 << 22  # pairs whose shares exist at once where they are not kept


class Shares(NamedTuple):
    """Of pairs of samples: ``C S``, how much of a hit they are, and ``C (1 - S)``, of a miss."""

    hit: NDArray
    miss: NDArray


class Target(ABC):
    """The target of all samples. No sample is its own neighbor, whatever its likeness.

    Attributes
    ----------
    weights : ndarray of shape (n_samples,) or None
        Weights of the samples in a loss or an average; None if all are 1.
    overlaps : bool
        Whether a pair may be a hit and a miss at once: a likeness between 0 and 1.
    codes : ndarray of shape (n_samples,) or None
        Classes as integers from 0, if these alone say who is a hit and who is a miss; kernels are
        quickest then.
    comparable : Comparable or None
        Groups, strata and covariates, if these restrict who may be compared.
    """

    weights: NDArray | None = None
    overlaps: bool = True
    codes: NDArray | None = None
    comparable: "Comparable | None" = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """Likeness of the samples `rows` and the samples `cols`, in [0, 1]."""

    def comparability(self, rows: NDArray, cols: NDArray) -> NDArray | None:
        """Comparability of these samples, in [0, 1]; None if everything may be compared."""
        return None

    @abstractmethod
    def of(self, rows: NDArray) -> "Target":
        """The target of some samples."""

    @abstractmethod
    def relabeled(self, order: NDArray) -> "Target":
        """The target in another order of samples; weights and comparability stay in place."""

    def weighted(
        self, sample_weight: NDArray | None, class_weight: NDArray | None = None
    ) -> "Target":
        """The same with weights of the samples, and by class if there are classes."""
        found = copy(self)
        found.weights = sample_weight
        vars(found).pop("total", None)
        return found

    @property
    def given_weights(self) -> NDArray | None:
        """Weights of the samples as given, without those of classes."""
        return self.weights

    def compared_like(self, other: "Target") -> "Target":
        """Another target of the same samples, with the comparability of this one."""
        return other

    @property
    def alone(self) -> "Target":
        """The target itself, without a comparability that was added to it."""
        return self

    @abstractmethod
    def digest(self) -> bytes:
        """Bytes that differ for other targets."""

    @property
    @abstractmethod
    def kinds(self) -> NDArray:
        """Integers from 0: of a part of the samples, each kind should have its share."""

    @property
    def classes(self) -> "Classes":
        """The classes, of a target of classes; a TypeError of others."""
        raise TypeError(f"{type(self).__name__} is no target of classes.")

    @property
    def answers(self) -> NDArray:
        """The y of every sample, as `fit` takes it."""
        raise TypeError(f"{type(self).__name__} does not keep what it was made of.")

    @property
    def miss_classes(self) -> NDArray:
        """Integers from 0: a rule that takes misses of each class apart takes these apart."""
        return np.zeros(len(self), np.intp)

    @property
    def n_miss_classes(self) -> int:
        """Number of these classes."""
        return int(self.miss_classes.max()) + 1

    @cached_property
    def has_hit(self) -> NDArray:
        """Whether each sample has a margin: a hit and a miss that may be compared with it."""
        found = np.zeros(len(self), bool)
        size = max(1, ROWS_TOGETHER // len(self))
        for start in range(0, len(self), size):
            some = slice(start, start + size)
            hit, miss = self.is_neighbor(some)
            found[some] = hit.any(axis=1) & miss.any(axis=1)
        return found

    @cached_property
    def n_with_hit(self) -> int:
        """Number of samples that have a margin."""
        return int(np.sum(self.has_hit))

    @cached_property
    def total(self) -> float:
        """Sum of the weights of the samples that have a margin."""
        if self.weights is None:
            return self.n_with_hit
        return float(self.weights[self.has_hit].sum())

    def shares(self, rows: NDArray, cols: NDArray) -> Shares:
        """Shares of hits and misses that the samples `cols` are to the samples `rows`."""
        S, C = self.likeness(rows, cols), self.comparability(rows, cols)
        others = (rows[:, None] != cols).astype(float)
        C = others if C is None else C * others
        return Shares(C * S, C * (1 - S))

    def shares_of(self, rows: slice) -> Shares:
        """The shares of some samples, side by side, and all others."""
        if len(self) <= KEPT_SAMPLES:
            hit, miss = self._all_shares
            return Shares(hit[rows], miss[rows])
        every = np.arange(len(self))
        return self.shares(every[rows], every)

    @cached_property
    def _all_shares(self) -> Shares:
        every = np.arange(len(self))
        return self.shares(every, every)

    def is_neighbor(self, rows: slice) -> Shares:
        """Whether samples are hits, and whether they are misses, of some, side by side."""
        hit, miss = self.shares_of(rows)
        return Shares(hit > 0, miss > 0)

    def compared_pairs(self) -> NDArray | None:
        """Comparability of all pairs of different samples; None if everything may be compared."""
        hit, miss = self.shares_of(slice(0, len(self)))
        return hit + miss

    # Some rows of Q for the rules of hitmiss.neighbors, from the shares of hits and misses. The
    # formulas and the arguments are documented there.

    def fill_soft(self, D: NDArray, sigma: float, rows: slice, Q: NDArray) -> None:
        """Rows of `soft_neighbors`."""
        unused = np.empty(rows.stop - rows.start)
        pair_probabilities(D[rows], *self.shares_of(rows), sigma, 0.0, Q[rows], unused)

    def fill_soft_by_class(self, D: NDArray, sigma: float, rows: slice, Q: NDArray) -> None:
        """Rows of `soft_neighbors_by_class`."""
        y, n_classes = self.miss_classes, self.n_miss_classes
        class_pair_probabilities(D[rows], *self.shares_of(rows), y, n_classes, sigma, Q[rows])

    def fill_nearest(self, D: NDArray, k: int, nearer: float, rows: slice, Q: NDArray) -> None:
        """Rows of `nearest_neighbors`."""
        y, n_classes = self.miss_classes, self.n_miss_classes
        nearest_pairs(D[rows], *self.shares_of(rows), y, n_classes, k, nearer, Q[rows])

    def fill_band(self, D: NDArray, low: NDArray, high: NDArray, rows: slice, Q: NDArray) -> None:
        """Rows of `band_neighbors`."""
        y, (hit, miss) = self.miss_classes, self.shares_of(rows)
        band = low[rows], high[rows]
        pairs_within_band(D[rows], hit, miss, y, self.n_miss_classes, *band, Q[rows])


class PairTarget(Target):
    """Base of the targets that have more to say of a pair than whether its classes are the same."""


def at(values: NDArray | None, rows: NDArray) -> NDArray | None:
    """The values of some samples, where there are any."""
    return None if values is None else values[rows]


def weight_bytes(weights: NDArray | None) -> bytes:
    """Bytes that differ for other weights of the samples."""
    return b"" if weights is None else np.asarray(weights, float).tobytes()
