"""Margin vectors and second moments of differences |x_n - x_i|, under signed weights Q of pairs.

Blocks are packed as `hitmiss.kernels.distances` wants them; `gap` and `cap` are those of
`hitmiss.kernels.difference`.
"""

import numpy as np

from hitmiss.kernels.difference import at, difference, unlike
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.row_tiles import REFERENCES_PER_CHUNK

# Probability up to which a neighbor is left out of sums in double precision. A thousand of them
# change a mean difference by at most 1e-9 of the largest one: `exp_negative` is no more accurate.
NEGLIGIBLE_IN_DOUBLE = 1e-12


@kernel
def pad_weights(Q, negligible, start, stop, out):
    """``out[n, i] = Q[n, i]``, or 0 up to `negligible`, for start <= n < stop; 0 beyond Q."""
    n_samples = Q.shape[0]
    for n in range(start, stop):
        row = out[n]
        row[:] = 0
        if n < n_samples:
            q = Q[n]
            for i in range(n_samples):
                row[i] = q[i] if abs(q[i]) > negligible else 0.0


@kernel
def margin_vectors(block, gap, cap, Q, balance, start, stop, Z):
    """``Z[n, j] = sum_i Q[n, i] |block[n, j] - block[i, j]|`` for start <= n < stop.

    Two rows meet four at a time, so that a margin is read and written once for four differences;
    a tile of eight weights that are all zero costs nothing.
    Where sample n has no value, ``Z[n, j] = balance[n] gap[j]``: with the balance
    ``sum_i Q[n, i]`` of margins, which is 0, it is 0 whatever the rounding of Q. Numbers need no
    balance: None.
    """
    n_rows, n_features = block.shape
    for n in range(start, stop, 2):
        p, q, zp, zq = block[n], block[n + 1], Z[n], Z[n + 1]
        zp[:] = 0
        zq[:] = 0
        for i in range(0, n_rows, 4):
            a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
            pa, pb, pc, pd = Q[n, i], Q[n, i + 1], Q[n, i + 2], Q[n, i + 3]
            qa, qb, qc, qd = Q[n + 1, i], Q[n + 1, i + 1], Q[n + 1, i + 2], Q[n + 1, i + 3]
            if pa == pb == pc == pd == qa == qb == qc == qd == 0:
                continue
            for j in range(n_features):
                x, y, s, t, u, v = p[j], q[j], a[j], b[j], c[j], d[j]
                g, m = at(gap, j), at(cap, j)
                zp[j] += (pa * unlike(x, s, g, m) + pb * unlike(x, t, g, m)) + (
                    pc * unlike(x, u, g, m) + pd * unlike(x, v, g, m)
                )
                zq[j] += (qa * unlike(y, s, g, m) + qb * unlike(y, t, g, m)) + (
                    qc * unlike(y, u, g, m) + qd * unlike(y, v, g, m)
                )
        if gap is not None:
            for j in range(n_features):
                zp[j] = zp[j] if p[j] == p[j] else balance[n] * gap[j]
                zq[j] = zq[j] if q[j] == q[j] else balance[n + 1] * gap[j]


@kernel
def difference_moments(A, X, gap, cap, Q, start, stop, scratch, miss, hit, second):
    """Moments of the differences d = |a_n - x_i| of every sample n from start to stop.

    ``miss[n] = sum_i max(Q_ni, 0) d``, ``hit[n] = sum_i max(-Q_ni, 0) d`` and the symmetric
    ``second[n] = sum_i Q_ni d d'``. For few features. `scratch` holds, for each feature and two
    rows more, a number per sample: the neighbors that count are gathered there, so that the
    sums over them vectorize.
    """
    n_samples, n_features = X.shape
    q, qd, d = scratch[0], scratch[1], scratch[2:]
    for n in range(start, stop):
        count = 0
        for i in range(n_samples):
            if abs(Q[n, i]) > NEGLIGIBLE_IN_DOUBLE:
                q[count] = Q[n, i]
                for j in range(n_features):
                    d[j, count] = unlike(A[n, j], X[i, j], at(gap, j), at(cap, j))
                count += 1
        for j in range(n_features):
            total = absolute = 0.0
            for i in range(count):
                qd[i] = q[i] * d[j, i]
                total += qd[i]
                absolute += abs(qd[i])
            miss[n, j] = (absolute + total) / 2
            hit[n, j] = (absolute - total) / 2
            for k in range(j + 1):
                total = 0.0
                for i in range(count):
                    total += qd[i] * d[k, i]
                second[n, j, k] = second[n, k, j] = total


@kernel
def tile_moments(A, R, Q, miss, hit, second):
    """`difference_moments` of numbers, with the references in columns: ``d = |A[k] - R[:, i]|``.

    A chunk of references at a time: their differences, one row per feature, are found once and
    stay in the cache for the products of all pairs of features.
    """
    n_features, n_references = R.shape
    qd, d = np.empty(REFERENCES_PER_CHUNK), np.empty((n_features, REFERENCES_PER_CHUNK))
    miss[:] = 0
    hit[:] = 0
    second[:] = 0
    for k in range(A.shape[0]):
        for first in range(0, n_references, REFERENCES_PER_CHUNK):
            q = Q[k, first : min(first + REFERENCES_PER_CHUNK, n_references)]
            for j in range(n_features):
                x, r, e = A[k, j], R[j, first : first + q.shape[0]], d[j]
                total = absolute = 0.0
                for i in range(q.shape[0]):
                    e[i] = difference(x, r[i])
                    qd[i] = q[i] * e[i]
                    total += qd[i]
                    absolute += abs(qd[i])
                miss[k, j] += (absolute + total) / 2
                hit[k, j] += (absolute - total) / 2
                for m in range(j + 1):
                    f, total = d[m], 0.0
                    for i in range(q.shape[0]):
                        total += qd[i] * f[i]
                    second[k, j, m] += total
        for j in range(n_features):
            for m in range(j):
                second[k, m, j] = second[k, j, m]
