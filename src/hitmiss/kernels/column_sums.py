"""Weighted sums of differences over one block of features, of thousands of samples.

Samples stand in columns, so that the sums over them stay in registers; those of
`hitmiss.kernels.margins`, over features, are written and read again for every four samples.
"""

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
