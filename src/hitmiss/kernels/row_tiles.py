"""Distances, probabilities and margins of a few samples against all references.

References stand in columns, one row per feature, so that sums over them vectorize however few
the features are.
"""

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import REFERENCES_PER_CHUNK
from hitmiss.kernels.neighbors import signed_row


@kernel
def tile_distances(A, R, D):
    """``D[k, i] = sum_j |A[k, j] - R[j, i]|``, four features at a time."""
    n_features, n_references = R.shape
    whole = n_features // 4 * 4
    D[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for k in range(A.shape[0]):
            d = D[k, first:last]
            for j in range(0, whole, 4):
                x, y, u, v = A[k, j], A[k, j + 1], A[k, j + 2], A[k, j + 3]
                a, b = R[j, first:last], R[j + 1, first:last]
                c, e = R[j + 2, first:last], R[j + 3, first:last]
                for i in range(last - first):
                    d[i] += (difference(x, a[i]) + difference(y, b[i])) + (
                        difference(u, c[i]) + difference(v, e[i])
                    )
            for j in range(whole, n_features):
                x, a = A[k, j], R[j, first:last]
                for i in range(last - first):
                    d[i] += difference(x, a[i])


@kernel
def tile_probabilities(D, labels, own, y, sigma, negligible, Q):
    """``Q[k, i]`` = +P(i is the nearest miss of k) or -P(i is its nearest hit).

    Sample k has the label ``labels[k]`` and the place ``own[k]`` among the references, -1 for
    none. Probabilities up to `negligible` are set to zero.
    """
    for k in range(D.shape[0]):
        q = Q[k]
        signed_row(D[k], y, labels[k], own[k], sigma, q)
        for i in range(q.shape[0]):
            q[i] = q[i] if abs(q[i]) > negligible else 0.0


@kernel
def tile_margins(A, R, Q, Z):
    """``Z[k, j] = sum_i Q[k, i] |A[k, j] - R[j, i]|``, four samples at a time.

    The number of samples is a multiple of four.
    """
    n_features, n_references = R.shape
    Z[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for j in range(n_features):
            r = R[j, first:last]
            for k in range(0, A.shape[0], 4):
                p, q = Q[k, first:last], Q[k + 1, first:last]
                s, t = Q[k + 2, first:last], Q[k + 3, first:last]
                x, y, u, v = A[k, j], A[k + 1, j], A[k + 2, j], A[k + 3, j]
                zx = zy = zu = zv = R.dtype.type(0)
                for i in range(last - first):
                    zx += p[i] * difference(x, r[i])
                    zy += q[i] * difference(y, r[i])
                    zu += s[i] * difference(u, r[i])
                    zv += t[i] * difference(v, r[i])
                Z[k, j] += zx
                Z[k + 1, j] += zy
                Z[k + 2, j] += zu
                Z[k + 3, j] += zv
