"""Hard neighbors, each counted or not: the k nearest of each class, or all within a band."""

import numpy as np

from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.neighbors import other_prior


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
