"""Approximate evaluations, for iterations that have not converged: as exact, but not to the bit.

Distances, soft neighbors and margins of a few samples against all references, in less time than
`hitmiss.kernels.row_tiles` and `hitmiss.kernels.neighbors` take. Margins are found of four samples
and two features at a time, distances the other way round, so that what is read is used eight times.
"""

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.distances import MIRRORED, add_four
from hitmiss.kernels.exponential import rough_exp, single_exp
from hitmiss.kernels.jit import kernel
from hitmiss.kernels.row_tiles import FAR, N_LANES, REFERENCES_PER_CHUNK, nearest_of_each
from hitmiss.kernels.sums import eight_sums


@kernel
def rough_probabilities(D, labels, own, y, sigma, Q):
    """``Q[k, i]`` = +P(i is the nearest miss of k) or -P(i is its nearest hit).

    Sample k has the label ``labels[k]`` and is itself at ``own[k]``. Without a hit or without a
    miss its row is zero. Not merged with `tile_probabilities`, whose exponential and order of
    summation give other last bits.
    """
    per_sigma = 1 / sigma
    for k in range(D.shape[0]):
        d, q, label, itself = D[k], Q[k], labels[k], own[k]
        far, mine = d.dtype.type(FAR), d[itself]
        near_hit = near_miss = d[itself] = far
        for i in range(d.shape[0]):
            hit = y[i] == label
            near_miss = min(near_miss, far if hit else d[i])
            near_hit = min(near_hit, d[i] if hit else far)
        d[itself] = mine
        if near_hit == far or near_miss == far:
            q[:] = 0
            continue
        for i in range(d.shape[0]):
            near = near_hit if y[i] == label else near_miss
            q[i] = rough_exp(min((near - d[i]) * per_sigma, 0.0))
        q[itself] = 0
        hits = misses = 0.0
        for i in range(d.shape[0]):
            hit = y[i] == label
            hits += q[i] if hit else 0.0
            misses += 0.0 if hit else q[i]
        per_hit, per_miss = d.dtype.type(-1 / hits), d.dtype.type(1 / misses)
        for i in range(d.shape[0]):
            q[i] *= per_hit if y[i] == label else per_miss


@kernel
def single_probabilities(D, labels, own, y, sigma, Q):
    """`rough_probabilities` in single precision, in a quarter of the time; it changes D.

    Not merged with `tile_probabilities`: sums are in single precision too, which is another last
    bit, and with a function for each row it took up to 7 % longer.
    """
    per_sigma, one, zero = np.float32(1 / sigma), np.float32(1), np.float32(0)
    hit, lanes = np.empty(D.shape[1], D.dtype), np.empty((2, N_LANES), D.dtype)
    for k in range(D.shape[0]):
        d, q = D[k], Q[k]
        if k == 0 or labels[k] != labels[k - 1]:
            for i in range(d.shape[0]):
                hit[i] = one if y[i] == labels[k] else zero
        d[own[k]] = FAR
        near_hit, near_miss = nearest_of_each(d, hit, lanes[0], lanes[1])
        if near_hit >= np.float32(FAR) or near_miss >= np.float32(FAR):
            q[:] = 0
            continue
        for i in range(d.shape[0]):
            near = near_miss + hit[i] * (near_hit - near_miss)
            q[i] = single_exp(min((near - d[i]) * per_sigma, zero))
        q[own[k]] = 0
        hits = misses = zero
        for i in range(d.shape[0]):
            hits += q[i] * hit[i]
            misses += q[i] * (one - hit[i])
        per_hit, per_miss = -one / hits, one / misses
        for i in range(d.shape[0]):
            q[i] *= per_miss + hit[i] * (per_hit - per_miss)


@kernel
def rough_distances(A, R, start, one, D):
    """``D[k, i] = sum_j |A[k, j] - R[j, i]|`` for i >= start; `one` as in `add_pair_distances`.

    Four features of two samples at a time, so that a reference is read once for two differences
    and a distance read and written once for four; a chunk of references stays in the cache.
    """
    n_features, n_references = R.shape
    D[:, start:] = 0
    for first in range(start, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for k in range(0, A.shape[0], 2):
            d, e = D[k, first:last], D[k + 1, first:last]
            for j in range(0, n_features, 4):
                a, b = R[j, first:last], R[j + 1, first:last]
                f, g = R[j + 2, first:last], R[j + 3, first:last]
                x, y, u, v = A[k, j], A[k, j + 1], A[k, j + 2], A[k, j + 3]
                p, q, s, t = A[k + 1, j], A[k + 1, j + 1], A[k + 1, j + 2], A[k + 1, j + 3]
                for i in range(last - first):
                    d[i] += (one * difference(x, a[i]) + one * difference(y, b[i])) + (
                        one * difference(u, f[i]) + one * difference(v, g[i])
                    )
                    e[i] += (one * difference(p, a[i]) + one * difference(q, b[i])) + (
                        one * difference(s, f[i]) + one * difference(t, g[i])
                    )


@kernel
def mirror_rows(D, start, stop):
    """``D[i, n] = D[n, i]`` for start <= n < stop and i >= stop, in squares as `mirror_upper`."""
    for first in range(stop, D.shape[1], MIRRORED):
        last = min(first + MIRRORED, D.shape[1])
        for i in range(first, last):
            for n in range(start, stop):
                D[i, n] = D[n, i]


@kernel
def rough_margins(A, R, Q, Z):
    """``Z[k, j] = sum_i Q[k, i] |A[k, j] - R[j, i]|`` of an even number of features.

    Four samples and two features at a time, by `eight_sums`; the number of samples is a multiple
    of four. A chunk of references stays in the cache.
    """
    n_features, n_references = R.shape
    Z[:] = 0
    for first in range(0, n_references, REFERENCES_PER_CHUNK):
        last = min(first + REFERENCES_PER_CHUNK, n_references)
        for k in range(0, A.shape[0], 4):
            p, q = Q[k, first:last], Q[k + 1, first:last]
            s, t = Q[k + 2, first:last], Q[k + 3, first:last]
            for j in range(0, n_features, 2):
                a, b = R[j, first:last], R[j + 1, first:last]
                x, y = A[k : k + 4, j], A[k : k + 4, j + 1]
                pa, qa, sa, ta, pb, qb, sb, tb = eight_sums(p, q, s, t, a, b, x, y)
                add_four(Z[:, j], k, pa, qa, sa, ta)
                add_four(Z[:, j + 1], k, pb, qb, sb, tb)
