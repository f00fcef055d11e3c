"""First and second moments of the differences of few features over soft neighbors."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import Neighbors, Tiles
from hitmiss.data.row_tiles import picked
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.margins import difference_moments, tile_moments
from hitmiss.lofe import heuristics


class Moments(NamedTuple):
    """Of the samples `rows`: ``E d`` over misses and over hits, and ``sum_i Q_ni d d'``.

    d is the vector of differences ``|x_n - x_i|``.
    """

    rows: slice | NDArray
    miss: NDArray
    hit: NDArray
    second: NDArray


def moments(features: InMemory, Q: Neighbors, hits: Neighbors | None = None) -> Iterator[Moments]:
    """Moments of all samples, or of some after the other where these are very many.

    Parameters
    ----------
    features : InMemory
        A few features.
    Q : Neighbors
        Signed probabilities of the neighbors.
    hits : Neighbors, optional
        Minus the probabilities of the hits, if a neighbor may be a hit and a miss at once; else
        their sign tells.

    Yields
    ------
    Moments
    """
    found = _moments(features, Q)
    if hits is None:
        yield from found
        return
    hit_means = -features.margins(hits)
    for rows, miss, hit, second in found:  # whose difference is right
        yield Moments(rows, miss - hit + hit_means[rows], hit_means[rows], second)


def _moments(features: InMemory, Q: Neighbors) -> Iterator[Moments]:
    if isinstance(Q, np.ndarray):
        yield _of_matrix(features, Q)
    else:
        yield from _of_tiles(features, Q)


def _of_matrix(features: InMemory, Q: NDArray) -> Moments:
    X, rule = features.values, features.rule(slice(0, features.n_features))
    n_samples, n_features = X.shape
    found = _empty(n_samples, n_features)
    ranges = features.row_ranges(triangular=False, work=features.n_padded**2 * n_features**2)

    def find(tile: tuple[int, int]) -> None:
        scratch = np.empty((n_features + 2, n_samples))
        rows = tile[0], min(tile[1], n_samples)
        difference_moments(X, X, *(rule or NUMBERS), Q, *rows, scratch, *found)

    features.workers.map(find, ranges)
    return Moments(slice(0, n_samples), *found)


def _of_tiles(features: InMemory, Q: Tiles) -> Iterator[Moments]:
    X, rule = features.values, features.rule(slice(0, features.n_features))
    R = np.ascontiguousarray(X[Q.references].T)

    def find(rows: NDArray) -> tuple[NDArray, ...]:
        P, near = Q.probabilities(rows)
        close, found = picked(R, near), _empty(len(rows), X.shape[1])
        if rule is None:
            tile_moments(X[rows], close, P, *found)
        else:
            scratch = np.empty((len(close) + 2, close.shape[1]))
            close = np.ascontiguousarray(close.T)
            difference_moments(X[rows], close, *rule, P, 0, len(rows), scratch, *found)
        return found

    size = max(1, heuristics.MOMENT_SAMPLES // len(Q.tiles[0]))
    for k in range(0, len(Q.tiles), size):
        turn = Q.tiles[k : k + size]
        parts = zip(*features.workers.map(find, turn), strict=True)
        yield Moments(np.concatenate(turn), *map(np.concatenate, parts))


def _empty(n_samples: int, n_features: int) -> tuple[NDArray, NDArray, NDArray]:
    """Room for misses, hits and second moments."""
    shape = (n_samples, n_features)
    return np.empty(shape), np.empty(shape), np.empty((*shape, n_features))
