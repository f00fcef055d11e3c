"""Distances and margin of one sample against all others, as the online methods need them.

The data may be of any type and memory layout. They are multiplied by `share`, which is 1/2 where
differences of the data as they are might overflow; x is multiplied by it already. The precision is
that of x, w, q and share, which is the same for all.
"""

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import FEATURES_PER_SUM


@kernel
def row_distances(X, share, x, w, start, stop, d):
    """``d[i] = sum_j w_j |x_j - share X_ij|`` over the features start <= j < stop.

    Four samples at a time, so that x and w are read a quarter as often.
    """
    whole, zero = X.shape[0] // 4 * 4, x.dtype.type(0)
    d[:] = 0
    for i in range(0, whole, 4):
        for first in range(start, stop, FEATURES_PER_SUM):
            last = min(first + FEATURES_PER_SUM, stop)
            p, v, a, b = x[first:last], w[first:last], X[i, first:last], X[i + 1, first:last]
            c, e = X[i + 2, first:last], X[i + 3, first:last]
            sum_a = sum_b = sum_c = sum_e = zero
            for j in range(len(p)):
                sum_a += v[j] * difference(p[j], share * a[j])
                sum_b += v[j] * difference(p[j], share * b[j])
                sum_c += v[j] * difference(p[j], share * c[j])
                sum_e += v[j] * difference(p[j], share * e[j])
            d[i] += sum_a
            d[i + 1] += sum_b
            d[i + 2] += sum_c
            d[i + 3] += sum_e
    for i in range(whole, X.shape[0]):
        for j in range(start, stop):
            d[i] += w[j] * difference(x[j], share * X[i, j])


@kernel
def row_distances_at(X, share, x, w, support, d):
    """``d[i] = sum_j w_j |x_j - share X_ij|`` over the features j in `support`."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in support:
            total += w[j] * difference(x[j], share * X[i, j])
        d[i] = total


@kernel
def row_squares(X, share, x, w, start, stop, d):
    """``d[i] = sum_j (w_j (x_j - share X_ij))²`` over the features start <= j < stop.

    Four samples at a time, as in `row_distances`.
    """
    whole, zero = X.shape[0] // 4 * 4, x.dtype.type(0)
    d[:] = 0
    for i in range(0, whole, 4):
        for first in range(start, stop, FEATURES_PER_SUM):
            last = min(first + FEATURES_PER_SUM, stop)
            p, v, a, b = x[first:last], w[first:last], X[i, first:last], X[i + 1, first:last]
            c, e = X[i + 2, first:last], X[i + 3, first:last]
            sum_a = sum_b = sum_c = sum_e = zero
            for j in range(len(p)):
                sum_a += (v[j] * (p[j] - share * a[j])) ** 2
                sum_b += (v[j] * (p[j] - share * b[j])) ** 2
                sum_c += (v[j] * (p[j] - share * c[j])) ** 2
                sum_e += (v[j] * (p[j] - share * e[j])) ** 2
            d[i] += sum_a
            d[i + 1] += sum_b
            d[i + 2] += sum_c
            d[i + 3] += sum_e
    for i in range(whole, X.shape[0]):
        for j in range(start, stop):
            d[i] += (w[j] * (x[j] - share * X[i, j])) ** 2


@kernel
def row_margin(X, share, x, q, start, stop, z):
    """``z[j] = sum_i q_i |x_j - share X_ij|`` for the features start <= j < stop.

    Four samples at a time, so that z is read and written a quarter as often.
    """
    p, out, kept = x[start:stop], z[start:stop], np.flatnonzero(q)
    out[:] = 0
    whole = len(kept) // 4 * 4
    for k in range(0, whole, 4):
        i0, i1, i2, i3 = kept[k], kept[k + 1], kept[k + 2], kept[k + 3]
        a, b, c, d = X[i0, start:stop], X[i1, start:stop], X[i2, start:stop], X[i3, start:stop]
        qa, qb, qc, qd = q[i0], q[i1], q[i2], q[i3]
        for j in range(len(out)):
            pair = qa * difference(p[j], share * a[j]) + qb * difference(p[j], share * b[j])
            out[j] += pair + (
                qc * difference(p[j], share * c[j]) + qd * difference(p[j], share * d[j])
            )
    for i in kept[whole:]:
        row, qi = X[i, start:stop], q[i]
        for j in range(len(out)):
            out[j] += qi * difference(p[j], share * row[j])
