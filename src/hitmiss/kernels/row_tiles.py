"""Distances, probabilities and margins of a few samples against all references.

References stand in columns, one row per feature, so that sums over them vectorize however few
the features are.
"""

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.exponential import quick_exp
from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.kernel_constants import FAR, N_LANES, REFERENCES_PER_CHUNK


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


@row_kernel
def nearest_of_each(d, hit, hit_lanes, miss_lanes):
    """The smallest d of the hits and of the misses, FAR without any; ``hit[i]`` is 1 or 0.

    A smallest number in every lane, and the smallest of these: one after the other they would not
    vectorize.
    """
    far, one, n_lanes = d.dtype.type(FAR), d.dtype.type(1), hit_lanes.shape[0]
    hit_lanes[:] = far
    miss_lanes[:] = far
    for first in range(0, d.shape[0], n_lanes):
        last = min(first + n_lanes, d.shape[0])
        e, h = d[first:last], hit[first:last]
        for i in range(last - first):
            as_hit, as_miss = e[i] + far * (one - h[i]), e[i] + far * h[i]
            hit_lanes[i] = as_hit if as_hit < hit_lanes[i] else hit_lanes[i]
            miss_lanes[i] = as_miss if as_miss < miss_lanes[i] else miss_lanes[i]
    near_hit = near_miss = far
    for i in range(n_lanes):
        near_hit, near_miss = min(near_hit, hit_lanes[i]), min(near_miss, miss_lanes[i])
    return near_hit, near_miss


@row_kernel
def quick_row(d, hit, near_hit, near_miss, own, per_sigma, negligible, q):
    """``q[i]`` = +P(i is the nearest miss) or -P(i is the nearest hit) of one sample.

    As `hitmiss.kernels.neighbors.signed_row`, in a quarter of its time.
    """
    one, zero, least = d.dtype.type(1), d.dtype.type(0), d.dtype.type(negligible)
    for i in range(d.shape[0]):
        near = near_hit if hit[i] > 0 else near_miss
        q[i] = quick_exp(min((near - d[i]) * per_sigma, 0.0))
    if own >= 0:
        q[own] = 0
    hits = misses = 0.0
    for i in range(d.shape[0]):
        hits += q[i] * hit[i]
        misses += q[i] * (one - hit[i])
    per_hit, per_miss = d.dtype.type(-1 / hits), d.dtype.type(1 / misses)
    for i in range(d.shape[0]):
        p = q[i] * (per_hit if hit[i] > 0 else per_miss)
        q[i] = p if abs(p) > least else zero


@kernel
def tile_probabilities(D, labels, own, y, sigma, negligible, Q):
    """``Q[k, i]`` = +P(i is the nearest miss of k) or -P(i is its nearest hit).

    Sample k has the label ``labels[k]`` and the place ``own[k]`` among the references, -1 for
    none. Probabilities up to `negligible` are set to zero; a row without a hit or a miss is zero.
    """
    hit, far = np.empty(D.shape[1], D.dtype), D.dtype.type(FAR)
    hit_lanes, miss_lanes = np.empty(N_LANES, D.dtype), np.empty(N_LANES, D.dtype)
    for k in range(D.shape[0]):
        d, itself = D[k], own[k]
        if k == 0 or labels[k] != labels[k - 1]:
            for i in range(D.shape[1]):
                hit[i] = 1 if y[i] == labels[k] else 0
        if itself >= 0:
            distance, d[itself] = d[itself], far
        near_hit, near_miss = nearest_of_each(d, hit, hit_lanes, miss_lanes)
        if itself >= 0:
            d[itself] = distance
        if near_hit >= far or near_miss >= far:
            Q[k] = 0
        else:
            quick_row(d, hit, near_hit, near_miss, itself, 1 / sigma, negligible, Q[k])


@kernel
def tile_margins(A, R, places, Q, Z):
    """``Z[k, j] = sum_i Q[k, i] |A[k, j] - R[j, i]|``, four samples at a time.

    The references i are those from ``places[m, 0]`` to ``places[m, 1]`` for every m, and columns of
    Q are these side by side. The number of samples is a multiple of four.
    """
    n_passed = 0
    Z[:] = 0
    for m in range(places.shape[0]):
        for first in range(places[m, 0], places[m, 1], REFERENCES_PER_CHUNK):
            last = min(first + REFERENCES_PER_CHUNK, places[m, 1])
            column = slice(n_passed, n_passed + last - first)
            for j in range(R.shape[0]):
                r = R[j, first:last]
                for k in range(0, A.shape[0], 4):
                    p, q, s, t = Q[k, column], Q[k + 1, column], Q[k + 2, column], Q[k + 3, column]
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
            n_passed += last - first
