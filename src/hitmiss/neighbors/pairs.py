"""Soft neighbors over pairs of samples: all pairs in one matrix, or a tile of rows at a time.

The choice is made once, when the data is opened; callers need not know which it is.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import Neighbors
from hitmiss.data.scaling import Rule
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.expected import class_distances, expected_values
from hitmiss.neighbors.pair_tiles import HitTiles, PairTiles
from hitmiss.neighbors.soft import soft_hits, soft_neighbors
from hitmiss.neighbors.soft_tiles import SoftTiles
from hitmiss.targets.classes import AnyTarget, Classes
from hitmiss.targets.target import PairTarget, Target


class Pairs(Protocol):
    """Soft neighbors, and what follows from their distances, under weights of the features.

    The methods share their parameters:

    - `features`: the data.
    - `w`, of shape (n_features,): weights of the features.
    - `starts`: several such weights; a number stands for uniform ones.
    - `target`: what is to be explained, and which samples may be compared.
    - `sigma`: the kernel width.
    - `values`, of shape (n_samples,): numbers of the samples.
    """

    cheap_moments: int  # features whose second moments over all pairs cost little
    is_matrix: bool  # whether all pairs are in a matrix
    unit: NDArray | None  # distances under unit weights of all features, if known
    references: NDArray | None  # samples that may be neighbors, if not all

    def of(self, rows: NDArray) -> "Pairs":
        """The pairs of some samples, ascending."""
        ...

    def soft(self, features: Features, w: NDArray, target: AnyTarget, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w."""
        ...

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: AnyTarget,
        sigma: float,
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start."""
        ...

    def soft_hits(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once."""
        ...

    def class_distances(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the comparable others of each class."""
        ...

    def expected_values(
        self, features: Features, w: NDArray, target: PairTarget, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others."""
        ...

    def neighbors_of(self, n_samples: int) -> NDArray:
        """The samples that may be neighbors."""
        ...


class AllPairs:
    """A matrix of all pairs: quickest, while there is room for it.

    Parameters
    ----------
    unit : ndarray of shape (n_samples, n_samples), optional
        Distances under unit weights of the features that `soft_from` is asked about, if known:
        they serve for every target.
    """

    cheap_moments = tile_sizes.ALL_PAIRS_MOMENTS
    is_matrix = True
    references: NDArray | None = None

    def __init__(self, unit: NDArray | None = None):
        self.unit = unit

    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples."""
        return type(self)(None if self.unit is None else self.unit[np.ix_(rows, rows)])

    def soft(self, features: Features, w: NDArray, target: AnyTarget, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w.

        The parameters are those of `Pairs`.
        """
        return soft_neighbors(features.distances(w), target, sigma, features.workers)

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: AnyTarget,
        sigma: float,
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start; a number stands for uniform weights.

        All uniform starts share one pass over the data for the distances. The parameters are those
        of `Pairs`.
        """
        unit = self.unit
        for start in starts:
            if np.ndim(start):
                yield self.soft(features, np.asarray(start), target, sigma)
                continue
            if unit is None:
                unit = features.distances(np.ones(features.n_features))
            yield soft_neighbors(unit * float(start), target, sigma, features.workers)

    def class_distances(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the others of each class.

        The parameters are those of `Pairs`.
        """
        D = features.distances(w)
        if isinstance(target, Classes):
            codes = target.codes
            parts = np.split(np.arange(len(D)), range(tile_sizes.ROWS, len(D), tile_sizes.ROWS))
            found = features.workers.map(
                lambda rows: class_distances(D[rows], codes, sigma, leave_out=rows), parts
            )
            return np.concatenate(found)
        hit, miss = target.shares_of(slice(0, len(target)))
        return class_distances(D, target.miss_classes, sigma, comparable=hit + miss)

    def soft_hits(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once.

        The parameters are those of `Pairs`.
        """
        if isinstance(target, Classes) or not target.overlaps:
            return None
        return soft_hits(features.distances(w), target, sigma, features.workers)

    def expected_values(
        self, features: Features, w: NDArray, target: PairTarget, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others.

        The parameters are those of `Pairs`.
        """
        hit, miss = target.shares_of(slice(0, len(target)))
        return expected_values(features.distances(w), hit + miss, values, sigma)

    def neighbors_of(self, n_samples: int) -> NDArray:
        """The samples that may be neighbors."""
        return np.arange(n_samples)


class RowTiles:
    """Some rows of the matrix at a time, for samples too many for it.

    Parameters
    ----------
    references : ndarray, optional
        Samples that may be neighbors, ascending; all by default.
    """

    cheap_moments = tile_sizes.ROW_TILES_MOMENTS
    is_matrix = False
    unit: NDArray | None = None

    def __init__(self, references: NDArray | None = None):
        self.references = references

    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples; any may be neighbors, unless all references are among them."""
        given = self.references
        if given is None or not np.isin(given, rows).all():
            return type(self)()
        return type(self)(np.searchsorted(rows, given))

    def soft(self, features: Features, w: NDArray, target: AnyTarget, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w.

        The parameters are those of `Pairs`.
        """
        references, (A, rule) = self.neighbors_of(len(target)), used(features, w)
        if isinstance(target, Classes):
            return SoftTiles(A, target, references, sigma, rule)
        return PairTiles(A, target, references, sigma, rule)

    def soft_hits(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> Neighbors | None:
        """Minus the probabilities of the hits alone, if a pair may be a hit and a miss at once.

        The parameters are those of `Pairs`.
        """
        if isinstance(target, Classes) or not target.overlaps:
            return None
        references, (A, rule) = self.neighbors_of(len(target)), used(features, w)
        return HitTiles(A, target, references, sigma, rule)

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: AnyTarget,
        sigma: float,
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start; a number stands for uniform weights.

        The parameters are those of `Pairs`.
        """
        for start in starts:
            yield self.soft(features, np.broadcast_to(start, features.n_features), target, sigma)

    def class_distances(
        self, features: Features, w: NDArray, target: AnyTarget, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the others of each class.

        The parameters are those of `Pairs`.
        """
        if not isinstance(target, Classes):
            return self._comparable_distances(features, w, target, sigma)
        references, (A, rule) = self.neighbors_of(len(target)), used(features, w)
        Q = SoftTiles(A, target, references, sigma, rule)
        E = np.empty((len(target), len(target.counts)))

        def of_tile(rows: NDArray) -> None:
            E[rows] = Q.class_distances(rows, E.shape[1])

        features.workers.map(of_tile, Q.tiles)
        return E

    def _comparable_distances(
        self, features: Features, w: NDArray, target: PairTarget, sigma: float
    ) -> NDArray:
        references, (A, rule) = self.neighbors_of(len(target)), used(features, w)
        Q = PairTiles(A, target, references, sigma, rule)
        labels = target.miss_classes[Q.references]
        E = np.full((len(target), int(target.miss_classes.max()) + 1), np.inf)

        def of_tile(rows: NDArray) -> None:
            hit, miss = target.shares(rows, Q.references)
            D = Q.distances(rows).astype(float)
            found = class_distances(D, labels, sigma, comparable=hit + miss)
            E[rows, : found.shape[1]] = found

        features.workers.map(of_tile, Q.tiles)
        return E

    def expected_values(
        self, features: Features, w: NDArray, target: PairTarget, sigma: float, values: NDArray
    ) -> NDArray:
        """Expected value of the soft neighbor of every sample among the comparable others.

        The parameters are those of `Pairs`.
        """
        references, (A, rule) = self.neighbors_of(len(target)), used(features, w)
        Q = PairTiles(A, target, references, sigma, rule)
        found = np.empty(len(target))

        def of_tile(rows: NDArray) -> None:
            hit, miss = target.shares(rows, Q.references)
            D = Q.distances(rows).astype(float)
            found[rows] = expected_values(D, hit + miss, values[Q.references], sigma)

        features.workers.map(of_tile, Q.tiles)
        return found

    def neighbors_of(self, n_samples: int) -> NDArray:
        """The samples that may be neighbors."""
        return np.arange(n_samples) if self.references is None else self.references


def used(features: Features, w: NDArray) -> tuple[NDArray, Rule | None]:
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
