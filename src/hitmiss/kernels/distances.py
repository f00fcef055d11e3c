"""Manhattan distances between all pairs of rows of one packed block of features.

A packed block is C-contiguous with a number of rows divisible by four; rows added to get there
are zero. Features are shifted, scaled and weighted when they are packed, so that the kernels only
subtract and sum. `gap` and `cap` are those of `hitmiss.kernels.difference`.
"""

from hitmiss.kernels.difference import at, unlike
from hitmiss.kernels.jit import inlined, kernel

# Rows that stay in the cache while every other row meets them, a multiple of four. 32 rows of 512
# single-precision features are 64 KB, which a second-level cache holds beside the other rows. The
# choice is not sensitive: groups of 4 to 128 rows measure 23 to 27 billion differences a second
# (one core of an AMD EPYC with AVX-512, 32 KB and 1 MB of cache, as all speeds in this folder).
ROW_GROUP = 32

# Rows and columns of a square of a matrix that is worked on at once where entry (n, i) meets
# (i, n): 8 KB in double precision.
MIRRORED = 32


@kernel
def pack(X, start, center, factor, block):
    """``block[n, j] = (X[n, start + j] - center[j]) * factor[j]``; rows beyond those of X are 0."""
    stop = start + block.shape[1]
    for n in range(X.shape[0]):
        x, row = X[n, start:stop], block[n]
        for j in range(row.shape[0]):
            row[j] = (x[j] - center[j]) * factor[j]
    block[X.shape[0] :] = 0


@kernel
def pack_some(X, index, center, factor, block):
    """``block[n, j] = (X[n, index[j]] - center[j]) * factor[j]``; rows beyond those of X are 0."""
    for n in range(X.shape[0]):
        x, row = X[n], block[n]
        for j in range(row.shape[0]):
            row[j] = (x[index[j]] - center[j]) * factor[j]
    block[X.shape[0] :] = 0


@inlined
def term(one, a, b, gap, cap):
    """`unlike`, for numbers times `one`, which is 1 in the precision of the block.

    Times one, a difference joins its sum in a multiply-add. Additions take the same units as the
    differences, which would have all of the work: the same bits in four fifths of the time. With
    a cap there are too few registers, and it would take 1.3 times as long.
    """
    if gap is None:
        return one * unlike(a, b, gap, cap)
    return unlike(a, b, gap, cap)


@inlined
def add_four(out, i, a, b, c, d):
    """Add sums that were kept in registers to the four numbers from place i on."""
    out[i] += a
    out[i + 1] += b
    out[i + 2] += c
    out[i + 3] += d


@kernel
def add_pair_distances(block, gap, cap, start, stop, one, D):
    """``D[n, i] += sum_j |block[n, j] - block[i, j]|`` for start <= n < stop and i >= n.

    Two rows against four at a time: eight running sums stay in registers, and six loads serve
    eight differences. The rows i are taken in groups that stay in the cache while every n meets
    them. Entries left of the diagonal inside a 4 x 4 tile are filled as well. `one` as in `term`.
    """
    n_rows, n_features = block.shape
    for first in range(start // 4 * 4, n_rows, ROW_GROUP):
        last = min(first + ROW_GROUP, n_rows)
        for n in range(start, min(stop, last), 2):
            p, q = block[n], block[n + 1]
            for i in range(max(n // 4 * 4, first), last, 4):
                a, b, c, d = block[i], block[i + 1], block[i + 2], block[i + 3]
                pa = pb = pc = pd = qa = qb = qc = qd = block.dtype.type(0)
                for j in range(n_features):
                    x, y, g, most = p[j], q[j], at(gap, j), at(cap, j)
                    pa += term(one, x, a[j], g, most)
                    qa += term(one, y, a[j], g, most)
                    pb += term(one, x, b[j], g, most)
                    qb += term(one, y, b[j], g, most)
                    pc += term(one, x, c[j], g, most)
                    qc += term(one, y, c[j], g, most)
                    pd += term(one, x, d[j], g, most)
                    qd += term(one, y, d[j], g, most)
                add_four(D[n], i, pa, pb, pc, pd)
                add_four(D[n + 1], i, qa, qb, qc, qd)


@kernel
def mirror_upper(D):
    """``D[i, n] = D[n, i]`` for i > n, and a zero diagonal; in squares that stay in the cache."""
    size = D.shape[0]
    for first in range(0, size, MIRRORED):
        last = min(first + MIRRORED, size)
        for left in range(0, last, MIRRORED):
            for n in range(first, last):
                for i in range(left, min(left + MIRRORED, n)):
                    D[n, i] = D[i, n]
        for n in range(first, last):
            D[n, n] = 0


@kernel
def cross_distances(A, B, gap, cap, D):
    """``D[n, i] = sum_j |A[n, j] - B[i, j]|``, pair by pair: for predictions and figures."""
    for n in range(A.shape[0]):
        for i in range(B.shape[0]):
            total = 0.0
            for j in range(A.shape[1]):
                total += unlike(A[n, j], B[i, j], at(gap, j), at(cap, j))
            D[n, i] = total
