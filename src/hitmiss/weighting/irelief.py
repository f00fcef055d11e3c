"""I-RELIEF: margins averaged under soft neighbors, and the weights they lead to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features, PairList
from hitmiss.neighbors import pair_trust, soft_neighbors, soft_neighbors_by_class, trust
from hitmiss.solvers.anderson import Anderson
from hitmiss.targets.classes import AnyTarget

SMALLEST_PROBABILITY = (
    1e-12  # of a neighbor: thousands of these are below the last digit of a margin
)


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
        Target.
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
    if target.codes is None and outliers:
        gamma = pair_trust(D, target, sigma, features.workers)
    elif outliers:
        gamma = trust(D, Q, sigma)
    if target.weights is not None:
        gamma = gamma * target.weights
    if by_class:
        Q = soft_neighbors_by_class(D, target, sigma, features.workers)
    negligible = (-SMALLEST_PROBABILITY <= Q) & (SMALLEST_PROBABILITY >= Q)
    Q *= gamma[:, None]  # in place: new memory for a matrix costs more than the product
    Q[negligible] = 0.0
    return features.sums([PairList.of(Q, features.dtype)])[0] / target.total


# Standard deviations of the distances. With 0.25 the ten microarrays of the benchmarks converge in
# 8 to 33 passes, with 0.3 in 8 to 25.
WIDTH = 0.3


def spread(D: NDArray) -> float:
    """The kernel width in units of the data: a share of the standard deviation of the distances.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances between samples.
    """
    found = float(D[np.triu_indices(len(D), 1)].std())
    return WIDTH * found if found > 0 else 1.0


def positive_unit(nu: NDArray) -> NDArray:
    """The positive part of `nu`, of length one (I-RELIEF eq. 12); zero if nothing is positive."""
    positive = np.maximum(nu, 0.0)
    largest = positive.max(initial=0.0)
    if largest == 0:
        return positive
    positive /= largest  # its square may underflow otherwise
    return positive / np.linalg.norm(positive)


def iterate(
    margin: Callable[[NDArray], NDArray],
    w: NDArray,
    tol: float,
    max_iter: int,
    anderson: Anderson | None = None,
) -> tuple[NDArray, NDArray, list[float]]:
    """``w <- margin(w)+ / |margin(w)+|`` until w moves by less than `tol`.

    Parameters
    ----------
    margin : callable
        Mean margin vector under given weights.
    w : ndarray of shape (n_features,)
        Start.
    tol : float
        Bound on the Euclidean norm of the change.
    max_iter : int
        Largest number of iterations.
    anderson : Anderson, optional
        Accelerates the steps; its weights are projected onto the positive unit sphere as well.

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
        u = positive_unit(nu)
        steps.append(float(np.linalg.norm(u - w)))
        if steps[-1] < tol or not u.any():
            break
        found = None if anderson is None else anderson.next(w, u - w)
        w = u if found is None else positive_unit(found)
        w = w if w.any() else u
    return u, nu, steps
