"""Soft neighbors over pairs of samples: all pairs in one matrix, or a tile of rows at a time.

The choice is made once, when the data is opened; callers need not know which it is.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import Neighbors
from hitmiss.neighbors import tile_sizes
from hitmiss.neighbors.expected import class_distances
from hitmiss.neighbors.soft import soft_neighbors
from hitmiss.neighbors.soft_tiles import SoftTiles
from hitmiss.targets.classes import Classes


class Pairs(Protocol):
    """Soft neighbors, and what follows from their distances, under weights of the features."""

    cheap_moments: int  # features whose second moments over all pairs cost little

    def soft(self, features: Features, w: NDArray, target: Classes, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w.

        Parameters
        ----------
        features : Features
            The data.
        w : ndarray of shape (n_features,)
            Weights of the features.
        target : Classes
            The class of every sample.
        sigma : float
            Kernel width.
        """
        ...

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: Classes,
        sigma: float,
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start; a number stands for uniform weights.

        Parameters
        ----------
        features : Features
            The data.
        starts : sequence of float or ndarray of shape (n_features,)
            Weights; a number stands for uniform weights.
        target : Classes
            The class of every sample.
        sigma : float
            Kernel width.
        """
        ...

    def class_distances(
        self, features: Features, w: NDArray, target: Classes, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the others of each class.

        Parameters
        ----------
        features : Features
            The data.
        w : ndarray of shape (n_features,)
            Weights of the features.
        target : Classes
            The class of every sample.
        sigma : float
            Kernel width.
        """
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

    def __init__(self, unit: NDArray | None = None):
        self.unit = unit

    def of(self, rows: NDArray) -> Self:
        """The pairs of some samples."""
        return type(self)(None if self.unit is None else self.unit[np.ix_(rows, rows)])

    def soft(self, features: Features, w: NDArray, target: Classes, sigma: float) -> Neighbors:
        """Signed probabilities of being the nearest hit or miss under the weights w.

        The parameters are those of `Pairs`.
        """
        return soft_neighbors(features.distances(w), target, sigma, features.workers)

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: Classes,
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
        self, features: Features, w: NDArray, target: Classes, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the others of each class.

        The parameters are those of `Pairs`.
        """
        return class_distances(features.distances(w), target.codes, sigma, leave_out=True)

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

    def __init__(self, references: NDArray | None = None):
        self.references = references

    def soft(self, features: Features, w: NDArray, target: Classes, sigma: float) -> SoftTiles:
        """Signed probabilities of being the nearest hit or miss under the weights w.

        The parameters are those of `Pairs`.
        """
        support = np.flatnonzero(w)
        A = features.columns(support).X * w[support].astype(features.dtype)
        return SoftTiles(A, target, self.neighbors_of(len(target)), sigma)

    def soft_from(
        self,
        features: Features,
        starts: Sequence[float | NDArray],
        target: Classes,
        sigma: float,
    ) -> Iterator[Neighbors]:
        """Soft neighbors under every start; a number stands for uniform weights.

        The parameters are those of `Pairs`.
        """
        for start in starts:
            yield self.soft(features, np.broadcast_to(start, features.n_features), target, sigma)

    def class_distances(
        self, features: Features, w: NDArray, target: Classes, sigma: float
    ) -> NDArray:
        """Expected distance of every sample to the others of each class.

        The parameters are those of `Pairs`.
        """
        Q = self.soft(features, w, target, sigma)
        E = np.full((len(target), len(target.counts)), np.inf)

        def of_tile(rows: NDArray) -> None:
            D, own, labels, _ = Q.distances(rows)
            found = class_distances(D.astype(float), labels, sigma, leave_out=own)
            E[rows, : found.shape[1]] = found

        features.workers.map(of_tile, Q.tiles)
        return E

    def neighbors_of(self, n_samples: int) -> NDArray:
        """The samples that may be neighbors."""
        return np.arange(n_samples) if self.references is None else self.references


def balanced_references(target: Classes, size: int) -> NDArray:
    """Samples that stand for all, as many of each class as there are, up to `size` in all.

    Parameters
    ----------
    target : Classes
        The class of every sample.
    size : int
        Largest number of references.

    Returns
    -------
    references : ndarray of shape (n_references,)
        Ascending; drawn at random, but always the same.
    """
    rng, counts = np.random.default_rng(0), target.counts
    quota, left = np.zeros_like(counts), size
    for c in np.argsort(counts, kind="stable"):  # what a small class leaves goes to the larger
        still = len(counts) - np.count_nonzero(quota)
        quota[c] = min(counts[c], max(left // still, 2))
        left -= quota[c]
    drawn = [rng.permutation(np.flatnonzero(target.codes == c))[:q] for c, q in enumerate(quota)]
    return np.sort(np.concatenate(drawn))
