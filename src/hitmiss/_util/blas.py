"""Linear algebra in one thread, so that its sums have a fixed order."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import scipy.linalg  # noqa: F401  loads the libraries that threadpoolctl looks for
from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> list[Any]:
    """The BLAS libraries in use; finding them takes milliseconds, so it is done once."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


class _Limit:
    """The number of threads of the libraries, set by the first who needs one, restored by the last.

    Most libraries have one number for the whole process. Those built on OpenMP have one for every
    thread that calls them, so each call sets and restores its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside: dict[object, list[tuple[Any, int]]] = {}  # what each call has to restore
        self._shared: list[tuple[Any, int]] = []

    def enter(self, call: object) -> None:
        """Begin a call: from here to `leave` every library uses one thread."""
        with self._lock:
            own = [
                (library, library.num_threads) for library in _libraries() if _per_thread(library)
            ]
            if not self._inside:
                self._shared = [
                    (library, library.num_threads)
                    for library in _libraries()
                    if not _per_thread(library)
                ]
            self._inside[call] = own
            for library, _ in own + self._shared:
                _set_threads(library, 1)

    def leave(self, call: object) -> None:
        """End a call; a call that has not begun is none."""
        with self._lock:
            restored = self._inside.get(call, [])
            if self._inside.keys() == {call}:
                restored = restored + self._shared
            for library, n_threads in restored:
                _set_threads(library, n_threads)
            self._inside.pop(call, None)


def _per_thread(library: Any) -> bool:
    return getattr(library, "threading_layer", None) == "openmp"


def _set_threads(library: Any, n_threads: int) -> None:
    """Set the number, whichever thread asks for it.

    From 3.8 on threadpoolctl lets the first thread alone set the number of a library, and ignores
    all others. Here the calls agree on one number, so none of them has to be ignored.
    """
    getattr(library, "_real_set_num_threads", library.set_num_threads)(n_threads)


_limit = _Limit()


def _forget() -> None:
    """A new limit for a forked process, in which no other thread goes on."""
    global _limit
    _limit = _Limit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context, or decorator, in which products and factorizations run in one thread each.

    Results then depend neither on the number of cores nor on that of processes, and small
    problems do not pay for the synchronization of threads.

    Any number of threads may be inside at once. As long as one of them is, every one of them gets
    one BLAS thread, and so the bits that it would get alone; when the last one leaves, the number
    is what it was when the first one came. Who changes it in another thread meanwhile loses that
    change, and whoever calls BLAS there without this context has one thread for so long.
    """
    call, limit = object(), _limit
    try:
        limit.enter(call)
        yield
    finally:
        limit.leave(call)
