"""Small linear algebra in double precision, on one thread.

The products of the solvers are small and many, so that a threaded BLAS would spend most of its time
starting threads.
"""

from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import GRAM_SAMPLES


@kernel
def weighted_row_sum(s, Z, out):
    """``out[j] = sum_n s[n] Z[n, j]``; out is double precision whatever Z is."""
    out[:] = 0
    for n in range(Z.shape[0]):
        if s[n] != 0:
            for j in range(Z.shape[1]):
                out[j] += s[n] * Z[n, j]


@kernel
def weighted_gram(Z, c, scaled, H):
    """``H[j, k] = sum_n c[n] Z[j, n] Z[k, n]``; `scaled` is room for one row of Z."""
    for j in range(Z.shape[0]):
        for n in range(Z.shape[1]):
            scaled[n] = c[n] * Z[j, n]
        for k in range(j + 1):
            total = 0.0
            for n in range(Z.shape[1]):
                total += scaled[n] * Z[k, n]
            H[j, k] = H[k, j] = total


@kernel
def chunked_gram(Z, c, scaled, H):
    """`weighted_gram` of thousands of samples: a chunk of them at a time, which stays in the cache.

    The number of rows of Z is a multiple of four; `scaled` is room for four rows of a chunk.
    """
    H[:] = 0
    s, t, u, v = scaled[0], scaled[1], scaled[2], scaled[3]
    for first in range(0, Z.shape[1], GRAM_SAMPLES):
        last = min(first + GRAM_SAMPLES, Z.shape[1])
        w = c[first:last]
        for j in range(0, Z.shape[0], 4):
            a, b = Z[j, first:last], Z[j + 1, first:last]
            d, e = Z[j + 2, first:last], Z[j + 3, first:last]
            for n in range(last - first):
                s[n], t[n], u[n], v[n] = w[n] * a[n], w[n] * b[n], w[n] * d[n], w[n] * e[n]
            for k in range(0, j + 4, 2):
                p, q = Z[k, first:last], Z[k + 1, first:last]
                sp = sq = tp = tq = up = uq = vp = vq = 0.0
                for n in range(last - first):
                    x, y = p[n], q[n]
                    sp += s[n] * x
                    sq += s[n] * y
                    tp += t[n] * x
                    tq += t[n] * y
                    up += u[n] * x
                    uq += u[n] * y
                    vp += v[n] * x
                    vq += v[n] * y
                H[j, k], H[j, k + 1] = H[j, k] + sp, H[j, k + 1] + sq
                H[j + 1, k], H[j + 1, k + 1] = H[j + 1, k] + tp, H[j + 1, k + 1] + tq
                H[j + 2, k], H[j + 2, k + 1] = H[j + 2, k] + up, H[j + 2, k + 1] + uq
                H[j + 3, k], H[j + 3, k + 1] = H[j + 3, k] + vp, H[j + 3, k + 1] + vq
    for j in range(H.shape[0]):
        for k in range(j):
            H[k, j] = H[j, k]
