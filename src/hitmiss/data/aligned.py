"""Memory for kernels: arrays that begin where a page does, and arrays that are used again.

A vector of single precision then never lies across two cache lines. And where a kernel writes has a
known distance, modulo a page, from where it reads: a store a few lines ahead of a load at the same
place in another page makes a processor wait as if both were the same address.
"""

import threading
from math import prod

import numpy as np
from numpy.typing import DTypeLike, NDArray

PAGE_BYTES = 4096  # where blocks and the sums over them begin. With 460 x 512 values in single
# precision the sums of differences take 1.9 ms so, up to 2.8 ms elsewhere (one thread, AMD EPYC)
ALIGNED_BYTES = 1 << 11  # below, finding a page takes longer (2 us) than is gained
SCRATCH_BYTES = 1 << 22  # of an array, at most, that a thread keeps to use again: a few blocks
SCRATCH_VIEWS = 100  # shapes of such arrays that are remembered: convention


def page_aligned(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray:
    """An array of arbitrary values, contiguous, at the beginning of a page if it is large.

    Parameters
    ----------
    shape : tuple of int
        Of the array.
    dtype : dtype
        Of its values.

    Examples
    --------
    >>> page_aligned((100, 512), float).ctypes.data % 4096
    0
    """
    n_bytes = prod(shape) * np.dtype(dtype).itemsize
    if n_bytes < ALIGNED_BYTES:
        return np.empty(shape, dtype)
    raw = np.empty(n_bytes + PAGE_BYTES, np.uint8)
    start = -raw.ctypes.data % PAGE_BYTES
    return raw[start : start + n_bytes].view(dtype).reshape(shape)


def picked(R: NDArray, places: list[slice]) -> NDArray:
    """The columns at some places, side by side."""
    if len(places) == 1:
        return np.ascontiguousarray(R[..., places[0]])
    return np.concatenate([R[..., place] for place in places], axis=-1)


def padded_length(n: int) -> int:
    """The next multiple of four."""
    return -(-n // 4) * 4


def padded(A: NDArray) -> NDArray:
    """Rows of zeros added up to a multiple of four, contiguous."""
    out = np.zeros((padded_length(len(A)), A.shape[1]), A.dtype)
    out[: len(A)] = A
    return out


class Scratch(threading.local):
    """Memory that a thread uses again and again, so that the system need not give it new pages.

    Getting new pages for a block takes longer than filling it. An array is valid until the same
    thread asks for another one of that name.
    """

    def __init__(self) -> None:
        self._spare: dict[str, NDArray] = {}
        self._kept: dict[str, NDArray] = {}
        self._views: dict[tuple[str, tuple[int, ...], np.dtype], NDArray] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        """An array of arbitrary values; see `page_aligned`.

        Parameters
        ----------
        name : str
            What it is for; arrays in use at the same time need different names.
        shape : tuple of int
            Of the array.
        dtype : dtype
            Of its values.
        """
        found = self._views.get((name, shape, dtype))
        return self._new_view(name, shape, dtype) if found is None else found

    def take(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        """An array of arbitrary values for other threads to write to, until `give`.

        After an interrupt these may still write for a while. The array is not given back then, and
        nobody else gets it.

        Parameters
        ----------
        name : str
            What it is for.
        shape : tuple of int
            Of the array.
        dtype : dtype
            Of its values.
        """
        found = self._spare.pop(name, None)
        if found is not None and found.shape == shape and found.dtype == dtype:
            return found
        return page_aligned(shape, dtype)

    def give(self, name: str, array: NDArray) -> None:
        """Take back an array to which nobody writes any more."""
        if array.nbytes <= SCRATCH_BYTES:
            self._spare[name] = array

    def _new_view(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> NDArray:
        n_bytes = prod(shape) * dtype.itemsize
        if n_bytes > SCRATCH_BYTES:
            return page_aligned(shape, dtype)
        if name not in self._kept or self._kept[name].nbytes < n_bytes:
            self._kept[name] = page_aligned((max(n_bytes, ALIGNED_BYTES),), np.uint8)
            self._views.clear()  # those of less memory
        if len(self._views) == SCRATCH_VIEWS:
            self._views.clear()
        view = self._kept[name][:n_bytes].view(dtype).reshape(shape)
        self._views[name, shape, dtype] = view
        return view


SCRATCH = Scratch()
