"""Neighbors of samples of which pairs are hits and misses by shares, row by row.

``hit[k, i]`` and ``miss[k, i]`` are how much of a hit and of a miss sample i is to sample k; both
are 0 for what is no neighbor.
"""

import math

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.hard_neighbors import insert_nearest
from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.kernel_constants import CLOSE_EXPONENT, LARGEST_EXPONENT
from hitmiss.kernels.neighbors import exp_negative


@row_kernel
def nearest_share(d, share):
    """The smallest distance of a positive share, infinite if there is none."""
    near = math.inf
    for i in range(d.shape[0]):
        near = min(near, d[i] if share[i] > 0 else math.inf)
    return near


@row_kernel
def pair_row(d, hit, miss, sigma, q):
    """``q[i]`` = P(i is the nearest miss) - P(i is the nearest hit) of one sample.

    The first is proportional to ``miss[i] exp(-d[i] / sigma)``, the second to
    ``hit[i] exp(-d[i] / sigma)``. The nearest distance is subtracted first. Without a hit or
    without a miss the row is zero.

    Returns the share of the hits in all of these, -1 if there is no hit or no miss.
    """
    near_hit, near_miss = nearest_share(d, hit), nearest_share(d, miss)
    if math.isinf(near_hit) or math.isinf(near_miss):
        q[:] = 0
        return -1.0
    hits = misses = 0.0
    if difference(near_hit, near_miss) <= CLOSE_EXPONENT * sigma:  # one exponential serves for both
        near = min(near_hit, near_miss)
        for i in range(d.shape[0]):
            q[i] = exp_negative(min((near - d[i]) / sigma, 0.0))
        for i in range(d.shape[0]):
            hits += hit[i] * q[i]
            misses += miss[i] * q[i]
        for i in range(d.shape[0]):
            q[i] *= miss[i] / misses - hit[i] / hits
        return hits / (hits + misses)
    for i in range(d.shape[0]):
        hits += hit[i] * exp_negative(min((near_hit - d[i]) / sigma, 0.0))
        misses += miss[i] * exp_negative(min((near_miss - d[i]) / sigma, 0.0))
    for i in range(d.shape[0]):
        q[i] = miss[i] / misses * exp_negative(min((near_miss - d[i]) / sigma, 0.0))
        q[i] -= hit[i] / hits * exp_negative(min((near_hit - d[i]) / sigma, 0.0))
    return 1 / (1 + misses / hits * math.exp(min((near_hit - near_miss) / sigma, LARGEST_EXPONENT)))


@kernel
def pair_probabilities(D, hit, miss, sigma, negligible, Q, trust):
    """``Q[k, i]`` = P(i is the nearest miss of k) - P(i is its nearest hit).

    Probabilities up to `negligible` are set to zero. ``trust[k]`` is the share of the hits.
    """
    for k in range(D.shape[0]):
        q = Q[k]
        trust[k] = pair_row(D[k], hit[k], miss[k], sigma, q)
        for i in range(q.shape[0]):
            q[i] = q[i] if abs(q[i]) > negligible else 0.0


@kernel
def share_probabilities(D, share, sigma, P):
    """``P[k, i]`` proportional to ``share[k, i] exp(-D[k, i] / sigma)``; each row sums to one.

    A row without a share is zero.
    """
    for k in range(D.shape[0]):
        d, p, total = D[k], P[k], 0.0
        near = nearest_share(d, share[k])
        if math.isinf(near):
            p[:] = 0
            continue
        for i in range(d.shape[0]):
            p[i] = share[k, i] * exp_negative(min((near - d[i]) / sigma, 0.0))
            total += p[i]
        for i in range(d.shape[0]):
            p[i] /= total


