"""Newton's method for the fixed point on a few features.

On its support a fixed point solves ``c_j(w) = alpha`` for the gradient
``c_j(w) = sum_n s_n(w) z_n(w)_j``. Here the neighbors move with w, so Newton converges where the
map ``w <- T(w)`` only oscillates.
"""

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.aligned import picked
from hitmiss.data.features import Features, Neighbors, Tiles, is_matrix
from hitmiss.data.in_memory import InMemory
from hitmiss.kernels.margins import difference_moments, tile_moments
from hitmiss.lofe.problem import Problem

WORK = 1 << 29  # products of differences up to which any number of features is tried
MOST_STEPS = 12  # convention
FARTHEST = 0.5  # how far, relative to its length, w may move: another fixed point is not wanted
SHRINKS = (1, 0.25, 0.0625)  # lengths tried; below, the model is wrong and T goes on
ROOT = 1e-10  # excess over alpha, relative, that ends it
ENOUGH = 1e-6  # the same where no step makes progress: rounding is all that is left
GAP = 5e-4  # relative gap above which a small step is no fixed point: half of what is certified
MOMENT_SAMPLES = 1 << 14  # whose second moments exist at once: 34 MB for 16 features


def affordable(features: Features, problem: Problem, n_features: int) -> bool:
    """Whether Newton's method is cheap enough for so many features with a weight."""
    work = (features.n_samples * n_features) ** 2
    return n_features <= problem.pairs.cheap_moments or work <= WORK


class Root(NamedTuple):
    """The end of Newton's method, in double precision, and everything known there."""

    w: NDArray
    gradient: NDArray
    pull: NDArray  # of every sample
    objective: float
    distance: float  # from the exact root: the length of the step that would come next
    n_steps: int


def root(features: InMemory, problem: Problem, w: NDArray, tol: float) -> Root | None:
    """Positive weights near the given ones with ``c(w) = alpha`` on all features, or None.

    Parameters
    ----------
    features : InMemory
        The features of the support only, in double precision.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Start, positive.
    tol : float
        Distance from the root, over the length of w, that is near enough.
    """
    start, reach = w, FARTHEST * np.linalg.norm(w)
    here, distance = linearize(features, problem, w), 0.0

    def ended(n_steps: int, distance: float) -> Root:
        return Root(
            w,
            here.excess + problem.penalty.gradient(w),
            problem.pull(here.margins),
            problem.objective(here.margins, w),
            distance,
            n_steps,
        )

    for n_steps in range(1, MOST_STEPS + 1):
        if here.size <= ROOT * problem.alpha:
            return ended(n_steps, 0.0)
        try:
            step = -np.linalg.solve(here.jacobian, here.excess)
        except np.linalg.LinAlgError:
            return None
        distance = float(np.linalg.norm(step))
        if distance <= tol * np.linalg.norm(w) and here.size <= GAP * problem.alpha:
            return ended(n_steps, distance)
        for shrink in SHRINKS:
            u = w + shrink * step
            if u.min() <= 0 or np.linalg.norm(u - start) > reach:
                continue
            there = linearize(features, problem, u)
            if there.size < here.size:
                break
        else:  # no progress: rounding is all that is left, or Newton does not work here
            return ended(n_steps, distance) if here.size <= ENOUGH * problem.alpha else None
        w, here = u, there
    return None


class Linearization(NamedTuple):
    """``c(w) - alpha`` and its derivatives ``dc_j / dw_k``, and the margin of every sample."""

    excess: NDArray
    jacobian: NDArray
    margins: NDArray

    @property
    def size(self) -> float:
        """Largest excess."""
        return float(np.abs(self.excess).max())


def linearize(features: InMemory, problem: Problem, w: NDArray) -> Linearization:
    """The excess and its derivatives at w.

    With V_n the covariance of the differences |x_n - x_i| over the misses of n minus that over
    its hits, ``dz_nj / dw_k = -V_n[j, k] / sigma``.

    Parameters
    ----------
    features : InMemory
        The features of the support only.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights, positive.
    """
    excess, jacobian = -problem.penalty.gradient(w), np.zeros((len(w), len(w)))
    every = np.empty(len(problem.target))
    pairs, target, sigma = problem.pairs, problem.target, problem.sigma
    Q = pairs.soft(features, w, target, sigma)
    hits = pairs.soft_hits(features, w, target, sigma)  # if a pair may be a hit and a miss at once
    for rows, miss, hit, second in moments(features, Q, hits):
        loss = problem.loss_of(rows)
        Z = miss - hit
        margins, counted = Z @ w, problem.target.has_hit[rows]
        every[rows] = margins
        s = np.where(counted, -loss.derivative(margins), 0.0)
        bend = loss.curvature(margins) * counted
        Vw = second @ w - miss * (miss @ w)[:, None] + hit * (hit @ w)[:, None]
        V = np.tensordot(s, second, 1) - (miss.T * s) @ miss + (hit.T * s) @ hit
        jacobian -= (Z.T * bend) @ (Z - Vw / problem.sigma) + V / problem.sigma
        excess += s @ Z
    return Linearization(excess, jacobian, every)


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
    if is_matrix(Q):
        yield _of_matrix(features, Q)
    else:
        yield from _of_tiles(features, cast(Tiles, Q))


def _of_matrix(features: InMemory, Q: NDArray) -> Moments:
    X, rule = features.values, features.rule(slice(0, features.n_features))
    n_samples, n_features = X.shape
    found = _empty(n_samples, n_features)
    ranges = features.row_ranges(triangular=False, work=features.n_padded**2 * n_features**2)

    def find(tile: tuple[int, int]) -> None:
        scratch = np.empty((n_features + 2, n_samples))
        rows = tile[0], min(tile[1], n_samples)
        difference_moments(X, X, *rule, Q, *rows, scratch, *found)

    features.workers.map(find, ranges)
    return Moments(slice(0, n_samples), *found)


def _of_tiles(features: InMemory, Q: Tiles) -> Iterator[Moments]:
    X, rule = features.values, features.rule(slice(0, features.n_features))
    R = np.ascontiguousarray(X[Q.references].T)

    def find(rows: NDArray) -> tuple[NDArray, ...]:
        P, near = Q.probabilities(rows)
        close, found = picked(R, near), _empty(len(rows), X.shape[1])
        if rule.gap is None:
            tile_moments(X[rows], close, P, *found)
        else:
            scratch = np.empty((len(close) + 2, close.shape[1]))
            close = np.ascontiguousarray(close.T)
            difference_moments(X[rows], close, *rule, P, 0, len(rows), scratch, *found)
        return found

    size = max(1, MOMENT_SAMPLES // len(Q.tiles[0]))
    for k in range(0, len(Q.tiles), size):
        turn = Q.tiles[k : k + size]
        parts = zip(*features.workers.map(find, turn), strict=True)
        yield Moments(np.concatenate(turn), *map(np.concatenate, parts))


def _empty(n_samples: int, n_features: int) -> tuple[NDArray, NDArray, NDArray]:
    """Room for misses, hits and second moments."""
    shape = (n_samples, n_features)
    return np.empty(shape), np.empty(shape), np.empty((*shape, n_features))
