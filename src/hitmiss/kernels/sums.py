"""Weighted sums of differences |x_n - x_i| over pairs of samples, feature by feature.

Three ways to the same sums: over the rows of a packed block (`difference_sums`); over a list of
pairs, where few samples are neighbors (`pair_sums`); and over columns, where samples are thousands
(`column_sums`). `gap` and `cap` are those of `hitmiss.kernels.difference`.
"""

from math import frexp

from hitmiss.kernels.difference import at, difference, unlike
from hitmiss.kernels.distances import MIRRORED, add_four
from hitmiss.kernels.jit import inlined, kernel
from hitmiss.kernels.row_tiles import REFERENCES_PER_CHUNK


@kernel
def fold_upper(S, negligible, start, stop, out):
    """``out[n, i] = S[n, i] + S[i, n]`` for i > n, else 0, for start <= n < stop.

    `out` may have more rows than S. Entries up to `negligible` are set to zero. Rows meet columns
    in squares that stay in the cache.
    """
    n_samples = S.shape[0]
    out[start:stop] = 0
    for first in range(start, min(stop, n_samples), MIRRORED):
        last = min(first + MIRRORED, stop, n_samples)
        for begin in range(first, n_samples, MIRRORED):
            end = min(begin + MIRRORED, n_samples)
            for n in range(first, last):
                for i in range(max(begin, n + 1), end):
                    total = S[n, i] + S[i, n]
                    out[n, i] = total if abs(total) > negligible else 0.0


@kernel
def difference_sums(block, gap, cap, S, row_sum, total):
    """``total[j] += sum_{n<i} S[n, i] |block[n, j] - block[i, j]|``; S is zero for i <= n.

    Two rows meet four at a time, so that a sum is read and written once for eight differences; a
    tile of eight weights that are all zero costs nothing. The sum over i of a pair of rows is kept
    in the block's own precision (``row_sum``), the sum over n in double precision (``total``).
    """
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
                x, y, s, t, u, v = p[j], q[j], a[j], b[j], c[j], d[j]
                g, m = at(gap, j), at(cap, j)
                row_sum[j] += (
                    (pa * unlike(x, s, g, m) + pb * unlike(x, t, g, m))
                    + (pc * unlike(x, u, g, m) + pd * unlike(x, v, g, m))
                ) + (
                    (qa * unlike(y, s, g, m) + qb * unlike(y, t, g, m))
                    + (qc * unlike(y, u, g, m) + qd * unlike(y, v, g, m))
                )
        for j in range(n_features):
            total[j] += row_sum[j]


