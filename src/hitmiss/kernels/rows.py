"""One sample against all others: what the online methods ask in every step.

The data may be of any type and memory layout. Differences are formed in double precision, and
halved, so that none overflows: ``half`` is half the one sample x. The kernels named `scaled_` take
samples S that were scaled before, in whose precision they work.
"""

import math

import numpy as np

from hitmiss.kernels.jit import kernel
from hitmiss.kernels.neighbors import exp_negative

FEATURES = 256  # whose terms are added in single precision


@kernel
def row_distances(X, half, w, start, stop, d):
    """``d[i] = sum_j w_j |x_j - X_ij| / 2`` over the features start <= j < stop.

    Four samples at a time, so that x and w are read a quarter as often.
    """
    x, v, whole = half[start:stop], w[start:stop], X.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        a, b, c, e = (
            X[i, start:stop],
            X[i + 1, start:stop],
            X[i + 2, start:stop],
            X[i + 3, start:stop],
        )
        sum_a = sum_b = sum_c = sum_e = 0.0
        for j in range(len(x)):
            sum_a += v[j] * abs(x[j] - 0.5 * a[j])
            sum_b += v[j] * abs(x[j] - 0.5 * b[j])
            sum_c += v[j] * abs(x[j] - 0.5 * c[j])
            sum_e += v[j] * abs(x[j] - 0.5 * e[j])
        d[i], d[i + 1], d[i + 2], d[i + 3] = sum_a, sum_b, sum_c, sum_e
    for i in range(whole, X.shape[0]):
        row, total = X[i, start:stop], 0.0
        for j in range(len(x)):
            total += v[j] * abs(x[j] - 0.5 * row[j])
        d[i] = total


@kernel
def row_distances_at(X, half, w, support, d):
    """``d[i] = sum_j w_j |x_j - X_ij| / 2`` over the features j in `support`."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in support:
            total += w[j] * abs(half[j] - 0.5 * X[i, j])
        d[i] = total


@kernel
def row_squares(X, half, w, start, stop, d):
    """``d[i] = sum_j (w_j (x_j - X_ij) / 2)²`` over the features start <= j < stop."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(start, stop):
            term = w[j] * (half[j] - 0.5 * X[i, j])
            total += term * term
        d[i] = total


@kernel
def row_margin(X, half, q, start, stop, z):
    """``z[j] = sum_i q_i |x_j - X_ij| / 2`` for the features start <= j < stop.

    Four samples at a time, so that z is read and written a quarter as often.
    """
    x, out, kept = half[start:stop], z[start:stop], np.flatnonzero(q)
    out[:] = 0
    whole = len(kept) // 4 * 4
    for k in range(0, whole, 4):
        i0, i1, i2, i3 = kept[k], kept[k + 1], kept[k + 2], kept[k + 3]
        a, b, c, d = X[i0, start:stop], X[i1, start:stop], X[i2, start:stop], X[i3, start:stop]
        for j in range(len(out)):
            pair = q[i0] * abs(x[j] - 0.5 * a[j]) + q[i1] * abs(x[j] - 0.5 * b[j])
            out[j] += pair + q[i2] * abs(x[j] - 0.5 * c[j]) + q[i3] * abs(x[j] - 0.5 * d[j])
    for i in kept[whole:]:
        row = X[i, start:stop]
        for j in range(len(out)):
            out[j] += q[i] * abs(x[j] - 0.5 * row[j])


@kernel
def scaled_distances(S, x, w, start, stop, d):
    """``d[i] = sum_j w_j |x_j - S_ij|`` over the features start <= j < stop.

    Sums over a few features are kept in S's precision, their total in double precision.
    """
    whole, zero = S.shape[0] // 4 * 4, S.dtype.type(0)
    d[:] = 0
    for i in range(0, whole, 4):
        for first in range(start, stop, FEATURES):
            last = min(first + FEATURES, stop)
            p, v, a, b = x[first:last], w[first:last], S[i, first:last], S[i + 1, first:last]
            c, e = S[i + 2, first:last], S[i + 3, first:last]
            sum_a = sum_b = sum_c = sum_e = zero
            for j in range(len(p)):
                sum_a += v[j] * abs(p[j] - a[j])
                sum_b += v[j] * abs(p[j] - b[j])
                sum_c += v[j] * abs(p[j] - c[j])
                sum_e += v[j] * abs(p[j] - e[j])
            d[i] += sum_a
            d[i + 1] += sum_b
            d[i + 2] += sum_c
            d[i + 3] += sum_e
    for i in range(whole, S.shape[0]):
        for first in range(start, stop, FEATURES):
            last = min(first + FEATURES, stop)
            p, v, row, total = x[first:last], w[first:last], S[i, first:last], zero
            for j in range(len(p)):
                total += v[j] * abs(p[j] - row[j])
            d[i] += total


@kernel
def scaled_margin(S, x, q, start, stop, z):
    """``z[j] = sum_i q_i |x_j - S_ij|`` for the features start <= j < stop, in S's precision."""
    p, out, kept = x[start:stop], z[start:stop], np.flatnonzero(q)
    out[:] = 0
    whole = len(kept) // 4 * 4
    for k in range(0, whole, 4):
        i0, i1, i2, i3 = kept[k], kept[k + 1], kept[k + 2], kept[k + 3]
        a, b, c, d = S[i0, start:stop], S[i1, start:stop], S[i2, start:stop], S[i3, start:stop]
        qa, qb, qc, qd = q[i0], q[i1], q[i2], q[i3]
        for j in range(len(out)):
            pair = qa * abs(p[j] - a[j]) + qb * abs(p[j] - b[j])
            out[j] += pair + (qc * abs(p[j] - c[j]) + qd * abs(p[j] - d[j]))
    for i in kept[whole:]:
        row, qi = S[i, start:stop], q[i]
        for j in range(len(out)):
            out[j] += qi * abs(p[j] - row[j])


@kernel
def row_probabilities(d, y, label, own, sigma, q):
    """``q[i]`` = +P(i is the nearest miss), -P(i is the nearest hit) or 0 for `own`.

    Returns the probability that the sample is no outlier (I-RELIEF eq. 10), -1 if it has no hit
    or no miss; then q is not filled.
    """
    near_hit = near_miss = math.inf
    for i in range(d.shape[0]):
        if y[i] != label:
            near_miss = min(near_miss, d[i])
        elif i != own:
            near_hit = min(near_hit, d[i])
    if math.isinf(near_hit) or math.isinf(near_miss):
        return -1.0
    hits = misses = 0.0
    for i in range(d.shape[0]):
        hit = y[i] == label
        near = near_hit if hit else near_miss
        q[i] = 0.0 if i == own else exp_negative((near - d[i]) / sigma)
        hits += q[i] if hit else 0.0
        misses += 0.0 if hit else q[i]
    for i in range(d.shape[0]):
        q[i] *= -1 / hits if y[i] == label else 1 / misses
    return 1 / (1 + misses / hits * math.exp(min((near_hit - near_miss) / sigma, 700.0)))
