"""What every rule and every fit asks of a target: who is like whom, and who may be compared.

A hit is a sample like this one, a miss is one unlike it, and a neighbor must be comparable. Rules
that know codes of classes take `hitmiss.targets.classes.Classes`, the quick case; every other
target is a `PairTarget`, of which rules ask how much of a hit and of a miss a pair is.
"""

from abc import ABC, abstractmethod
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hitmiss.targets.classes import AnyTarget, Classes

KEPT_SAMPLES = 3000  # up to which the shares of all pairs are kept: two matrices of 72 MB
ROWS_TOGETHER = 1 << 22  # pairs whose shares exist at once where they are not kept


class Target(Protocol):
    """The target of all samples."""

    def __len__(self) -> int: ...

    @property
    def has_hit(self) -> NDArray:
        """Whether each sample has a margin: a hit and a miss that may be compared with it."""
        ...

    @property
    def n_with_hit(self) -> int:
        """Number of samples that have a margin."""
        ...

    @property
    def weights(self) -> NDArray | None:
        """Weights of the samples in a loss or an average; None if all are 1."""
        ...

    @property
    def total(self) -> float:
        """Sum of the weights of the samples that have a margin."""
        ...

    @property
    def kinds(self) -> NDArray:
        """Integers from 0: of a part of the samples, each kind should have its share."""
        ...

    @property
    def overlaps(self) -> bool:
        """Whether a pair may be a hit and a miss at once: a likeness between 0 and 1."""
        ...

    @property
    def classes(self) -> "Classes":
        """The classes, of a target of classes; a TypeError of others."""
        ...

    @property
    def answers(self) -> NDArray:
        """What is to be explained of every sample, as `fit` takes it."""
        ...

    @property
    def miss_classes(self) -> NDArray:
        """Integers from 0: a rule that takes misses of each class apart takes these apart."""
        ...

    def of(self, rows: NDArray) -> "AnyTarget":
        """The target of some samples."""
        ...

    def relabeled(self, order: NDArray) -> "AnyTarget":
        """What is to be explained in another order; weights and comparability stay in place."""
        ...

    def weighted(
        self, sample_weight: NDArray | None, class_weight: NDArray | None = None
    ) -> "AnyTarget":
        """The same with weights of the samples, and by class if there are classes."""
        ...

    def digest(self) -> bytes:
        """Bytes that differ for other targets."""
        ...

    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """How like the samples `cols` are to the samples `rows`, in [0, 1]."""
        ...

    def comparability(self, rows: NDArray, cols: NDArray) -> NDArray | None:
        """How far these samples may be compared, in [0, 1]; None if everything may be."""
        ...


class Shares(NamedTuple):
    """Of pairs of samples: ``C S``, how much of a hit they are, and ``C (1 - S)``, of a miss."""

    hit: NDArray
    miss: NDArray


class PairTarget(ABC):
    """Base of the targets that are asked about pairs; a subclass has `likeness` and the rest.

    No sample is its own neighbor, whatever its likeness.
    """

    weights: NDArray | None = None
    overlaps: bool = True

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """How like the samples `cols` are to the samples `rows`, in [0, 1]."""

    @abstractmethod
    def of(self, rows: NDArray) -> "AnyTarget":
        """The target of some samples."""

    @abstractmethod
    def relabeled(self, order: NDArray) -> "AnyTarget":
        """What is to be explained in another order; weights and comparability stay in place."""

    @abstractmethod
    def digest(self) -> bytes:
        """Bytes that differ for other targets."""

    @property
    @abstractmethod
    def kinds(self) -> NDArray:
        """Integers from 0: of a part of the samples, each kind should have its share."""

    @property
    def answers(self) -> NDArray:
        """What is to be explained of every sample, as `fit` takes it."""
        raise TypeError(f"{type(self).__name__} does not keep what it was made of.")

    def comparability(self, rows: NDArray, cols: NDArray) -> NDArray | None:
        """How far these samples may be compared, in [0, 1]; None if everything may be."""
        return None

    def weighted(
        self, sample_weight: NDArray | None, class_weight: NDArray | None = None
    ) -> "AnyTarget":
        """The same with weights of the samples; there are no classes to have any."""
        found = copy(self)
        found.weights = sample_weight
        vars(found).pop("total", None)
        return found

    @property
    def classes(self) -> "Classes":
        """The classes, of a target of classes."""
        raise TypeError(f"{type(self).__name__} is no target of classes.")

    @property
    def miss_classes(self) -> NDArray:
        """Integers from 0: a rule that takes misses of each class apart takes these apart."""
        return np.zeros(len(self), np.intp)

    @cached_property
    def has_hit(self) -> NDArray:
        """Whether each sample has a hit and a miss that may be compared with it."""
        return self._find_margins()

    def _find_margins(self) -> NDArray:
        found = np.zeros(len(self), bool)
        size = max(1, ROWS_TOGETHER // len(self))
        for start in range(0, len(self), size):
            some = slice(start, start + size)
            hit, miss = self.shares_of(some)
            found[some] = (hit > 0).any(axis=1) & (miss > 0).any(axis=1)
        return found

    @cached_property
    def n_with_hit(self) -> int:
        """Number of samples that have a margin."""
        return int(np.sum(self.has_hit))

    @cached_property
    def total(self) -> float:
        """Sum of the weights of the samples that have a margin."""
        return total_weight(self)

    def shares(self, rows: NDArray, cols: NDArray) -> Shares:
        """How much of a hit and of a miss the samples `cols` are to the samples `rows`."""
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


def total_weight(target: Target) -> float:
    """Sum of the weights of the samples that have a margin."""
    if target.weights is None:
        return target.n_with_hit
    return float(target.weights[target.has_hit].sum())


def at(values: NDArray | None, rows: NDArray) -> NDArray | None:
    """The values of some samples, where there are any."""
    return None if values is None else values[rows]
