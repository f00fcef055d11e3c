"""Weighted sums of differences over one block of features, of thousands of samples.

Samples stand in columns, so that the sums over them stay in registers; those of
`hitmiss.kernels.margins`, over features, are written and read again for every four samples.
"""

from hitmiss.kernels.difference import difference
from hitmiss.kernels.eight_sums import eight_sums
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import REFERENCES_PER_CHUNK


@kernel
def column_sums(columns, S, total):
    """``total[j] += sum_{n<i} S[n, i] |columns[j, n] - columns[j, i]|``; S is zero for i <= n.

    The number of features is even, that of samples a multiple of four. Sums over a chunk of
    samples are kept in the precision of the data, the sum of these in double precision.
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
                x, y = columns[j, n], columns[j, n + 1]
                u, v = columns[j, n + 2], columns[j, n + 3]
                c, d = columns[j + 1, n], columns[j + 1, n + 1]
                e, f = columns[j + 1, n + 2], columns[j + 1, n + 3]
                zx, zy, zu, zv, zc, zd, ze, zf = eight_sums(
                    p, q, s, t, a, b, x, y, u, v, c, d, e, f
                )
                total[j] += (zx + zy) + (zu + zv)
                total[j + 1] += (zc + zd) + (ze + zf)


@kernel
def column_sums_two(columns, S, T, s_total, t_total):
    """`column_sums` of S and of T at once, in four fifths of the time: differences are shared.

    The number of features is a multiple of four: more samples at a time would need more registers.
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
                s_total[j] += sa
                s_total[j + 1] += sb
                s_total[j + 2] += sc
                s_total[j + 3] += sd
                t_total[j] += ta
                t_total[j + 1] += tb
                t_total[j + 2] += tc
                t_total[j + 3] += td
