"""Sums of |x_n - x_i| over a list of weighted pairs of samples, one packed block at a time.

Row n of the list holds the partners i > n of sample n and their weights, padded to a multiple
of four by pairs of weight zero: where few samples are neighbors, this skips all the others.
"""

from math import frexp

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import kernel


@kernel
def sizes_of_weights(S, total, count):
    """Sum and number of the ``|S_ni|``, i > n, from ``2^(k - 1)`` to ``2^k``, at place k + 1024."""
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
def pair_sums(block, first, partner, weight, row_sum, total):
    """``total[j] += sum_pairs weight |block[n, j] - block[partner, j]|``.

    The sum over the partners of a row is kept in the block's own precision (``row_sum``), the
    sum over rows in double precision (``total``).
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
                x = p[j]
                row_sum[j] += (pa * difference(x, a[j]) + pb * difference(x, b[j])) + (
                    pc * difference(x, c[j]) + pd * difference(x, d[j])
                )
        for j in range(n_features):
            total[j] += row_sum[j]
