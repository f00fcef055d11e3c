"""Columns of the data in the layout of a packed block: shifted, scaled, padded, contiguous."""

from hitmiss.kernels.jit import kernel


@kernel
def pack(X, start, center, factor, block):
    """``block[n, j] = (X[n, start + j] - center[j]) * factor[j]``; rows beyond those of X are 0."""
    stop = start + block.shape[1]
    for n in range(X.shape[0]):
        x, row = X[n, start:stop], block[n]
        for j in range(row.shape[0]):
            row[j] = (x[j] - center[j]) * factor[j]
    block[X.shape[0] :] = 0


@kernel
def pack_some(X, index, center, factor, block):
    """``block[n, j] = (X[n, index[j]] - center[j]) * factor[j]``; rows beyond those of X are 0."""
    for n in range(X.shape[0]):
        x, row = X[n], block[n]
        for j in range(row.shape[0]):
            row[j] = (x[index[j]] - center[j]) * factor[j]
    block[X.shape[0] :] = 0


@kernel
def pad_weights(Q, negligible, start, stop, out):
    """``out[n, i] = Q[n, i]``, or 0 up to `negligible`, for start <= n < stop; 0 beyond Q."""
    n_samples = Q.shape[0]
    for n in range(start, stop):
        row = out[n]
        row[:] = 0
        if n < n_samples:
            q = Q[n]
            for i in range(n_samples):
                row[i] = q[i] if abs(q[i]) > negligible else 0.0
