"""Twins of the kernels over packed blocks, for blocks that hold missing or nominal values.

Both differ from any number in a way of their own: a missing value, NaN, by ``gap[j]`` from
everything, and nominal values, as codes, by at most ``cap[j]``; None stands for no cap at all.
"""

from hitmiss.kernels.difference import unlike
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import NEGLIGIBLE_IN_DOUBLE, ROW_GROUP


@kernel
def add_unlike_distances(block, gap, cap, start, stop, D):
    """`add_pair_distances` of missing and nominal values."""
    n_rows, n_features = block.shape
    for first in range(start // 4 * 4, n_rows, ROW_GROUP):
        last = min(first + ROW_GROUP, n_rows)
        for n in range(start, min(stop, last), 2):
            p, q = block[n], block[n + 1]
            for i in range(max(n // 4 * 4, first), last, 4):
                a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
                pa = pb = pc = pd = qa = qb = qc = qd = block.dtype.type(0)
                for j in range(n_features):
                    x, y, g = p[j], q[j], gap[j]
                    pa += unlike(x, a[j], g, cap, j)
                    qa += unlike(y, a[j], g, cap, j)
                    pb += unlike(x, b[j], g, cap, j)
                    qb += unlike(y, b[j], g, cap, j)
                    pc += unlike(x, c[j], g, cap, j)
                    qc += unlike(y, c[j], g, cap, j)
                    pd += unlike(x, d[j], g, cap, j)
                    qd += unlike(y, d[j], g, cap, j)
                D[n, i] += pa
                D[n, i + 1] += pb
                D[n, i + 2] += pc
                D[n, i + 3] += pd
                D[n + 1, i] += qa
                D[n + 1, i + 1] += qb
                D[n + 1, i + 2] += qc
                D[n + 1, i + 3] += qd


@kernel
def unlike_margins(block, gap, cap, Q, balance, start, stop, Z):
    """`margin_vectors` of missing and nominal values.

    Where sample n has no value, ``Z[n, j] = balance[n] gap[j]``: with the balance
    ``sum_i Q[n, i]`` of margins, which is 0, it is 0 whatever the rounding of Q.
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
                x, y, s, t, u, v, g = p[j], q[j], a[j], b[j], c[j], d[j], gap[j]
                zp[j] += (pa * unlike(x, s, g, cap, j) + pb * unlike(x, t, g, cap, j)) + (
                    pc * unlike(x, u, g, cap, j) + pd * unlike(x, v, g, cap, j)
                )
                zq[j] += (qa * unlike(y, s, g, cap, j) + qb * unlike(y, t, g, cap, j)) + (
                    qc * unlike(y, u, g, cap, j) + qd * unlike(y, v, g, cap, j)
                )
        for j in range(n_features):
            zp[j] = zp[j] if p[j] == p[j] else balance[n] * gap[j]
            zq[j] = zq[j] if q[j] == q[j] else balance[n + 1] * gap[j]


@kernel
def unlike_sums(block, gap, cap, S, row_sum, total):
    """`difference_sums` of missing and nominal values."""
    n_rows, n_features = block.shape
    for n in range(0, n_rows, 2):
        p, q = block[n], block[n + 1]
        row_sum[:] = 0
        for i in range(n // 4 * 4, n_rows, 4):
            a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
            pa, pb, pc, pd = S[n, i], S[n, i + 1], S[n, i + 2], S[n, i + 3]
            qa, qb, qc, qd = S[n + 1, i], S[n + 1, i + 1], S[n + 1, i + 2], S[n + 1, i + 3]
            if pa == pb == pc == pd == qa == qb == qc == qd == 0:
                continue
            for j in range(n_features):
                x, y, s, t, u, v, g = p[j], q[j], a[j], b[j], c[j], d[j], gap[j]
                row_sum[j] += (
                    (pa * unlike(x, s, g, cap, j) + pb * unlike(x, t, g, cap, j))
                    + (pc * unlike(x, u, g, cap, j) + pd * unlike(x, v, g, cap, j))
                ) + (
                    (qa * unlike(y, s, g, cap, j) + qb * unlike(y, t, g, cap, j))
                    + (qc * unlike(y, u, g, cap, j) + qd * unlike(y, v, g, cap, j))
                )
        for j in range(n_features):
            total[j] += row_sum[j]


@kernel
def unlike_sums_two(block, gap, cap, S, T, row_sums, s_total, t_total):
    """`unlike_sums` of S and of T at once."""
    n_rows, n_features = block.shape
    s_sum, t_sum = row_sums[0], row_sums[1]
    for n in range(0, n_rows, 2):
        p, q = block[n], block[n + 1]
        row_sums[:] = 0
        for i in range(n // 4 * 4, n_rows, 4):
            a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
            pa, pb, pc, pd = S[n, i], S[n, i + 1], S[n, i + 2], S[n, i + 3]
            qa, qb, qc, qd = S[n + 1, i], S[n + 1, i + 1], S[n + 1, i + 2], S[n + 1, i + 3]
            ra, rb, rc, rd = T[n, i], T[n, i + 1], T[n, i + 2], T[n, i + 3]
            ta, tb, tc, td = T[n + 1, i], T[n + 1, i + 1], T[n + 1, i + 2], T[n + 1, i + 3]
            for j in range(n_features):
                x, y, g = p[j], q[j], gap[j]
                xa, xb = unlike(x, a[j], g, cap, j), unlike(x, b[j], g, cap, j)
                xc, xd = unlike(x, c[j], g, cap, j), unlike(x, d[j], g, cap, j)
                ya, yb = unlike(y, a[j], g, cap, j), unlike(y, b[j], g, cap, j)
                yc, yd = unlike(y, c[j], g, cap, j), unlike(y, d[j], g, cap, j)
                s_sum[j] += ((pa * xa + pb * xb) + (pc * xc + pd * xd)) + (
                    (qa * ya + qb * yb) + (qc * yc + qd * yd)
                )
                t_sum[j] += ((ra * xa + rb * xb) + (rc * xc + rd * xd)) + (
                    (ta * ya + tb * yb) + (tc * yc + td * yd)
                )
        for j in range(n_features):
            s_total[j] += s_sum[j]
            t_total[j] += t_sum[j]


@kernel
def unlike_pair_sums(block, gap, cap, first, partner, weight, row_sum, total):
    """`pair_sums` of missing and nominal values."""
    n_features = block.shape[1]
    for n in range(first.shape[0] - 1):
        if first[n] == first[n + 1]:
            continue
        p = block[n]
        row_sum[:] = 0
        for k in range(first[n], first[n + 1], 4):
            a, b = block[partner[k]], block[partner[k + 1]]
            c, d = block[partner[k + 2]], block[partner[k + 3]]
            pa, pb, pc, pd = weight[k], weight[k + 1], weight[k + 2], weight[k + 3]
            for j in range(n_features):
                x, g = p[j], gap[j]
                row_sum[j] += (
                    pa * unlike(x, a[j], g, cap, j) + pb * unlike(x, b[j], g, cap, j)
                ) + (pc * unlike(x, c[j], g, cap, j) + pd * unlike(x, d[j], g, cap, j))
        for j in range(n_features):
            total[j] += row_sum[j]


@kernel
def unlike_moments(A, X, gap, cap, Q, start, stop, scratch, miss, hit, second):
    """`difference_moments` of missing and nominal values."""
    n_samples, n_features = X.shape
    q, qd, d = scratch[0], scratch[1], scratch[2:]
    for n in range(start, stop):
        count = 0
        for i in range(n_samples):
            if abs(Q[n, i]) > NEGLIGIBLE_IN_DOUBLE:
                q[count] = Q[n, i]
                for j in range(n_features):
                    d[j, count] = unlike(A[n, j], X[i, j], gap[j], cap, j)
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
