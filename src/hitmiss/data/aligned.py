"""Arrays that begin where a page of memory begins, as kernels like it.

A vector of single precision then never lies across two cache lines. And where a kernel writes has a
known distance, modulo a page, from where it reads: a store a few lines ahead of a load at the same
place in another page makes a processor wait as if both were the same address.
"""

from math import prod

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss.data import sizes


def page_aligned(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray:
    """An array of arbitrary values, contiguous, at the beginning of a page.

    Parameters
    ----------
    shape : tuple of int
        Of the array.
    dtype : dtype
        Of its values.

    Examples
    --------
    >>> page_aligned((2, 3), float).ctypes.data % 4096
    0
    """
    n_bytes = prod(shape) * np.dtype(dtype).itemsize
    raw = np.empty(n_bytes + sizes.PAGE_BYTES, np.uint8)
    start = -raw.ctypes.data % sizes.PAGE_BYTES
    return raw[start : start + n_bytes].view(dtype).reshape(shape)
