"""Weighted sums of element-wise differences |x_n - x_i| over one packed block of features."""

from hitmiss.kernels.jit import kernel


@kernel
def margin_vectors(block, Q, start, stop, Z):
    """``Z[n, j] = sum_i Q[n, i] |block[n, j] - block[i, j]|`` for start <= n < stop."""
    n_rows, n_features = block.shape
    for n in range(start, stop, 2):
        p, q, zp, zq = block[n], block[n + 1], Z[n], Z[n + 1]
        zp[:] = 0
        zq[:] = 0
        for i in range(0, n_rows, 4):
            a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
            pa, pb, pc, pd = Q[n, i], Q[n, i + 1], Q[n, i + 2], Q[n, i + 3]
            qa, qb, qc, qd = Q[n + 1, i], Q[n + 1, i + 1], Q[n + 1, i + 2], Q[n + 1, i + 3]
            for j in range(n_features):
                x, y, s, t, u, v = p[j], q[j], a[j], b[j], c[j], d[j]
                zp[j] += (pa * abs(x - s) + pb * abs(x - t)) + (pc * abs(x - u) + pd * abs(x - v))
                zq[j] += (qa * abs(y - s) + qb * abs(y - t)) + (qc * abs(y - u) + qd * abs(y - v))


@kernel
def difference_sums(block, S, row_sum, total):
    """``total[j] += sum_{n<i} S[n, i] |block[n, j] - block[i, j]|``; S is zero for i <= n.

    The sum over i of a pair of rows is kept in the block's own precision (``row_sum``), the sum
    over n in double precision (``total``).
    """
    n_rows, n_features = block.shape
    for n in range(0, n_rows, 2):
        p, q = block[n], block[n + 1]
        row_sum[:] = 0
        for i in range(n // 4 * 4, n_rows, 4):
            a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
            pa, pb, pc, pd = S[n, i], S[n, i + 1], S[n, i + 2], S[n, i + 3]
            qa, qb, qc, qd = S[n + 1, i], S[n + 1, i + 1], S[n + 1, i + 2], S[n + 1, i + 3]
            for j in range(n_features):
                x, y, s, t, u, v = p[j], q[j], a[j], b[j], c[j], d[j]
                row_sum[j] += (
                    (pa * abs(x - s) + pb * abs(x - t)) + (pc * abs(x - u) + pd * abs(x - v))
                ) + ((qa * abs(y - s) + qb * abs(y - t)) + (qc * abs(y - u) + qd * abs(y - v)))
        for j in range(n_features):
            total[j] += row_sum[j]


@kernel
def fold_upper(S, out):
    """``out[n, i] = S[n, i] + S[i, n]`` for i > n, else 0; `out` may have more rows than S."""
    out[:] = 0
    for n in range(S.shape[0]):
        for i in range(n + 1, S.shape[0]):
            out[n, i] = S[n, i] + S[i, n]


@kernel
def difference_moments(X, Q, start, stop, miss, hit, second):
    """Moments of the differences d = |x_n - x_i| of every sample n from start to stop.

    ``miss[n] = sum_i max(Q_ni, 0) d``, ``hit[n] = sum_i max(-Q_ni, 0) d`` and the symmetric
    ``second[n] = sum_i Q_ni d d'``. For few features.
    """
    n_samples, n_features = X.shape
    for n in range(start, stop):
        miss[n], hit[n], second[n] = 0, 0, 0
        for i in range(n_samples):
            q = Q[n, i]
            mean = miss[n] if q > 0 else hit[n]
            for j in range(n_features):
                d = abs(X[n, j] - X[i, j])
                mean[j] += abs(q) * d
                for k in range(j + 1):
                    second[n, j, k] += q * d * abs(X[n, k] - X[i, k])
        for j in range(n_features):
            for k in range(j):
                second[n, k, j] = second[n, j, k]
