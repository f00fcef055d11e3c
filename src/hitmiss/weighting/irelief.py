"""I-RELIEF: margins averaged under soft neighbors, and the weights they lead to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import PairList
from hitmiss.neighbors import pair_trust, soft_neighbors, soft_neighbors_by_class, trust
from hitmiss.targets.classes import AnyTarget
from hitmiss.targets.target import PairTarget
from hitmiss.weighting import weighting_constants


def mean_margin(
    features: Features,
    target: AnyTarget,
    w: NDArray,
    sigma: float,
    *,
    by_class: bool,
    outliers: bool,
) -> NDArray:
    """``nu = mean_n gamma_n z_n``, z the expected margin vectors under w (I-RELIEF eq. 11).

    Parameters
    ----------
    features : Features
        The data.
    target : Classes or PairTarget
        What is to be explained.
    w : ndarray of shape (n_features,)
        Weights under which the neighbors are found.
    sigma : float
        Kernel width; NaN for the `spread` of the distances.
    by_class : bool
        Whether misses of each class are taken apart (eq. 20) or pooled (eq. 21).
    outliers : bool
        Whether gamma is the probability of being no outlier (eq. 10), or 1.

    Returns
    -------
    nu : ndarray of shape (n_features,)
        Mean over the samples that have a hit.
    """
    D = features.distances(w)
    if np.isnan(sigma):
        sigma = spread(D)
    Q = soft_neighbors(D, target, sigma, features.workers)
    gamma = np.ones(len(target))
    if isinstance(target, PairTarget) and outliers:
        gamma = pair_trust(D, target, sigma, features.workers)
    elif outliers:
        gamma = trust(D, Q, sigma)
    if target.weights is not None:
        gamma = gamma * target.weights
    if by_class:
        Q = soft_neighbors_by_class(D, target, sigma, features.workers)
    smallest = weighting_constants.SMALLEST_PROBABILITY
    negligible = (-smallest <= Q) & (smallest >= Q)
    Q *= gamma[:, None]  # in place: new memory for a matrix costs more than the product
    Q[negligible] = 0.0
    return features.sums([PairList.of(Q, features.dtype)])[0] / target.total


def spread(D: NDArray) -> float:
    """The kernel width in units of the data: a share of the standard deviation of the distances.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances between samples.
    """
    found = float(D[np.triu_indices(len(D), 1)].std())
    return weighting_constants.WIDTH * found if found > 0 else 1.0


def positive_unit(nu: NDArray) -> NDArray:
    """The positive part of `nu`, of length one (I-RELIEF eq. 12); zero if nothing is positive."""
    positive = np.maximum(nu, 0.0)
    largest = positive.max(initial=0.0)
    if largest == 0:
        return positive
    positive /= largest  # its square may underflow otherwise
    return positive / np.linalg.norm(positive)


def iterate(
    margin: Callable[[NDArray], NDArray], w: NDArray, tol: float, max_iter: int
) -> tuple[NDArray, NDArray, list[float]]:
    """``w <- margin(w)+ / |margin(w)+|`` until w moves by less than `tol`.

    Parameters
    ----------
    margin : callable
        From weights to the mean margin vector under them.
    w : ndarray of shape (n_features,)
        Start.
    tol : float
        Bound on the Euclidean norm of the change.
    max_iter : int
        Largest number of iterations.

    Returns
    -------
    w : ndarray of shape (n_features,)
        Last weights; zero if a mean margin vector had nothing positive.
    nu : ndarray of shape (n_features,)
        The mean margin vector that gave them.
    steps : list of float
        The change in each iteration.
    """
    steps: list[float] = []
    for _ in range(max_iter):
        nu = margin(w)
        previous, w = w, positive_unit(nu)
        steps.append(float(np.linalg.norm(w - previous)))
        if steps[-1] < tol or not w.any():
            break
    return w, nu, steps


def accelerated(
    margin: Callable[[NDArray], NDArray], w: NDArray, tol: float, max_iter: int
) -> tuple[NDArray, NDArray, list[float]]:
    """`iterate`, led by the last few steps (Anderson's acceleration).

    Where the steps grow, what is remembered is forgotten and the last best weights go on by a plain
    step. The parameters and results are those of `iterate`.
    """
    steps: list[float] = []
    moves: list[tuple[NDArray, NDArray]] = []  # weights, and where the plain step leads from there
    for _ in range(max_iter):
        nu = margin(w)
        u = positive_unit(nu)
        steps.append(float(np.linalg.norm(u - w)))
        if steps[-1] < tol or not u.any():
            break
        if len(moves) and steps[-1] > weighting_constants.GROWN * min(steps[-len(moves) - 1 : -1]):
            moves.clear()
        moves = [*moves[-weighting_constants.REMEMBERED :], (w, u)]
        w = _led(moves)
    return u, nu, steps


def _led(moves: list[tuple[NDArray, NDArray]]) -> NDArray:
    """Where the steps so far lead: the mixture of them whose residual is smallest."""
    W, U = (np.array(column) for column in zip(*moves, strict=True))
    if len(moves) == 1:
        return U[-1]
    F = U - W
    change, residual = np.diff(F, axis=0).T, F[-1]
    mixture = np.linalg.lstsq(change, residual, rcond=weighting_constants.SINGULAR)[0]
    led = positive_unit(U[-1] - np.diff(U, axis=0).T @ mixture)
    return led if led.any() else U[-1]
