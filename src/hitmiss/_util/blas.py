"""Linear algebra in one thread, so that its sums have a fixed order."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import scipy.linalg  # noqa: F401  loads the libraries that threadpoolctl looks for
from threadpoolctl import ThreadpoolController

ABANDONED = 2.0  # seconds after which a lock that is needed for microseconds was left behind


@cache
def _libraries() -> list[Any]:
    """The BLAS libraries in use; finding them takes milliseconds, so it is done once."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


class _Call:
    """One use of `one_blas_thread`; when it is gone, so is its entry in `_Limit`."""


class _Limit:
    """The number of threads of the libraries, set by the first who needs one, restored by the last.

    Most libraries have one number for the whole process. Those built on OpenMP have one for every
    thread that calls them, so each call sets and restores its own.

    Ctrl-C may come between any two steps, and so leave the lock held, or a call that never ends.
    Neither lasts: a lock that is held for long is given up, and the next call that ends restores
    what the interrupted one should have.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        # What each call has to restore.
        self._inside: WeakKeyDictionary[_Call, list[tuple[Any, int]]] = WeakKeyDictionary()
        self._shared: list[tuple[Any, int]] = []  # what the last one has to; empty outside

    def enter(self, call: _Call) -> None:
        """Begin a call: from here to `leave` every library uses one thread."""
        with self._held():
            found = [(library, library.num_threads) for library in _libraries()]
            if not self._shared:
                self._shared = [item for item in found if not _per_thread(item[0])]
            self._inside[call] = [item for item in found if _per_thread(item[0])]
            for library, _ in found:
                _set_threads(library, 1)

    def leave(self, call: _Call) -> None:
        """End a call; a call that has not begun is none."""
        with self._held():
            is_last = len(self._inside) <= (call in self._inside)
            # Restored before it is forgotten, so that an interrupt in between loses nothing.
            for library, n_threads in self._inside.get(call, []) + self._shared * is_last:
                _set_threads(library, n_threads)
            self._inside.pop(call, None)
            if is_last:
                self._shared = []

    @contextmanager
    def _held(self) -> Iterator[None]:
        """The lock, or a new one if its holder was interrupted and will not release it."""
        lock = self._lock
        if not lock.acquire(timeout=ABANDONED):
            lock = self._lock = threading.RLock()
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


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
    call, limit = _Call(), _limit
    try:
        limit.enter(call)
        yield
    finally:
        limit.leave(call)
