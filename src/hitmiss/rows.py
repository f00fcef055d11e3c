"""One sample against all others, the features shared out among threads."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitmiss.blocks import working_dtype
from hitmiss.kernels.rows import (
    row_distances,
    row_distances_at,
    row_margin,
    row_probabilities,
    row_squares,
)
from hitmiss.workers import Workers

COMPILED = "?bBhHiIlLqQfd"  # types of data that the kernels take as they are
CHUNK = 1 << 20  # values of X that one thread looks at; below, threads cost more than they save
SPARSE = 1 / 8  # share of weights up to which it is quicker to pick their features
NEGLIGIBLE = 1e-9  # probability of a neighbor that is left out of a margin

Sample = tuple[NDArray, int, int]  # values, label, own place among the neighbors or -1


class Rows:
    """The samples of X, of any type and memory layout, as neighbors of one sample at a time.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers.
    workers : Workers
        Where the work runs.
    """

    def __init__(self, X: NDArray, workers: Workers):
        if X.dtype.char not in COMPILED or not X.dtype.isnative:
            X = X.astype(working_dtype(X.dtype))
        self.X, self.workers = X, workers
        self.n_samples, self.n_features = X.shape
        size = max(64, CHUNK // self.n_samples)
        edges = [*range(0, self.n_features, size), self.n_features]
        self._chunks = list(pairwise(edges))

    def distances(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j w_j |x_j - X_ij|`` of every sample i."""
        support = np.flatnonzero(w)
        if len(support) > SPARSE * self.n_features:
            return self._sum(row_distances, x, 2 * w)
        d = np.empty(self.n_samples)
        row_distances_at(self.X, 0.5 * x.astype(float), 2 * w, support, d)
        return d

    def squares(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j (w_j (x_j - X_ij))²`` of every sample i."""
        return self._sum(row_squares, x, 2 * w)

    def half_margin(self, x: NDArray, q: NDArray) -> NDArray:
        """``sum_i q_i |x_j - X_ij| / 2`` of every feature j; the half never overflows."""
        half, z = 0.5 * x.astype(float), np.empty(self.n_features)
        self.workers.map(lambda chunk: row_margin(self.X, half, q, *chunk, z), self._chunks)
        return z

    def soft_half_margin(
        self, sample: Sample, y: NDArray, w: NDArray, sigma: float
    ) -> tuple[NDArray, float] | None:
        """Half the expected margin vector of a sample, and the probability that it is no outlier.

        Both are with soft neighbors among the samples with labels y under the weights w. None if
        the sample has no hit or no miss.
        """
        x, label, own = sample
        q = np.empty(self.n_samples)
        trust = row_probabilities(self.distances(x, w), y, label, own, sigma, q)
        if trust < 0:
            return None
        q[np.abs(q) < NEGLIGIBLE] = 0
        return self.half_margin(x, q), trust

    def _sum(self, kernel: Callable[..., None], x: NDArray, w: NDArray) -> NDArray:
        half, parts = 0.5 * x.astype(float), np.empty((len(self._chunks), self.n_samples))

        def fill(k: int) -> None:
            kernel(self.X, half, w, *self._chunks[k], parts[k])

        self.workers.map(fill, range(len(parts)))
        return parts[0] if len(parts) == 1 else parts.sum(axis=0)
