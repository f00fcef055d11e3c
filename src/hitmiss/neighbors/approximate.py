"""Margin vectors of thousands of samples, quickly, without a matrix of probabilities.

Every distance is found once for both of its samples; probabilities and margins are found of a few
samples at a time, so that they stay in the cache, and in single precision where the data are. The
last bits differ from those of the exact soft neighbors. For classes, and numbers of which none is
missing.
"""

from collections.abc import Callable
from typing import TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.aligned import SCRATCH, padded
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.kernels import rough_tiles
from hitmiss.neighbors.pairs import used
from hitmiss.targets.target import Target


def can_approximate(features: Features, target: Target) -> TypeGuard[InMemory]:
    """Whether the functions of this module are for such features and such a target."""
    if not features.is_in_memory or target.codes is None:
        return False
    return cast(InMemory, features).rule(slice(0, features.n_features)).gap is None


def approximate_margins(features: InMemory, target: Target, w: NDArray, sigma: float) -> NDArray:
    """Margin vectors of all samples under the weights w, not all of which are zero."""
    Z = np.empty((features.n_samples, features.n_features), features.dtype)

    def keep(rows: NDArray, Q: NDArray, z: NDArray) -> None:
        Z[rows] = z

    _each_tile(features, target, w, sigma, keep)
    return Z


def approximate_pair_weights(
    features: InMemory,
    target: Target,
    w: NDArray,
    sigma: float,
    pull: Callable[[NDArray, NDArray], NDArray],
) -> NDArray:
    """Signed probabilities of the neighbors of all samples, each times the pull of the sample.

    Parameters
    ----------
    features : InMemory
        Few features.
    target : Classes
        The classes.
    w : ndarray of shape (n_features,)
        Weights, not all of which are zero.
    sigma : float
        Kernel width.
    pull : callable
        From samples and their margins to their pulls.
    """
    S = np.empty((features.n_samples,) * 2, features.dtype)

    def keep(rows: NDArray, Q: NDArray, z: NDArray) -> None:
        out = S[rows[0] : rows[-1] + 1]
        np.multiply(Q, pull(rows, z @ w)[:, None], out=out, casting="same_kind")

    _each_tile(features, target, w, sigma, keep)
    return S


def _each_tile(
    features: InMemory,
    target: Target,
    w: NDArray,
    sigma: float,
    keep: Callable[[NDArray, NDArray, NDArray], None],
) -> None:
    """Call the function for a few samples at a time, with their neighbors and margin vectors."""
    X, A = padded(_by(2, features.values)), padded(_by(4, used(features, w)[0]))
    n_samples, y = features.n_samples, target.classes.codes
    XT, AT = (np.ascontiguousarray(values[:n_samples].T) for values in (X, A))
    single = features.dtype == np.float32
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
        find_probabilities(D[rows[0] : rows[-1] + 1], y[rows], rows, y, sigma, Q)
        z = np.empty((len(Q), X.shape[1]), features.dtype)
        rough_tiles.rough_margins(X[tile], XT, Q, z)
        keep(rows, Q[: len(rows)], z[: len(rows), : features.n_features])

    features.workers.map(measure, tiles)
    features.workers.map(find, tiles)


def _by(size: int, values: NDArray) -> NDArray:
    """With columns of zeros, which add nothing, up to a multiple of `size`."""
    return np.pad(values, ((0, 0), (0, -values.shape[1] % size)))
