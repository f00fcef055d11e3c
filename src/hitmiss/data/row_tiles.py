"""Answers for pair weights that come in tiles of rows, so that no matrix of all pairs exists."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.aligned import padded, picked
from hitmiss.data.features import Tiles
from hitmiss.data.scaling import Part, balance_of
from hitmiss.data.sizes import TILE_COLUMNS
from hitmiss.kernels.row_tiles import tile_margins

if TYPE_CHECKING:
    from hitmiss.data.blockwise import Blockwise
    from hitmiss.data.in_memory import InMemory

TILES_PER_TASK = 16  # that a thread takes at a time: its sums stay apart, which fixes the order

# Called with the number of the task, the samples of a tile, the place of some features in the
# answer, and the margin vectors of these samples and features.
Visit = Callable[[int, NDArray, slice, NDArray], None]


def tiled_margins(features: "Blockwise", Q: Tiles, index: Part | None = None) -> NDArray:
    """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features).

    Parameters
    ----------
    features : Blockwise
        The data.
    Q : Tiles
        Weights of the pairs.
    index : slice or ndarray, optional
        Some of the features; all by default.
    """
    wanted = _wanted(features, index)
    Z = np.empty((features.n_samples, len(wanted)), features.dtype)

    def keep(task: int, rows: NDArray, answer: slice, tile: NDArray) -> None:
        Z[rows, answer] = tile

    _each_tile(features, Q, wanted, keep, "margins")
    return Z


def tiled_sums(
    features: "Blockwise", Q: Tiles, weight: NDArray, index: Part | None = None
) -> NDArray:
    """``sum_n weight_n z_n``, z the margin vectors under Q, over the samples of each task first.

    Parameters
    ----------
    features : Blockwise
        The data.
    Q : Tiles
        Weights of the pairs.
    weight : ndarray of shape (n_samples,)
        Weights of the samples.
    index : slice or ndarray, optional
        Some of the features; all by default.
    """
    wanted = _wanted(features, index)
    sums = np.zeros((_n_tasks(Q), len(wanted)))

    def add(task: int, rows: NDArray, answer: slice, tile: NDArray) -> None:
        sums[task, answer] += weight[rows] @ tile.astype(float)

    _each_tile(features, Q, wanted, add, "gradient")
    return sums.sum(axis=0)


def _wanted(features: "Blockwise", index: Part | None) -> NDArray:
    every = np.arange(features.n_features)
    return every if index is None else every[index]


def _n_tasks(Q: Tiles) -> int:
    return -(-len(Q.tiles) // TILES_PER_TASK)


def _each_tile(features: "Blockwise", Q: Tiles, wanted: NDArray, visit: Visit, name: str) -> None:
    """Visit every tile of samples and part of features; the tiles of a task in their order."""
    for start in range(0, len(wanted), TILE_COLUMNS):
        answer = slice(start, min(start + TILE_COLUMNS, len(wanted)))
        work = _work(features.columns(wanted[answer]), Q, answer, visit)
        features.workers.map(work, range(_n_tasks(Q)), features.label(name, len(wanted)))


def _work(some: "InMemory", Q: Tiles, answer: slice, visit: Visit) -> Callable[[int], None]:
    X, (gap, cap) = some.X, some.rule(slice(0, some.n_features))
    R = np.ascontiguousarray(X[Q.references].T)
    size = TILES_PER_TASK

    def work(task: int) -> None:
        for rows in Q.tiles[task * size : (task + 1) * size]:
            A = padded(X[rows])
            P, near = Q.probabilities(rows)
            Z = np.empty(A.shape, A.dtype)
            P = P.astype(A.dtype, copy=False)
            if gap is None:
                places = np.array([(place.start, place.stop) for place in near])
                tile_margins(A, R, gap, cap, places, P, None, Z)
            else:
                balance = balance_of(P, some.scaling)
                everything = np.array([(0, P.shape[1])])
                tile_margins(A, picked(R, near), gap, cap, everything, P, balance, Z)
            visit(task, rows, answer, Z[: len(rows)])

    return work
