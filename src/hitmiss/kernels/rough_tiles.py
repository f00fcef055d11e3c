"""Probabilities of soft neighbors for iterations that are under way: as exact, but not to the bit.

The exponential of `hitmiss.kernels.neighbors` divides, which takes four fifths of its time. Here it
multiplies, so the last bits differ.
"""

from hitmiss.kernels.jit import kernel, row_kernel
from hitmiss.kernels.kernel_constants import FAR, LEAST_EXPONENT, SQUARINGS


@row_kernel
def rough_exp(x):
    """``exp(x)`` for x <= 0, to 1e-9 relative, at least exp(-60); see `exp_negative`."""
    t = max(x, LEAST_EXPONENT) * 0.5**SQUARINGS
    e = 1 + t * (1 + t * (0.5 + t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 + t * (1.0 / 720))))))
    for _ in range(SQUARINGS):
        e *= e
    return e


@kernel
def rough_probabilities(D, labels, own, y, sigma, Q):
    """``Q[k, i]`` = +P(i is the nearest miss of k) or -P(i is its nearest hit).

    Sample k has the label ``labels[k]`` and is itself at ``own[k]``. Without a hit or without a
    miss its row is zero.
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