@kernel
def difference_sums_two(block, gap, cap, S, T, row_sums, s_total, t_total):
    """`difference_sums` of S and of T at once, in seven tenths of the time: differences are shared.

    Two rows of numbers meet two at a time: with four, their sixteen weights leave too few
    registers. Of missing and nominal values, whose differences cost more, they meet four.
    """
    n_rows, n_features = block.shape
    s_sum, t_sum = row_sums[0], row_sums[1]
    for n in range(0, n_rows, 2):
        p, q = block[n], block[n + 1]
        row_sums[:] = 0
        if gap is None:
            for i in range(n, n_rows, 2):
                a, b = block[i], block[i + 1]
                pa, pb, qa, qb = S[n, i], S[n, i + 1], S[n + 1, i], S[n + 1, i + 1]
                ra, rb, ta, tb = T[n, i], T[n, i + 1], T[n + 1, i], T[n + 1, i + 1]
                for j in range(n_features):
                    x, y = p[j], q[j]
                    xa, xb = difference(x, a[j]), difference(x, b[j])
                    ya, yb = difference(y, a[j]), difference(y, b[j])
                    s_sum[j] += (pa * xa + pb * xb) + (qa * ya + qb * yb)
                    t_sum[j] += (ra * xa + rb * xb) + (ta * ya + tb * yb)
        else:
            for i in range(n // 4 * 4, n_rows, 4):
                a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
                pa, pb, pc, pd = S[n, i], S[n, i + 1], S[n, i + 2], S[n, i + 3]
                qa, qb, qc, qd = S[n + 1, i], S[n + 1, i + 1], S[n + 1, i + 2], S[n + 1, i + 3]
                ra, rb, rc, rd = T[n, i], T[n, i + 1], T[n, i + 2], T[n, i + 3]
                ta, tb, tc, td = T[n + 1, i], T[n + 1, i + 1], T[n + 1, i + 2], T[n + 1, i + 3]
                for j in range(n_features):
                    x, y, g, m = p[j], q[j], gap[j], at(cap, j)
                    xa, xb = unlike(x, a[j], g, m), unlike(x, b[j], g, m)
                    xc, xd = unlike(x, c[j], g, m), unlike(x, d[j], g, m)
                    ya, yb = unlike(y, a[j], g, m), unlike(y, b[j], g, m)
                    yc, yd = unlike(y, c[j], g, m), unlike(y, d[j], g, m)
                    s_sum[j] += ((pa * xa + pb * xb) + (pc * xc + pd * xd)) + (
                        (qa * ya + qb * yb) + (qc * yc + qd * yd)
                    )
                    t_sum[j] += ((ra * xa + rb * xb) + (rc * xc + rd * xd)) + (
                        (ta * ya + tb * yb) + (tc * yc + td * yd)
                    )
        for j in range(n_features):
            s_total[j] += s_sum[j]
            t_total[j] += t_sum[j]


# A list of pairs: row n holds the partners i > n of sample n and their weights, padded to a
# multiple of four by pairs of weight zero.


@kernel
def sizes_of_weights(S, total, count):
    """Sum and number of the ``|S_ni|``, i > n, from ``2^(k - 1)`` to ``2^k``, at place k + 1024.

    One pass tells how many of the smallest may be left out of a list for a given error.
    """
    for n in range(S.shape[0]):
        for i in range(n + 1, S.shape[0]):
            size = abs(S[n, i])
            if size > 0:
                k = max(frexp(size)[1] + 1024, 0)  # below, numbers are denormal
                total[k] += size
                count[k] += 1


@kernel
def count_pairs(S, first):
    """``first[n + 1] - first[n]`` = number of i > n with S_ni nonzero, rounded up to fours."""
    first[0] = 0
    for n in range(S.shape[0]):
        count = 0
        for i in range(n + 1, S.shape[0]):
            count += S[n, i] != 0
        first[n + 1] = first[n] + (count + 3) // 4 * 4


@kernel
def list_pairs(S, first, partner, weight):
    """Partners i > n of every n with their weights S_ni; the rest of a row is (n, 0)."""
    for n in range(S.shape[0]):
        k = first[n]
        for i in range(n + 1, S.shape[0]):
            if S[n, i] != 0:
                partner[k], weight[k] = i, S[n, i]
                k += 1
        partner[k : first[n + 1]] = n
        weight[k : first[n + 1]] = 0


@kernel
def pair_sums(block, gap, cap, first, partner, weight, row_sum, total):
    """``total[j] += sum_pairs weight |block[n, j] - block[partner, j]|``.

    Four partners at a time, so that a sum is read and written once for four differences. The sum
    over the partners of a row is kept in the block's own precision (``row_sum``), the sum over
    rows in double precision (``total``).
    """
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
                x, g, m = p[j], at(gap, j), at(cap, j)
                row_sum[j] += (pa * unlike(x, a[j], g, m) + pb * unlike(x, b[j], g, m)) + (
                    pc * unlike(x, c[j], g, m) + pd * unlike(x, d[j], g, m)
                )
        for j in range(n_features):
            total[j] += row_sum[j]


@inlined
def eight_sums(p, q, s, t, a, b, x, y):
    """Weighted sums of the differences of four samples from others, in two features.

    The weights of the others are p, q, s and t, their values a and b; x and y are the first and the
    second feature of the four samples. What is read is used twice or four times, and the eight sums
    stay in registers.
    """
    px, qx, sx, tx = x[0], x[1], x[2], x[3]
    py, qy, sy, ty = y[0], y[1], y[2], y[3]
    pa = qa = sa = ta = pb = qb = sb = tb = a.dtype.type(0)
    for i in range(len(a)):
        pa += p[i] * difference(px, a[i])
        pb += p[i] * difference(py, b[i])
        qa += q[i] * difference(qx, a[i])
        qb += q[i] * difference(qy, b[i])
        sa += s[i] * difference(sx, a[i])
        sb += s[i] * difference(sy, b[i])
        ta += t[i] * difference(tx, a[i])
        tb += t[i] * difference(ty, b[i])
    return pa, qa, sa, ta, pb, qb, sb, tb


@kernel
def column_sums(columns, S, total):
    """``total[j] += sum_{n<i} S[n, i] |columns[j, n] - columns[j, i]|``; S is zero for i <= n.

    Samples stand in columns, so that the sums over them stay in registers; `difference_sums`, along
    features, reads and writes its sums again for every four samples. The number of features is
    even, that of samples a multiple of four. Sums over a chunk of samples, which stays in the
    cache, are kept in the precision of the data, the sum of these in double precision.
    """
    n_features, n_samples = columns.shape
    for begin in range(0, n_samples, REFERENCES_PER_CHUNK):
        last = min(begin + REFERENCES_PER_CHUNK, n_samples)
        for n in range(0, last, 4):
            first = max(begin, n)
            p, q = S[n, first:last], S[n + 1, first:last]
            s, t = S[n + 2, first:last], S[n + 3, first:last]
            for j in range(0, n_features, 2):
                a, b = columns[j, first:last], columns[j + 1, first:last]
                x, y = columns[j, n : n + 4], columns[j + 1, n : n + 4]
                pa, qa, sa, ta, pb, qb, sb, tb = eight_sums(p, q, s, t, a, b, x, y)
                total[j] += (pa + qa) + (sa + ta)
                total[j + 1] += (pb + qb) + (sb + tb)


@kernel
def column_sums_two(columns, S, T, s_total, t_total):
    """`column_sums` of S and of T at once, in four fifths of the time: differences are shared.

    Two samples and four features at a time, so the number of features is a multiple of four: more
    samples at a time would need more registers.
    """
    n_features, n_samples = columns.shape
    for begin in range(0, n_samples, REFERENCES_PER_CHUNK):
        last = min(begin + REFERENCES_PER_CHUNK, n_samples)
        for n in range(0, last, 2):
            first = max(begin, n // 4 * 4)
            p, q = S[n, first:last], S[n + 1, first:last]
            r, s = T[n, first:last], T[n + 1, first:last]
            for j in range(0, n_features, 4):
                a, b = columns[j, first:last], columns[j + 1, first:last]
                c, d = columns[j + 2, first:last], columns[j + 3, first:last]
                x, y, u, v = columns[j, n], columns[j + 1, n], columns[j + 2, n], columns[j + 3, n]
                e, f = columns[j, n + 1], columns[j + 1, n + 1]
                g, h = columns[j + 2, n + 1], columns[j + 3, n + 1]
                sa = sb = sc = sd = ta = tb = tc = td = columns.dtype.type(0)
                for i in range(last - first):
                    one, two = difference(x, a[i]), difference(e, a[i])
                    sa += p[i] * one + q[i] * two
                    ta += r[i] * one + s[i] * two
                    one, two = difference(y, b[i]), difference(f, b[i])
                    sb += p[i] * one + q[i] * two
                    tb += r[i] * one + s[i] * two
                    one, two = difference(u, c[i]), difference(g, c[i])
                    sc += p[i] * one + q[i] * two
                    tc += r[i] * one + s[i] * two
                    one, two = difference(v, d[i]), difference(h, d[i])
                    sd += p[i] * one + q[i] * two
                    td += r[i] * one + s[i] * two
                add_four(s_total, j, sa, sb, sc, sd)
                add_four(t_total, j, ta, tb, tc, td)
