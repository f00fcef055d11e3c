"""Packed blocks as the kernels expect them."""

import numpy as np


def packed(n_samples, n_features, dtype, seed=0):
    """Random rows, followed by rows of zeros up to a multiple of four."""
    block = np.zeros((-(-n_samples // 4) * 4, n_features), dtype)
    block[:n_samples] = np.random.default_rng(seed).standard_normal((n_samples, n_features))
    return block


def differences(A, B):
    """|a_nj - b_ij| for all n, i, j, in double precision."""
    return np.abs(A[:, None].astype(float) - B[None].astype(float))


def signs(block, seed=1):
    """Numbers of both signs, one per pair of rows."""
    Q = np.random.default_rng(seed).standard_normal((len(block), len(block))) / len(block)
    return Q.astype(block.dtype)
