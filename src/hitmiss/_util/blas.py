"""Linear algebra in one thread, so that its sums have a fixed order."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import scipy.linalg  # noqa: F401  loads the libraries that threadpoolctl looks for
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    """The libraries in use; finding them takes milliseconds, so it is done once."""
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context, or decorator, in which products and factorizations run in one thread each.

    Results then depend neither on the number of cores nor on that of processes, and small
    problems do not pay for the synchronization of threads. Where several threads set the
    limit at once, the BLAS library decides which setting holds.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield
