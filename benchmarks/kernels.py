"""Kernels on one core, against the same arithmetic on numbers that stay in the nearest cache.

A pair-element is one difference |a - b| of two samples in one feature, and the sum it enters.
"""

import numpy as np

from benchmarks.timing import row, seconds
from hitmiss.kernels.difference import NUMBERS, difference
from hitmiss.kernels.distances import add_pair_distances, cross_distances
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.margins import difference_moments, margin_vectors
from hitmiss.kernels.one_sample import row_distances, row_margin, row_squares
from hitmiss.kernels.row_tiles import tile_distances, tile_margins
from hitmiss.kernels.sums import (
    count_pairs,
    difference_sums,
    difference_sums_two,
    list_pairs,
    pair_sums,
)

N, J = 460, 512  # samples and features of a packed block, as of the spiral
TILE, REFERENCES = 64, 2000  # samples of a row tile, and their neighbors
FEW = 12  # features that have a weight
SHARE = 0.05  # of the pairs that are listed where few samples are neighbors


def run(quick=False):
    """A row per kernel and precision; `quick` repeats each less often."""
    rows = []
    for dtype in (np.float32, np.float64):
        peak = limit(dtype)
        for group in (of_a_block, of_few_features, of_one_sample, of_a_row_tile):
            shape, kernels = group(dtype)
            for function, arguments, n_pairs in kernels:
                what = f"{function.__name__}, {shape} {dtype.__name__}"
                rows.append(measured(what, function, arguments, n_pairs, peak, quick))
    return rows


def measured(what, function, arguments, n_pairs, peak, quick):
    """The best time of a kernel, beside that of as many pair-elements at the limit."""
    repeat = int((1e9 if quick else 2e10) / n_pairs) + 5
    time = seconds(lambda: function(*arguments), repeat)
    rate = n_pairs / time
    note = f"{rate / 1e9:.1f} G pair-elements/s, {rate / peak:.0%} of the limit"
    peer = "limit: differences summed in the nearest cache"
    return row(what, time, peer, n_pairs / peak, note=note)


def limit(dtype):
    """Pair-elements per second: 10,000 points against the same 8 KB of values."""
    points, values = numbers(dtype, 10_000), numbers(dtype, 8192 // dtype().nbytes)
    out = np.empty_like(points)
    time = seconds(lambda: sums_of_differences(points, values, out), 50)
    return len(points) * len(values) / time


@kernel
def sums_of_differences(points, values, out):
    """``out[k] = sum_j |points[k] - values[j]|``."""
    for k in range(len(points)):
        total = values.dtype.type(0)
        for j in range(len(values)):
            total += difference(points[k], values[j])
        out[k] = total


def of_a_block(dtype):
    """All pairs of samples of a packed block, and a list of pairs."""
    block, Q, D = numbers(dtype, N, J), numbers(dtype, N, N), np.zeros((N, N))
    Z, sums, totals = np.empty_like(block), np.empty((2, J), dtype), np.zeros((2, J))
    S, pairs, half = np.triu(Q, 1), some_pairs(dtype), N * (N - 1) // 2 * J
    return f"{N} x {J}", [
        (add_pair_distances, (block, *NUMBERS, 0, N, block.dtype.type(1), D), half),
        (cross_distances, (block, block, *NUMBERS, D), N * N * J),
        (margin_vectors, (block, *NUMBERS, Q, None, 0, N, Z), N * N * J),
        (difference_sums, (block, *NUMBERS, S, sums[0], totals[0]), half),
        (difference_sums_two, (block, *NUMBERS, S, S, sums, *totals), half),
        (pair_sums, (block, *NUMBERS, *pairs, sums[0], totals[0]), len(pairs[1]) * J),
    ]


def some_pairs(dtype):
    """The list of pairs of samples that have a weight: first, partner and weight."""
    S, first = np.where(numbers(dtype, N, N) < SHARE, 1.0, 0.0), np.empty(N + 1, np.intp)
    count_pairs(S, first)
    partner, weight = np.empty(first[-1], np.intp), np.empty(first[-1], dtype)
    list_pairs(S, first, partner, weight)
    return first, partner, weight


def of_few_features(dtype):
    """Second moments of all pairs: products of two differences, counted one by one."""
    X, Q, scratch = numbers(dtype, N, FEW), numbers(float, N, N), np.empty((FEW + 2, N))
    moments = np.empty((N, FEW)), np.empty((N, FEW)), np.empty((N, FEW, FEW))
    n_pairs = N * N * FEW * (FEW + 1) // 2
    arguments = (X, X, *NUMBERS, Q, 0, N, scratch, *moments)
    return f"{N} x {FEW}", [(difference_moments, arguments, n_pairs)]


def of_one_sample(dtype):
    """One sample against all others."""
    X, w, q = numbers(dtype, N, J), numbers(dtype, J), numbers(dtype, N)
    d, z, what = np.empty(N), np.empty(J, dtype), (X, dtype(1), X[0].copy())
    return f"1 of {N} x {J}", [
        (row_distances, (*what, w, 0, J, d), N * J),
        (row_squares, (*what, w, 0, J, d), N * J),
        (row_margin, (*what, q, 0, J, z), N * J),
    ]


def of_a_row_tile(dtype):
    """A few samples against many references."""
    A, R, Q = (
        numbers(dtype, TILE, FEW),
        numbers(dtype, FEW, REFERENCES),
        numbers(dtype, TILE, REFERENCES),
    )
    D, Z, n_pairs = np.empty_like(Q), np.empty_like(A), TILE * REFERENCES * FEW
    everything = np.array([[0, REFERENCES]])
    return f"{TILE} x {FEW} against {REFERENCES:,}", [
        (tile_distances, (A, R, *NUMBERS, D), n_pairs),
        (tile_margins, (A, R, *NUMBERS, everything, Q, None, Z), n_pairs),
    ]


def numbers(dtype, *shape):
    """Random numbers from 0 to 1."""
    return np.random.default_rng(0).random(shape).astype(dtype)
