"""Twins of the kernels of a few samples against others, for missing and nominal values.

As in `unlike_blocks`, a missing value is at ``gap[j]`` from everything, and no difference of a
nominal feature is larger than ``cap[j]``.
"""

from hitmiss.kernels.difference import unlike
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import REFERENCES_PER_CHUNK


@kernel
def unlike_cross_distances(A, B, gap, cap, D):
    """`cross_distances` of missing and nominal values."""
    for n in range(A.shape[0]):
        for i in range(B.shape[0]):
            total = 0.0
            for j in range(A.shape[1]):
                total += unlike(A[n, j], B[i, j], gap[j], cap, j)
            D[n, i] = total


@kernel
def unlike_tile_distances(A, R, gap, cap, D):
    """`tile_distances` of missing and nominal values, two features at a time."""
    n_features, n_references = R.shape
    whole = n_features // 2 * 2
    D[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for k in range(A.shape[0]):
            d = D[k, first:last]
            for j in range(0, whole, 2):
                x, y, g, h = A[k, j], A[k, j + 1], gap[j], gap[j + 1]
                a, b = R[j, first:last], R[j + 1, first:last]
                for i in range(last - first):
                    d[i] += unlike(x, a[i], g, cap, j) + unlike(y, b[i], h, cap, j + 1)
            for j in range(whole, n_features):
                x, a, g = A[k, j], R[j, first:last], gap[j]
                for i in range(last - first):
                    d[i] += unlike(x, a[i], g, cap, j)


@kernel
def unlike_tile_margins(A, R, gap, cap, Q, balance, Z):
    """`tile_margins` of missing and nominal values, with the balance of `unlike_margins`."""
    n_features, n_references = R.shape
    Z[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for j in range(n_features):
            r, g = R[j, first:last], gap[j]
            for k in range(0, A.shape[0], 4):
                p, q = Q[k, first:last], Q[k + 1, first:last]
                s, t = Q[k + 2, first:last], Q[k + 3, first:last]
                x, y, u, v = A[k, j], A[k + 1, j], A[k + 2, j], A[k + 3, j]
                zx = zy = zu = zv = R.dtype.type(0)
                for i in range(last - first):
                    zx += p[i] * unlike(x, r[i], g, cap, j)
                    zy += q[i] * unlike(y, r[i], g, cap, j)
                    zu += s[i] * unlike(u, r[i], g, cap, j)
                    zv += t[i] * unlike(v, r[i], g, cap, j)
                Z[k, j] += zx
                Z[k + 1, j] += zy
                Z[k + 2, j] += zu
                Z[k + 3, j] += zv
    for k in range(A.shape[0]):
        for j in range(n_features):
            Z[k, j] = Z[k, j] if A[k, j] == A[k, j] else balance[k] * gap[j]


@kernel
def unlike_row_squares(X, x, w, gap, cap, d):
    """``d[i] = sum_j (w_j |x_j - X_ij|)²`` with missing and nominal values."""
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(X.shape[1]):
            part = w[j] * unlike(x[j], X[i, j], gap[j], cap, j)
            total += part * part
        d[i] = total
