"""Neighbors of samples, from distances and likeness: signed weights, row by row.

Soft neighbors by probabilities ``exp(-d / sigma)``, hard ones counted or not; hits and misses by
labels, or, in the kernels of pairs, by shares: ``hit[k, i]`` and ``miss[k, i]`` are how much of a
hit and of a miss sample i is to sample k, both 0 for what is no neighbor. A row is worked on in
passes of one simple expression each, which vectorize.
"""

import math

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.exponential import exp_negative
from hitmiss.kernels.jit import kernel, row_kernel

# Largest exponent of the odds of an outlier: exp overflows above 709, and one in exp(700) is zero.
LARGEST_EXPONENT = 700.0


@row_kernel
def signed_row(d, y, label, own, sigma, q):
    """``q[i]`` = +P(i is the nearest miss) or -P(i is the nearest hit) of one sample.

    P is proportional to exp(-d[i] / sigma) within the hits and within the misses. The nearest
    distance is subtracted first, so that the largest exponential is 1. Without a hit or without
    a miss the row is zero. The sample itself, at the place `own` if it is not negative, is no
    neighbor.

    Returns the probability that the sample is no outlier (I-RELIEF eq. 10), -1 if it has no hit
    or no miss.
    """
    near_hit = near_miss = math.inf
    for i in range(d.shape[0]):
        hit = y[i] == label
        near_miss = min(near_miss, math.inf if hit else d[i])
        near_hit = min(near_hit, d[i] if hit & (i != own) else math.inf)
    if math.isinf(near_hit) or math.isinf(near_miss):
        q[:] = 0
        return -1.0
    for i in range(d.shape[0]):
        near = near_hit if y[i] == label else near_miss
        q[i] = exp_negative((near - d[i]) / sigma)
    if own >= 0:
        q[own] = 0
    hits = misses = 0.0
    for i in range(d.shape[0]):
        hit = y[i] == label
        hits += q[i] if hit else 0.0
        misses += 0.0 if hit else q[i]
    per_hit, per_miss = -1 / hits, 1 / misses
    for i in range(d.shape[0]):
        q[i] *= per_hit if y[i] == label else per_miss
    return 1 / (1 + misses / hits * math.exp(min((near_hit - near_miss) / sigma, LARGEST_EXPONENT)))


@kernel
def signed_probabilities(D, y, sigma, start, stop, Q):
    """``Q[n, i]`` = +P(i is the nearest miss of n) or -P(i is its nearest hit), by `signed_row`."""
    for n in range(start, stop):
        signed_row(D[n], y, y[n], n, sigma, Q[n])


@row_kernel
def other_prior(prior, own):
    """``1 - prior[own]``, summed so that of two classes the other has exactly all of it."""
    total = 0.0
    for c in range(prior.shape[0]):
        total += 0.0 if c == own else prior[c]
    return total


@kernel
def class_probabilities(D, y, sigma, prior, start, stop, Q):
    """``Q[n, i]`` = -P(i is the nearest hit of n), or a share of P(i is the nearest of its class).

    That share is ``prior[c] / (1 - prior[y_n])`` for i of another class c. P is proportional to
    exp(-D[n, i] / sigma) within each class. A row without a hit is zero.
    """
    n_samples, n_classes = D.shape[0], prior.shape[0]
    near, total = np.empty(n_classes), np.empty(n_classes)
    for n in range(start, stop):
        own, d, q = y[n], D[n], Q[n]
        near[:] = math.inf
        for i in range(n_samples):
            if i != n:
                near[y[i]] = min(near[y[i]], d[i])
        if math.isinf(near[own]):
            q[:] = 0
            continue
        total[:] = 0
        other = other_prior(prior, own)
        for i in range(n_samples):
            q[i] = exp_negative((near[y[i]] - d[i]) / sigma) if i != n else 0.0
            total[y[i]] += q[i]
        for i in range(n_samples):
            c = y[i]
            q[i] *= (-1.0 if c == own else prior[c] / other) / total[c]


# Nearest hit and miss whose exponents differ by no more share one exponential. What is cut off at
# the least exponent is then exp(-40) of the nearest, at most.
CLOSE_EXPONENT = 20.0


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
    """Like `pair_probabilities`, with the misses of each class of y apart.

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


@row_kernel
def insert_nearest(d, i, near, index, found, nearer):
    """Sample i at distance d sorted into the nearest so far; how many there are now.

    It goes before those whose distance times `nearer`, a number just below 1, it is still below. Of
    distances that are equal but for rounding the one that came first stays first.
    """
    if found == near.shape[0]:
        if d >= near[found - 1] * nearer:
            return found
        found -= 1
    k = found
    while k > 0 and d < near[k - 1] * nearer:
        near[k], index[k] = near[k - 1], index[k - 1]
        k -= 1
    near[k], index[k] = d, i
    return found + 1


@kernel
def nearest_of_classes(D, y, k, prior, nearer, start, stop, Q):
    """``Q[n, i]`` for the k nearest hits and the k nearest misses of each class, else 0.

    It is -1/h for the h <= k hits and ``prior[c]/p/m`` for the m <= k misses of class c, where p
    sums the prior over the classes other than y_n. A row without a hit is zero.
    """
    n_samples, n_classes = D.shape[0], prior.shape[0]
    near, index = np.empty((n_classes, k)), np.empty((n_classes, k), np.intp)
    found = np.empty(n_classes, np.intp)
    for n in range(start, stop):
        own, d, q = y[n], D[n], Q[n]
        found[:] = 0
        for i in range(n_samples):
            if i != n:
                c = y[i]
                found[c] = insert_nearest(d[i], i, near[c], index[c], found[c], nearer)
        q[:] = 0
        if found[own] == 0:
            continue
        other = other_prior(prior, own)
        for c in range(n_classes):
            weight = -1.0 if c == own else prior[c] / other
            for r in range(found[c]):
                q[index[c, r]] = weight / found[c]


@kernel
def within_band(D, y, lower, upper, prior, start, stop, Q):
    """``Q[n, i]`` for the neighbors with ``lower[n] < D[n, i] < upper[n]``, else 0.

    It is -1/h for the h hits and ``prior[c]/p/m`` for the m misses of class c, where p sums
    the prior over the classes other than y_n that have neighbors there.
    """
    n_samples = D.shape[0]
    count = np.empty(prior.shape[0])
    for n in range(start, stop):
        own, d, q, low, high = y[n], D[n], Q[n], lower[n], upper[n]
        count[:] = 0
        for i in range(n_samples):
            q[i] = (low < d[i]) & (d[i] < high) & (i != n)
            count[y[i]] += q[i]
        present = 0.0
        for c in range(prior.shape[0]):
            if c != own and count[c] > 0:
                present += prior[c]
        for i in range(n_samples):
            if q[i] > 0:
                c = y[i]
                q[i] = -1 / count[c] if c == own else prior[c] / present / count[c]


@row_kernel
def add_shares(index, share, weight, q):
    """Add `weight`, divided among the samples at `index` by their shares, to q."""
    total = 0.0
    for i in index:
        total += share[i]
    for i in index:
        q[i] += weight * (share[i] / total)


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
