"""Soft neighbors over pairs of samples: all pairs in one matrix, or a tile of rows at a time.

The choice is made once, when the data is opened; callers need not know which it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features, Neighbors
from hitmiss.data.scaling import Rule
from hitmiss.neighbors.soft import class_distances, expected_values, soft_hits, soft_neighbors
from hitmiss.neighbors.tiles import ClassTiles, HitTiles, PairTiles
from hitmiss.targets.target import Target

ROWS = 256  # samples whose distances from the classes one thread finds at a time: convention


class Pairs(ABC):
    """Soft neighbors, and what follows from their distances, under weights of the features.

    The methods share their parameters:

    - `features`: the data.
    - `w`, of shape (n_features,): weights of the features.
    - `starts`: several such weights; a number stands for uniform ones.
    - `target`: what is to be explained, and which samples may be compared.
    - `sigma`: the kernel width.
    - `values`, of shape (n_samples,): numbers of the samples.

    Attributes
    ----------
    is_matrix : bool
        Whether all pairs are in one matrix.
    cheap_moments : int
        Features up to which Newton's method, with second moments over all pairs, is always tried:
        its work grows with their square.
    unit : ndarray of shape (n_samples, n_samples) or None
        Distances under unit weights of all features, if known.
    references : ndarray or None
        Samples that may be neighbors, ascending, if not all.
    """

    is_matrix: bool
    cheap_moments: int
    unit: NDArray | None = None
    references: NDArray | None = None

    @abstractmethod
    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples, ascending."""

    def with_unit(self, features: Features) -> "Pairs":
        """The same, knowing what serves for every target: distances under unit weights."""
        return self

    @abstractmethod
    def soft(self, features: Features, w: NDArray, target: Target, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w."""

    def soft_from(
        self, features: Features, starts: Sequence[float | NDArray], target: Target, sigma: float
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start."""
        for start in starts:
            yield self.soft(features, np.broadcast_to(start, features.n_features), target, sigma)

    @abstractmethod
    def soft_hits(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once."""

    @abstractmethod
    def class_distances(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the comparable others of each class."""

    @abstractmethod
    def expected_values(
        self, features: Features, w: NDArray, target: Target, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others."""

    def neighbors_of(self, n_samples: int) -> NDArray:
        """The samples that may be neighbors."""
        return np.arange(n_samples) if self.references is None else self.references


class AllPairs(Pairs):
    """A matrix of all pairs: quickest, while there is room for it.

    Parameters
    ----------
    unit : ndarray of shape (n_samples, n_samples), optional
        Distances under unit weights of the features that `soft_from` is asked about, if known:
        they serve for every target.
    """

    is_matrix, cheap_moments = True, 32

    def __init__(self, unit: NDArray | None = None):
        self.unit = unit

    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples."""
        return type(self)(None if self.unit is None else self.unit[np.ix_(rows, rows)])

    def with_unit(self, features: Features) -> "AllPairs":
        """The same, with the distances under unit weights of the features."""
        return AllPairs(features.distances(np.ones(features.n_features)))

    def soft(self, features: Features, w: NDArray, target: Target, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w."""
        return soft_neighbors(features.distances(w), target, sigma, features.workers)

    def soft_from(
        self, features: Features, starts: Sequence[float | NDArray], target: Target, sigma: float
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start; uniform ones share one pass over the data."""
        unit = self.unit
        for start in starts:
            if np.ndim(start):
                yield self.soft(features, np.asarray(start), target, sigma)
                continue
            if unit is None:
                unit = features.distances(np.ones(features.n_features))
            yield soft_neighbors(unit * float(start), target, sigma, features.workers)

    def soft_hits(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once."""
        if not target.overlaps:
            return None
        return soft_hits(features.distances(w), target, sigma, features.workers)

    def class_distances(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the comparable others of each class."""
        D, y, C = features.distances(w), target.miss_classes, target.compared_pairs()
        if C is not None:
            return class_distances(D, y, sigma, comparable=C)
        parts = np.split(np.arange(len(D)), range(ROWS, len(D), ROWS))
        found = features.workers.map(
            lambda rows: class_distances(D[rows], y, sigma, leave_out=rows), parts
        )
        return np.concatenate(found)

    def expected_values(
        self, features: Features, w: NDArray, target: Target, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others."""
        hit, miss = target.shares_of(slice(0, len(target)))
        return expected_values(features.distances(w), hit + miss, values, sigma)


class RowTiles(Pairs):
    """Some rows of the matrix at a time, for samples too many for it.

    Parameters
    ----------
    references : ndarray, optional
        Samples that may be neighbors, ascending; all by default.
    """

    is_matrix, cheap_moments = False, 8  # every step of Newton's method finds the neighbors again

    def __init__(self, references: NDArray | None = None):
        self.references = references

    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples; any may be neighbors, unless all references are among them."""
        given = self.references
        if given is None or not np.isin(given, rows).all():
            return type(self)()
        return type(self)(np.searchsorted(rows, given))

    def soft(self, features: Features, w: NDArray, target: Target, sigma: float) -> PairTiles:
        """Signed probabilities of being the nearest hit or miss under the weights w."""
        kind = PairTiles if target.codes is None else ClassTiles
        return self._tiles(kind, features, w, target, sigma)

    def soft_hits(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once."""
        return self._tiles(HitTiles, features, w, target, sigma) if target.overlaps else None

    def class_distances(
        self, features: Features, w: NDArray, target: Target, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the comparable others of each class."""
        Q, n_classes = self.soft(features, w, target, sigma), target.n_miss_classes
        E = np.empty((len(target), n_classes))

        def of_tile(rows: NDArray) -> None:
            E[rows] = Q.class_distances(rows, n_classes)

        features.workers.map(of_tile, Q.tiles)
        return E

    def expected_values(
        self, features: Features, w: NDArray, target: Target, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others."""
        Q, found = self._tiles(PairTiles, features, w, target, sigma), np.empty(len(target))

        def of_tile(rows: NDArray) -> None:
            found[rows] = Q.expected_values(rows, values)

        features.workers.map(of_tile, Q.tiles)
        return found

    def _tiles(
        self, kind: type[PairTiles], features: Features, w: NDArray, target: Target, sigma: float
    ) -> PairTiles:
        A, rule = used(features, w)
        return kind(A, target, self.neighbors_of(len(target)), sigma, rule)


def used(features: Features, w: NDArray) -> tuple[NDArray, Rule]:
    """The features that have a weight, times their weights, and how missing values differ."""
    support = np.flatnonzero(w)
    few, weights = features.columns(support), w[support].astype(features.dtype)
    return few.X * weights, few.rule(slice(0, len(support)), weights)


def balanced_references(target: Target, size: int) -> NDArray:
    """Samples that stand for all, as many of each kind as there are, up to `size` in all.

    Parameters
    ----------
    target : Target
        Whose kinds of samples, such as classes, the references have.
    size : int
        Largest number of references.

    Returns
    -------
    references : ndarray of shape (n_references,)
        Ascending; drawn at random, but always the same.
    """
    kinds = target.kinds
    rng, counts = np.random.default_rng(0), np.bincount(kinds)
    quota, left = np.zeros_like(counts), size
    for c in np.argsort(counts, kind="stable"):  # what a small kind leaves goes to the larger
        still = len(counts) - np.count_nonzero(quota)
        quota[c] = min(counts[c], max(left // still, 2))
        left -= quota[c]
    drawn = [rng.permutation(np.flatnonzero(kinds == c))[:q] for c, q in enumerate(quota)]
    return np.sort(np.concatenate(drawn))
