"""Small linear algebra in double precision, on one thread.

The products of the solvers are small and many, so that a threaded BLAS would spend most of its time
starting threads.
"""

from hitmiss.kernels.jit import kernel


@kernel
def weighted_row_sum(s, Z, out):
    """``out[j] = sum_n s[n] Z[n, j]``; out is double precision whatever Z is."""
    out[:] = 0
    for n in range(Z.shape[0]):
        if s[n] != 0:
            for j in range(Z.shape[1]):
                out[j] += s[n] * Z[n, j]


@kernel
def weighted_gram(Z, c, scaled, H):
    """``H[j, k] = sum_n c[n] Z[j, n] Z[k, n]``; `scaled` is room for one row of Z."""
    for j in range(Z.shape[0]):
        for n in range(Z.shape[1]):
            scaled[n] = c[n] * Z[j, n]
        for k in range(j + 1):
            total = 0.0
            for n in range(Z.shape[1]):
                total += scaled[n] * Z[k, n]
            H[j, k] = H[k, j] = total
