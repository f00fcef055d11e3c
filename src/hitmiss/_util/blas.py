"""Linear algebra in one thread, so that its sums have one order."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import scipy.linalg  # noqa: F401  loads the libraries that are to be found
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    """The libraries in use; finding them takes milliseconds, so it is done once."""
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context, or decorator, in which products and factorizations run in one thread each.

    Results then depend neither on the number of cores nor on that of processes, and small
    problems do not wait for threads to meet. Where several threads ask for it at once, the
    library decides which of them is obeyed.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield
