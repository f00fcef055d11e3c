"""Expected distances of a few samples to the references of every class."""

import math

import numpy as np

from hitmiss.kernels.exponential import quick_exp
from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.kernel_constants import FAR, N_LANES


@row_kernel
def soft_distance(d, sigma, lanes):
    """``sum_i p_i d_i`` with p proportional to ``exp(-d / sigma)``; infinite without a distance."""
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
    order, -1 for none.
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
