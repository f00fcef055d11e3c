"""Distances and margin of one sample against all others, as the online methods need them.

The data may be of any type and memory layout. They are multiplied by `share`, which is 1/2 where
differences of the data as they are might overflow; x is multiplied by it already. The precision is
that of x, w, q and share, which is the same for all.
"""

import numpy as np

from hitmiss.kernels.difference import at, difference, unlike
from hitmiss.kernels.distances import add_four
from hitmiss.kernels.jit import inlined, kernel, row_kernel

# Features whose terms are added in the precision of the data before the total in double precision.
# Over 20,000 features in single precision the relative error is 1e-8, against 2e-7 in one sum. Sums
# of 64 features take up to 1.4 times as long, sums of 512 up to a tenth less, with twice the error.
FEATURES_PER_SUM = 256


@inlined
def term(w, x, a, squared):
    """``w |x - a|``, or its square unless `squared` is None."""
    if squared is None:
        return w * difference(x, a)
    return (w * (x - a)) ** 2


@row_kernel
def sums_of_terms(X, share, x, w, squared, start, stop, d):
    """``d[i] = sum_j term(w_j, x_j, share X_ij)`` over the features start <= j < stop.

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
                sum_a += term(v[j], p[j], share * a[j], squared)
                sum_b += term(v[j], p[j], share * b[j], squared)
                sum_c += term(v[j], p[j], share * c[j], squared)
                sum_e += term(v[j], p[j], share * e[j], squared)
            add_four(d, i, sum_a, sum_b, sum_c, sum_e)
    for i in range(whole, X.shape[0]):
        for j in range(start, stop):
            d[i] += term(w[j], x[j], share * X[i, j], squared)


@kernel
def row_distances(X, share, x, w, start, stop, d):
    """``d[i] = sum_j w_j |x_j - share X_ij|`` over the features start <= j < stop."""
    sums_of_terms(X, share, x, w, None, start, stop, d)


@kernel
def row_squares(X, share, x, w, start, stop, d):
    """``d[i] = sum_j (w_j (x_j - share X_ij))²`` over the features start <= j < stop."""
    sums_of_terms(X, share, x, w, True, start, stop, d)


@kernel
def unlike_row_squares(X, x, w, gap, cap, d):
    """`row_squares` of missing and nominal values, which only Simba asks for: one by one."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(X.shape[1]):
            part = w[j] * unlike(x[j], X[i, j], at(gap, j), at(cap, j))
            total += part * part
        d[i] = total


@kernel
def row_distances_at(X, share, x, w, support, d):
    """`row_distances` over the few features j in `support`, one by one."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in support:
            total += w[j] * difference(x[j], share * X[i, j])
        d[i] = total


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
