"""Soft nearest neighbors from distances and labels, row by row."""

import math

import numpy as np

from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.kernel_constants import LARGEST_EXPONENT, LEAST_EXPONENT, SQUARINGS


@row_kernel
def exp_negative(x):
    """``exp(x)`` for x <= 0, to 1e-9 relative, at least exp(-60).

    A Taylor polynomial at x / 2**10, squared ten times: unlike a call of the mathematical library
    it vectorizes.
    """
    t = max(x, LEAST_EXPONENT) / 2**SQUARINGS
    e = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5 * (1 + t / 6)))))
    for _ in range(SQUARINGS):
        e *= e
    return e


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
    """``Q[n, i]`` = +P(i is the nearest miss of n) or -P(i is its nearest hit)."""
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
