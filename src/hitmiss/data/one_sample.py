"""One sample against all others, the features shared out among threads."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import working_dtype
from hitmiss.kernels.neighbors import signed_row
from hitmiss.kernels.one_sample import row_distances, row_distances_at, row_margin, row_squares
from hitmiss.kernels.packing import pack

COMPILED = "?bBhHiIlLqQfd"  # types of data that the kernels take as they are
CHUNK = 1 << 20  # values of X that one thread looks at; below, threads cost more than they save
SPARSE = 1 / 8  # share of weights up to which it is quicker to pick their features
SCALED_CHUNK = 1 << 22  # the same of scaled values, which are smaller
LARGEST = 1e30  # scaled value, far from the largest of single precision
HALF, WHOLE = 0.5, np.float32(1)  # share of raw data, and of scaled data, that kernels look at
NEGLIGIBLE = 1e-9  # probability of a neighbor that is left out of a margin

Sample = tuple[NDArray, int, int]  # values, label, own place among the neighbors or -1


class Rows:
    """The samples of X, of any type, as neighbors of one sample at a time.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers. Every question reads whole rows, so X is copied if these lie apart.
    workers : Workers
        Where the work runs.
    """

    def __init__(self, X: NDArray, workers: Workers):
        if X.dtype.char not in COMPILED or not X.dtype.isnative:
            X = X.astype(working_dtype(X.dtype))
        if X.strides[1] != X.itemsize:
            X = np.ascontiguousarray(X)
        self.X, self.workers = X, workers
        self.n_samples, self.n_features = X.shape
        self._chunks = _chunks(X.shape, CHUNK)

    def distances(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j w_j |x_j - X_ij|`` of every sample i."""
        support = np.flatnonzero(w)
        if len(support) > SPARSE * self.n_features:
            return self._sum(row_distances, x, 2 * w)
        d = np.empty(self.n_samples)
        row_distances_at(self.X, HALF, HALF * x.astype(float), 2 * w, support, d)
        return d

    def squares(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j (w_j (x_j - X_ij))²`` of every sample i."""
        return self._sum(row_squares, x, 2 * w)

    def half_margin(self, x: NDArray, q: NDArray) -> NDArray:
        """``sum_i q_i |x_j - X_ij| / 2`` of every feature j; the half never overflows."""
        half, z = HALF * x.astype(float), np.empty(self.n_features)
        self.workers.map(lambda chunk: row_margin(self.X, HALF, half, q, *chunk, z), self._chunks)
        return z

    def soft_half_margin(
        self, sample: Sample, y: NDArray, w: NDArray, sigma: float
    ) -> tuple[NDArray, float] | None:
        """Half the expected margin vector of a sample, and the probability that it is no outlier.

        Both are with soft neighbors among the samples with labels y under the weights w. None if
        the sample has no hit or no miss.
        """
        found = _probabilities(self.distances(sample[0], w), y, sample, sigma)
        if found is None:
            return None
        q, trust = found
        return self.half_margin(sample[0], q), trust

    def _sum(self, kernel: Callable[..., None], x: NDArray, w: NDArray) -> NDArray:
        half, parts = HALF * x.astype(float), np.empty((len(self._chunks), self.n_samples))

        def fill(k: int) -> None:
            kernel(self.X, HALF, half, w, *self._chunks[k], parts[k])

        self.workers.map(fill, range(len(parts)))
        return parts[0] if len(parts) == 1 else parts.sum(axis=0)


class ScaledRows:
    """The samples of X with every feature multiplied by a factor, once and for all.

    That pays for many samples in a row. Single precision suffices, since the features are shifted
    to begin with, and halves the memory that has to be read.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers, as `can_be_scaled` allows.
    factor : ndarray of shape (n_features,)
        What the features are multiplied by.
    workers : Workers
        Where the work runs.
    """

    def __init__(self, X: NDArray, factor: NDArray, workers: Workers):
        self._center, self._factor, self.workers = X[0].astype(float), factor, workers
        self._S, self._chunks = self._scaled(X), _chunks(X.shape, SCALED_CHUNK)

    def soft_margin(self, sample: Sample, y: NDArray, w: NDArray, sigma: float) -> NDArray | None:
        """The expected margin vector of a sample with soft neighbors under the weights w.

        None if the sample has no hit or no miss.
        """
        own, w = sample[2], w.astype(np.float32)
        x = self._S[own] if own >= 0 else self._scaled(sample[0][None])[0]
        parts = np.empty((len(self._chunks), len(self._S)))

        def fill(k: int) -> None:
            row_distances(self._S, WHOLE, x, w, *self._chunks[k], parts[k])

        self.workers.map(fill, range(len(parts)))
        found = _probabilities(parts.sum(axis=0), y, sample, sigma)
        if found is None:
            return None
        q, z = found[0].astype(np.float32), np.empty(len(x), np.float32)
        self.workers.map(lambda chunk: row_margin(self._S, WHOLE, x, q, *chunk, z), self._chunks)
        return z.astype(float)

    def _scaled(self, X: NDArray) -> NDArray:
        S = np.empty(X.shape, np.float32)
        pack(X, 0, self._center, self._factor, S)
        return S


def can_be_scaled(X: NDArray, samples: Sequence[Sample], factor: NDArray) -> bool:
    """Whether no value, scaled or not, is too large for `ScaledRows`."""
    others = [x for x, _, own in samples if own < 0]
    lowest = 0.5 * np.min([X.min(axis=0), *others], axis=0)
    highest = 0.5 * np.max([X.max(axis=0), *others], axis=0)
    return bool(np.all(highest - lowest < LARGEST / np.maximum(factor, 1.0)))


def _chunks(shape: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Ranges of features, for one thread each."""
    width = max(64, size // shape[0])
    return list(pairwise([*range(0, shape[1], width), shape[1]]))


def _probabilities(
    d: NDArray, y: NDArray, sample: Sample, sigma: float
) -> tuple[NDArray, float] | None:
    """Signed probabilities of being the nearest hit or miss, and that of being no outlier."""
    q = np.empty(len(d))
    trust = signed_row(d, y, sample[1], sample[2], sigma, q)
    if trust < 0:
        return None
    q[np.abs(q) < NEGLIGIBLE] = 0
    return q, trust