@kernel
def class_pair_probabilities(D, hit, miss, y, n_classes, sigma, Q):
    """As `pair_probabilities`, with the misses of each class of y apart.

    Those of class c sum to its part in all shares of misses. A row without a hit is zero.
    """
    near, total, part = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for k in range(D.shape[0]):
        d, q = D[k], Q[k]
        near_hit, hits, misses = nearest_share(d, hit[k]), 0.0, 0.0
        near[:] = math.inf
        total[:] = part[:] = 0
        for i in range(d.shape[0]):
            if miss[k, i] > 0:
                near[y[i]] = min(near[y[i]], d[i])
                part[y[i]] += miss[k, i]
                misses += miss[k, i]
        q[:] = 0
        if math.isinf(near_hit) or misses == 0:
            continue
        for i in range(d.shape[0]):
            hits += hit[k, i] * exp_negative(min((near_hit - d[i]) / sigma, 0.0))
            if miss[k, i] > 0:
                total[y[i]] += miss[k, i] * exp_negative((near[y[i]] - d[i]) / sigma)
        for i in range(d.shape[0]):
            q[i] = -hit[k, i] / hits * exp_negative(min((near_hit - d[i]) / sigma, 0.0))
            if miss[k, i] > 0:
                c = y[i]
                p = miss[k, i] / total[c] * exp_negative((near[c] - d[i]) / sigma)
                q[i] += part[c] / misses * p


@kernel
def nearest_pairs(D, hit, miss, y, n_classes, k, nearer, Q):
    """``Q[n, i]`` for the k nearest hits and the k nearest misses of each class of y, else 0.

    The hits sum to -1 by their shares, the misses of class c to its part in all shares of misses.
    A row without a hit or without a miss is zero.
    """
    near, index = np.empty((n_classes + 1, k)), np.empty((n_classes + 1, k), np.intp)
    found, part = np.empty(n_classes + 1, np.intp), np.empty(n_classes)
    for n in range(D.shape[0]):
        found[:] = 0
        part[:] = 0
        for i in range(D.shape[1]):
            if hit[n, i] > 0:
                found[-1] = insert_nearest(D[n, i], i, near[-1], index[-1], found[-1], nearer)
            if miss[n, i] > 0:
                c = y[i]
                part[c] += miss[n, i]
                found[c] = insert_nearest(D[n, i], i, near[c], index[c], found[c], nearer)
        Q[n] = 0
        misses = part.sum()
        if found[-1] == 0 or misses == 0:
            continue
        add_shares(index[-1, : found[-1]], hit[n], -1.0, Q[n])
        for c in range(n_classes):
            add_shares(index[c, : found[c]], miss[n], part[c] / misses, Q[n])


@row_kernel
def add_shares(index, share, weight, q):
    """Add `weight`, divided among the samples at `index` by their shares, to q."""
    total = 0.0
    for i in index:
        total += share[i]
    for i in index:
        q[i] += weight * (share[i] / total)


@kernel
def pairs_within_band(D, hit, miss, y, n_classes, lower, upper, Q):
    """``Q[n, i]`` for the neighbors with ``lower[n] < D[n, i] < upper[n]``, else 0.

    The hits there sum to -1 by their shares; the misses of class c to its part in the shares of
    all misses of the classes that have misses there. A row may hold only hits or only misses.
    """
    total, part = np.empty(n_classes), np.empty(n_classes)
    for n in range(D.shape[0]):
        d, q, hits, present = D[n], Q[n], 0.0, 0.0
        total[:] = 0
        part[:] = 0
        for i in range(d.shape[0]):
            inside = (lower[n] < d[i]) & (d[i] < upper[n])
            hits += hit[n, i] if inside else 0.0
            total[y[i]] += miss[n, i] if inside else 0.0
            part[y[i]] += miss[n, i]
        for c in range(n_classes):
            present += part[c] if total[c] > 0 else 0.0
        for i in range(d.shape[0]):
            q[i] = 0
            if (lower[n] < d[i]) & (d[i] < upper[n]):
                if miss[n, i] > 0:
                    q[i] += part[y[i]] / present * (miss[n, i] / total[y[i]])
                if hit[n, i] > 0:
                    q[i] -= hit[n, i] / hits
