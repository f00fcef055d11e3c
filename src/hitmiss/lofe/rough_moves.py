"""Moves of the fixed point with thousands of samples, without a matrix of probabilities.

Every distance is found once for both of its samples; probabilities and margins are found of a few
samples at a time, so that they stay in the cache. The last bits differ from those of
`hitmiss.lofe.problem.evaluate`, which has the last word: a move does not keep the point, so where
an iteration ends it is evaluated.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import weighted_rows
from hitmiss.data.row_tiles import padded
from hitmiss.kernels import rough_tiles
from hitmiss.kernels.linear import weighted_row_sum
from hitmiss.lofe.fixed_point import Move, next_move
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import used
from hitmiss.solvers.prox_newton import prox_newton
from hitmiss.targets.classes import Classes


def rough_move(features: Features, problem: Problem, w: NDArray, u: NDArray) -> Move:
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
    if not (isinstance(features, InMemory) and is_rough(features, problem) and w.any()):
        return next_move(features, problem, w, u)
    Z, support = rough_margins(features, problem, w), np.flatnonzero(w)
    margins, gradient = np.empty(len(Z)), np.empty(len(w))
    weighted_row_sum(w[support], np.ascontiguousarray(Z[:, support].T), margins)
    weighted_row_sum(problem.pull(margins), Z, gradient)
    solution = prox_newton(Z, problem.loss, problem.penalty, u)
    gap = problem.gap(w, gradient)
    return Move(solution.w, solution.gap, problem.objective(margins, w), gap)


def is_rough(features: InMemory, problem: Problem) -> bool:
    """Whether these functions are for such features and targets: numbers, and classes.

    Parameters
    ----------
    features : InMemory
        The features.
    problem : Problem
        What is solved.
    """
    numbers = features.rule(slice(0, features.n_features)) is None
    return numbers and isinstance(problem.target, Classes)


def rough_margins(features: InMemory, problem: Problem, w: NDArray) -> NDArray:
    """Margin vectors of all samples under the weights w, not all of which are zero.

    Parameters
    ----------
    features : InMemory
        The features that w is about: numbers, none of which is missing.
    problem : Problem
        Whose classes and kernel width are used.
    w : ndarray of shape (n_features,)
        Weights.
    """
    Z = np.empty((features.n_samples, features.n_features), features.dtype)

    def keep(rows: NDArray, Q: NDArray, z: NDArray) -> None:
        Z[rows] = z

    _each_tile(features, problem, w, keep)
    return Z


def rough_pair_weights(features: InMemory, problem: Problem, w: NDArray) -> NDArray:
    """Neighbors of all samples, each times its pull, under the weights w of few features.

    Parameters
    ----------
    features, problem, w
        As in `rough_margins`.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)
    """
    S, has_hit = np.empty((features.n_samples,) * 2, features.dtype), problem.target.has_hit

    def keep(rows: NDArray, Q: NDArray, z: NDArray) -> None:
        pull = -problem.loss_of(rows).derivative(z @ w) * has_hit[rows]
        np.multiply(Q, pull[:, None], out=S[rows[0] : rows[-1] + 1], casting="same_kind")

    _each_tile(features, problem, w, keep)
    return S


def rough_or_exact_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """As `exact_weights`, roughly where that may be.

    Parameters
    ----------
    features, problem, w
        As in `exact_weights`.
    """
    support = np.flatnonzero(w)
    few = features.columns(support)
    if len(support) and is_rough(few, problem):
        return rough_pair_weights(few, problem, w[support])
    return exact_weights(features, problem, w)


def exact_weights(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """Neighbors of all samples, each times its pull, under the weights w.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved, with a matrix of pairs.
    w : ndarray of shape (n_features,)
        Weights.
    """
    Q, support = problem.neighbors(features, w), np.flatnonzero(w)
    few = features.columns(support, dtype=float)
    pull = problem.pull(few.margins(Q) @ w[support]) if len(support) else problem.first_pull
    return np.asarray(weighted_rows(Q, pull), features.dtype)


def _each_tile(
    features: InMemory,
    problem: Problem,
    w: NDArray,
    keep: Callable[[NDArray, NDArray, NDArray], None],
) -> None:
    """Call the function for a few samples at a time, with their neighbors and margin vectors."""
    X, A = padded(_by(2, features.values)), padded(_by(4, used(features, w)[0]))
    n_samples = features.n_samples
    XT, AT = (np.ascontiguousarray(values[:n_samples].T) for values in (X, A))
    y, single = problem.target.classes.codes, features.dtype == np.float32
    find_probabilities = (
        rough_tiles.single_probabilities if single else rough_tiles.rough_probabilities
    )
    D = np.empty((len(A), n_samples), features.dtype)
    tiles = [slice(start, start + sizes.ROUGH_ROWS) for start in range(0, len(X), sizes.ROUGH_ROWS)]

    def measure(tile: slice) -> None:
        rough_tiles.rough_distances(A[tile], AT, tile.start, A.dtype.type(1), D[tile])
        rough_tiles.mirror_rows(D, tile.start, min(tile.stop, n_samples))

    def find(tile: slice) -> None:
        rows = np.arange(tile.start, min(tile.stop, n_samples))
        Q = SCRATCH.array("rough probabilities", (len(X[tile]), n_samples), features.dtype)
        Q[len(rows) :] = 0
        find_probabilities(D[rows[0] : rows[-1] + 1], y[rows], rows, y, problem.sigma, Q)
        z = np.empty((len(Q), X.shape[1]), features.dtype)
        rough_tiles.rough_margins(X[tile], XT, Q, z)
        keep(rows, Q[: len(rows)], z[: len(rows), : features.n_features])

    features.workers.map(measure, tiles)
    features.workers.map(find, tiles)


def _by(size: int, values: NDArray) -> NDArray:
    """With columns of zeros, which add nothing, up to a multiple of `size`."""
    return np.pad(values, ((0, 0), (0, -values.shape[1] % size)))
