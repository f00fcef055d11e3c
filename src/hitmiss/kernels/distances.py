"""Manhattan distances between all pairs of rows of one packed block of features.

A packed block is C-contiguous with a number of rows divisible by four; rows added to get there
are zero. Weights are folded into the block, so the kernels only subtract and sum.
"""

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import MIRRORED, ROW_GROUP


@kernel
def add_pair_distances(block, start, stop, one, D):
    """``D[n, i] += sum_j |block[n, j] - block[i, j]|`` for start <= n < stop and i >= n.

    `one` is 1 in the precision of the block. Times it, a difference joins its sum in a
    multiply-add: additions take the same units as the differences, which would have all of the
    work. The bits are the same, and it takes four fifths of the time.

    Two rows against four at a time: eight running sums stay in registers, and six loads serve
    eight differences. The rows i are taken in groups that stay in the cache while every n meets
    them. Entries left of the diagonal inside a 4 x 4 tile are filled as well.
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
                    x, y = p[j], q[j]
                    pa += one * difference(x, a[j])
                    qa += one * difference(y, a[j])
                    pb += one * difference(x, b[j])
                    qb += one * difference(y, b[j])
                    pc += one * difference(x, c[j])
                    qc += one * difference(y, c[j])
                    pd += one * difference(x, d[j])
                    qd += one * difference(y, d[j])
                D[n, i] += pa
                D[n, i + 1] += pb
                D[n, i + 2] += pc
                D[n, i + 3] += pd
                D[n + 1, i] += qa
                D[n + 1, i + 1] += qb
                D[n + 1, i + 2] += qc
                D[n + 1, i + 3] += qd


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
def cross_distances(A, B, D):
    """``D[n, i] = sum_j |A[n, j] - B[i, j]|``."""
    for n in range(A.shape[0]):
        for i in range(B.shape[0]):
            total = 0.0
            for j in range(A.shape[1]):
                total += difference(A[n, j], B[i, j])
            D[n, i] = total
