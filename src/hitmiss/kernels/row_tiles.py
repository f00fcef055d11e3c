"""Distances, probabilities and margins of a few samples against all references.

References stand in columns, one row per feature, so that sums over them vectorize however few the
features are. `gap` and `cap` are those of `hitmiss.kernels.difference`.
"""

import math

import numpy as np

from hitmiss.kernels.difference import at, difference, unlike
from hitmiss.kernels.distances import add_four
from hitmiss.kernels.exponential import quick_exp
from hitmiss.kernels.jit import kernel, row_kernel

# References that are met at once. What the innermost loop reads and writes of them, five rows of
# numbers, stays in the first-level cache (20 KB in single precision). In single precision several
# shapes measure 19 to 23 billion differences a second, with 256 references 16 to 25, with 4,096
# references 17 to 21; in double precision 512 are up to a tenth quicker.
REFERENCES_PER_CHUNK = 1024

# Numbers that are compared side by side to find the smallest. In single precision 128 take 0.16 ns
# per distance for hits and misses, 512 as much, one after the other 0.7.
N_LANES = 128

FAR = 1e38  # larger than any distance, in either precision


@kernel
def tile_distances(A, R, gap, cap, D):
    """``D[k, i] = sum_j |A[k, j] - R[j, i]|``, four features at a time.

    So a distance is read and written once for four differences. Missing and nominal values come by
    twos: four at a time need too many registers.
    """
    n_features, n_references = R.shape
    whole = n_features // 4 * 4 if gap is None else n_features // 2 * 2
    D[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for k in range(A.shape[0]):
            d = D[k, first:last]
            if gap is None:
                for j in range(0, whole, 4):
                    x, y, u, v = A[k, j], A[k, j + 1], A[k, j + 2], A[k, j + 3]
                    a, b = R[j, first:last], R[j + 1, first:last]
                    c, e = R[j + 2, first:last], R[j + 3, first:last]
                    for i in range(last - first):
                        d[i] += (difference(x, a[i]) + difference(y, b[i])) + (
                            difference(u, c[i]) + difference(v, e[i])
                        )
            else:
                for j in range(0, whole, 2):
                    x, y, a, b = A[k, j], A[k, j + 1], R[j, first:last], R[j + 1, first:last]
                    g, h, s, t = gap[j], gap[j + 1], at(cap, j), at(cap, j + 1)
                    for i in range(last - first):
                        d[i] += unlike(x, a[i], g, s) + unlike(y, b[i], h, t)
            for j in range(whole, n_features):
                x, a, g, m = A[k, j], R[j, first:last], at(gap, j), at(cap, j)
                for i in range(last - first):
                    d[i] += unlike(x, a[i], g, m)


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

    As `hitmiss.kernels.neighbors.signed_row`, in a quarter of its time: by `quick_exp`, and with
    hits as the numbers 1 and 0, so that every pass over the row vectorizes.
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


@row_kernel
def soft_distance(d, sigma, lanes):
    """``sum_i p_i d_i`` with p proportional to ``exp(-d / sigma)``; infinite without a distance.

    The nearest is found lane by lane, as in `nearest_of_each`, so that it vectorizes.
    """
    if d.shape[0] == 0:
        return math.inf
    lanes[:] = FAR
    for first in range(0, d.shape[0], lanes.shape[0]):
        e = d[first : min(first + lanes.shape[0], d.shape[0])]
        for i in range(e.shape[0]):
            lanes[i] = e[i] if e[i] < lanes[i] else lanes[i]
    near, per_sigma = lanes.min(), 1 / sigma
    total = distance = 0.0
    for i in range(d.shape[0]):
        p = quick_exp((near - d[i]) * per_sigma)
        total += p
        distance += p * d[i]
    return distance / total


@kernel
def tile_class_distances(D, order, edges, own, sigma, E):
    """``E[k, c]`` = expected distance of sample k to its soft neighbor of class c.

    `order` are the references class by class, those of class c from ``edges[c]`` to
    ``edges[c + 1]``. Sample k is no neighbor of itself; it is at the place ``own[k]`` of that
    order, -1 for none. Distances are gathered class by class, so that the sums over a class run
    over neighbors in memory.
    """
    d, lanes = np.empty(order.shape[0]), np.empty(N_LANES)
    for k in range(D.shape[0]):
        for i in range(order.shape[0]):
            d[i] = D[k, order[i]]
        for c in range(edges.shape[0] - 1):
            first, last = edges[c], edges[c + 1]
            if first <= own[k] < last:  # the last one takes its place
                last -= 1
                d[own[k]] = d[last]
            E[k, c] = soft_distance(d[first:last], sigma, lanes)


@kernel
def tile_margins(A, R, gap, cap, places, Q, balance, Z):
    """``Z[k, j] = sum_i Q[k, i] |A[k, j] - R[j, i]|``, four samples at a time.

    The references i are those from ``places[m, 0]`` to ``places[m, 1]`` for every m, and columns of
    Q are these side by side. The number of samples is a multiple of four, so that a reference is
    read once for four sums that stay in registers. The balance is that of `margin_vectors`.
    """
    n_passed = 0
    Z[:] = 0
    for m in range(places.shape[0]):
        for first in range(places[m, 0], places[m, 1], REFERENCES_PER_CHUNK):
            last = min(first + REFERENCES_PER_CHUNK, places[m, 1])
            column = slice(n_passed, n_passed + last - first)
            for j in range(R.shape[0]):
                r, g, most = R[j, first:last], at(gap, j), at(cap, j)
                for k in range(0, A.shape[0], 4):
                    p, q, s, t = Q[k, column], Q[k + 1, column], Q[k + 2, column], Q[k + 3, column]
                    x, y, u, v = A[k, j], A[k + 1, j], A[k + 2, j], A[k + 3, j]
                    zx = zy = zu = zv = R.dtype.type(0)
                    for i in range(last - first):
                        zx += p[i] * unlike(x, r[i], g, most)
                        zy += q[i] * unlike(y, r[i], g, most)
                        zu += s[i] * unlike(u, r[i], g, most)
                        zv += t[i] * unlike(v, r[i], g, most)
                    add_four(Z[:, j], k, zx, zy, zu, zv)
            n_passed += last - first
    if gap is not None:
        for k in range(A.shape[0]):
            for j in range(R.shape[0]):
                Z[k, j] = Z[k, j] if A[k, j] == A[k, j] else balance[k] * gap[j]
