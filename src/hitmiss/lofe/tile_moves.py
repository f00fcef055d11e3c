"""Steps of the fixed point on few features whose neighbors are found a tile of rows at a time.

Of some thousand samples the probabilities of a tile are still in the cache when they are used, so
a move takes half the time of one with a matrix of pairs. A pass over all features is quicker with a
matrix, which is then made of the tiles.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import Neighbors, Tiles
from hitmiss.lofe.fixed_point import Move
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.lofe.starts import gradient
from hitmiss.neighbors.pairs import RowTiles
from hitmiss.solvers.prox_newton import prox_newton


def tile_move(features: Features, problem: Problem, w: NDArray, u: NDArray) -> Move:
    """T(w), from the start u; see `hitmiss.lofe.fixed_point.next_move`.

    Parameters
    ----------
    features : Features
        The features that w is about.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights under which the neighbors are found.
    u : ndarray of shape (n_features,)
        Where the minimization begins.
    """
    Q = RowTiles().soft(features, w, problem.target, problem.sigma) if w.any() else None
    point = evaluate(features, problem, w, Q)
    solution = prox_newton(point.Z, problem.loss, problem.penalty, u)
    return Move(solution.w, solution.gap, point.objective, point.gap, point)


def matrix_gradient(features: Features, Q: Neighbors, pull: NDArray) -> NDArray:
    """``c_j = sum_n pull_n z_n(j)`` of every feature j, without the margin vectors z.

    Parameters
    ----------
    features : Features
        The data.
    Q : Neighbors
        Signed probabilities of the neighbors.
    pull : ndarray of shape (n_samples,)
        Pull of every sample.
    """
    return gradient(features, Q if isinstance(Q, np.ndarray) else matrix_of(Q, features), pull)


def matrix_of(Q: Tiles, features: Features) -> NDArray:
    """The matrix whose tiles are given.

    Parameters
    ----------
    Q : Tiles
        Signed probabilities of the neighbors.
    features : Features
        The data.
    """
    found = np.zeros((features.n_samples, features.n_samples), features.dtype)

    def fill(rows: NDArray) -> None:
        P, near = Q.probabilities(rows)
        columns = np.concatenate([Q.references[place] for place in near])
        found[rows[:, None], columns] = P[: len(rows)]

    features.workers.map(fill, Q.tiles)
    return found
