"""Second moments of the differences of few features, of a few samples against all references."""

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.kernel_constants import REFERENCES_PER_CHUNK


@kernel
def tile_moments(A, R, Q, miss, hit, second):
    """Moments of the differences ``d = |A[k] - R[:, i]|`` of every sample k.

    ``miss[k] = sum_i max(Q_ki, 0) d``, ``hit[k] = sum_i max(-Q_ki, 0) d`` and the symmetric
    ``second[k] = sum_i Q_ki d d'``, as `hitmiss.kernels.margins.difference_moments`, with the
    references in columns.
    """
    n_features, n_references = R.shape
    qd, d = np.empty(REFERENCES_PER_CHUNK), np.empty((n_features, REFERENCES_PER_CHUNK))
    miss[:] = 0
    hit[:] = 0
    second[:] = 0
    for k in range(A.shape[0]):
        for first in range(0, n_references, REFERENCES_PER_CHUNK):
            q = Q[k, first : min(first + REFERENCES_PER_CHUNK, n_references)]
            for j in range(n_features):
                x, r, e = A[k, j], R[j, first : first + q.shape[0]], d[j]
                total = absolute = 0.0
                for i in range(q.shape[0]):
                    e[i] = difference(x, r[i])
                    qd[i] = q[i] * e[i]
                    total += qd[i]
                    absolute += abs(qd[i])
                miss[k, j] += (absolute + total) / 2
                hit[k, j] += (absolute - total) / 2
                for m in range(j + 1):
                    f, total = d[m], 0.0
                    for i in range(q.shape[0]):
                        total += qd[i] * f[i]
                    second[k, j, m] += total
        for j in range(n_features):
            for m in range(j):
                second[k, m, j] = second[k, j, m]
