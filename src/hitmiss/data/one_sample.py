"""One sample against all others, the features shared out among threads."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.blockwise import working_dtype
from hitmiss.data.scaling import Rule, half_range
from hitmiss.kernels.distances import pack
from hitmiss.kernels.one_sample import (
    row_distances,
    row_distances_at,
    row_margin,
    row_squares,
    unlike_row_squares,
)

COMPILED = "?bBhHiIlLqQfd"  # types of data that the kernels take as they are
ROW_CHUNK = 1 << 20  # values that one thread looks at
SCALED_ROW_CHUNK = 1 << 22  # the same of scaled values, which are half as large
SPARSE_WEIGHTS = 1 / 8  # share of weights up to which their features are picked one by one
LARGEST_SCALED = 1e30  # value whose products with weights stay far from the largest float32
HALF, WHOLE = 0.5, np.float32(1)  # share of raw data, and of scaled data, that kernels look at


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
        self._chunks = _chunks(X.shape, ROW_CHUNK)

    def distances(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j w_j |x_j - X_ij|`` of every sample i."""
        support = np.flatnonzero(w)
        if len(support) > SPARSE_WEIGHTS * self.n_features:
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

    def half_differences(self, n: int, i: int) -> NDArray:
        """``(X_nj - X_ij) / 2`` of every feature j."""
        return (HALF * self.X[n] - HALF * self.X[i]).astype(float)

    def _sum(self, kernel: Callable[..., None], x: NDArray, w: NDArray) -> NDArray:
        half, parts = HALF * x.astype(float), np.empty((len(self._chunks), self.n_samples))

        def fill(k: int) -> None:
            kernel(self.X, HALF, half, w, *self._chunks[k], parts[k])

        self.workers.map(fill, range(len(parts)))
        return parts[0] if len(parts) == 1 else parts.sum(axis=0)


class UnlikeRows:
    """Samples with missing or nominal values as neighbors of one of them at a time.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Scaled values in double precision, NaN where they are missing.
    rule : Rule
        How values differ that are missing or nominal.
    """

    def __init__(self, X: NDArray, rule: Rule, workers: Workers):
        self.X, self.rule, self.workers = X, rule, workers
        self.n_samples, self.n_features = X.shape

    def squares(self, x: NDArray, w: NDArray) -> NDArray:
        """``sum_j (w_j |x_j - X_ij|)²`` of every sample i."""
        d = np.empty(self.n_samples)
        unlike_row_squares(self.X, x, w, *self.rule, d)
        return d

    def half_differences(self, n: int, i: int) -> NDArray:
        """``|X_nj - X_ij| / 2`` of every feature j; 0 where n has no value, which says nothing."""
        return np.where(np.isnan(self.X[n]), 0.0, self.rule.differences(self.X[n], self.X[i]) / 2)


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
        self._S, self._chunks = self._scaled(X), _chunks(X.shape, SCALED_ROW_CHUNK)

    def row(self, x: NDArray, own: int) -> NDArray:
        """A sample as the rows are, scaled and in single precision.

        Parameters
        ----------
        x : ndarray of shape (n_features,)
            The raw values of the sample.
        own : int
            Its place among the rows, where it is found already; -1 for none.
        """
        return self._S[own] if own >= 0 else self._scaled(x[None])[0]

    def distances(self, row: NDArray, w: NDArray) -> NDArray:
        """``sum_j w_j |row_j - S_ij|`` of every sample i."""
        w, parts = w.astype(np.float32), np.empty((len(self._chunks), len(self._S)))

        def fill(k: int) -> None:
            row_distances(self._S, WHOLE, row, w, *self._chunks[k], parts[k])

        self.workers.map(fill, range(len(parts)))
        return parts.sum(axis=0)

    def margin(self, row: NDArray, q: NDArray) -> NDArray:
        """``sum_i q_i |row_j - S_ij|`` of every feature j."""
        q, z = q.astype(np.float32), np.empty(len(row), np.float32)
        self.workers.map(lambda chunk: row_margin(self._S, WHOLE, row, q, *chunk, z), self._chunks)
        return z.astype(float)

    def _scaled(self, X: NDArray) -> NDArray:
        return scaled_rows(X, self._center, self._factor)


def scaled_rows(X: NDArray, center: NDArray, factor: NDArray) -> NDArray:
    """``(X - center) * factor`` in single precision; X as `can_be_scaled` allows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers.
    center, factor : ndarray of shape (n_features,)
        What is subtracted from the features, and what they are multiplied by.
    """
    S = np.empty(X.shape, np.float32)
    pack(X, 0, center, factor, S)
    return S


def can_be_scaled(X: NDArray, others: Sequence[NDArray], factor: NDArray) -> bool:
    """Whether no value is too large for `ScaledRows`, scaled or not.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    others : sequence of ndarray of shape (n_features,)
        Samples that are compared with them.
    factor : ndarray of shape (n_features,)
        What the features are multiplied by.
    """
    lowest = np.min([X.min(axis=0), *others], axis=0)
    highest = np.max([X.max(axis=0), *others], axis=0)
    return bool(np.all(half_range(lowest, highest) < LARGEST_SCALED / np.maximum(factor, 1.0)))


def _chunks(shape: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Ranges of features, for one thread each."""
    width = max(64, size // shape[0])
    return list(pairwise([*range(0, shape[1], width), shape[1]]))
