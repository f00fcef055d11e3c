"""Linear algebra of the solvers in double precision, on one thread.

Their products are small and many, so that a threaded BLAS would spend most of its time starting
threads.
"""

from hitmiss.kernels.jit import kernel

# Products of margins: samples of a chunk. 100 rows of 256 numbers in double precision are 200 KB,
# which a second-level cache holds: 3,000 samples take 0.7 ms, 0.8 in chunks of 128 or 512, 2.6
# without.
GRAM_SAMPLES = 256


@kernel
def weighted_row_sum(s, Z, out):
    """``out[j] = sum_n s[n] Z[n, j]``; out is double precision whatever Z is.

    Row by row, as Z lies in memory; a row of weight zero costs nothing.
    """
    out[:] = 0
    for n in range(Z.shape[0]):
        if s[n] != 0:
            for j in range(Z.shape[1]):
                out[j] += s[n] * Z[n, j]


@kernel
def weighted_gram(Z, c, scaled, H):
    """``H[j, k] = sum_n c[n] Z[j, n] Z[k, n]``; `scaled` is room for one row of Z.

    A row is multiplied by c once for all its products; half of the symmetric H is computed.
    """
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

    Four rows of Z meet two at a time: eight sums stay in registers. The number of rows is a
    multiple of four; `scaled` is room for four rows of a chunk.
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


@kernel
def descend_quadratic(H, slope, u, l1, lower, tol, max_sweeps):
    """Minimize ``u'Hu/2 - r'u + l1 sum|u|`` over ``u >= lower`` by cyclic coordinate descent.

    Each coordinate is set to its own minimum; a sweep whose largest change, measured as
    ``sqrt(H_kk) |change|``, is at most `tol` is the last. Both u and its slope ``Hu - r`` are
    changed in place; the caller computes the slope, as a product of matrices here would take a
    tenth of the time that all kernels of a first fit take to compile. Returns the number of sweeps.
    """
    size = u.shape[0]
    for sweep in range(max_sweeps):
        largest = 0.0
        for k in range(size):
            old = u[k]
            target = H[k, k] * old - slope[k]
            new = max(lower, (max(target - l1, 0.0) + min(target + l1, 0.0)) / H[k, k])
            if new != old:
                step = new - old
                u[k] = new
                for m in range(size):
                    slope[m] += step * H[k, m]
                largest = max(largest, step * step * H[k, k])
        if largest <= tol * tol:
            return sweep + 1
    return max_sweeps
