"""Linear algebra in one thread, so that its sums have one order."""

from functools import cache
from typing import Any

import scipy.linalg  # noqa: F401  loads the libraries that are to be found
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    """The libraries in use; finding them takes milliseconds, so it is done once."""
    return ThreadpoolController()


def one_blas_thread() -> Any:
    """Context in which products and factorizations run in one thread each.

    Results then depend neither on the number of cores nor on that of processes, and small
    problems do not wait for threads to meet. Where several threads ask for it at once, the
    library decides which of them is obeyed.
    """
    return _controller().limit(limits=1, user_api="blas")
