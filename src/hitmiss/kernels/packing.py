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
