"""Threads, processes, and one thread of BLAS: results in a fixed order, whatever their number."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import joblib
import scipy.linalg  # noqa: F401  loads the libraries that threadpoolctl looks for
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController

from hitmiss._util.progress import Progress, ProgressLike


def n_threads(n_jobs: int | None) -> int:
    """Number of threads for `n_jobs`.

    None takes the number of an enclosing joblib configuration; without one, that of the cores, or 1
    inside another parallel loop.
    """
    backend, configured = get_active_backend()
    if n_jobs is None and configured is None:
        return 1 if (getattr(backend, "nesting_level", 0) or 0) > 0 else n_cores()
    return joblib.effective_n_jobs(n_jobs)


def n_cores() -> int:
    """Number of cores that this process may use."""
    allowed = frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    return _counted(allowed, os.environ.get("LOKY_MAX_CPU_COUNT"))


@cache
def _counted(allowed: frozenset[int] | None, most: str | None) -> int:
    """The number of cores by joblib, kept while these stay: it takes a tenth of a small fit."""
    return joblib.cpu_count()


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads, kept for later calls because starting them takes as long as a small fit."""
    return ThreadPoolExecutor(n_threads, "hitmiss")


if hasattr(os, "register_at_fork"):  # threads do not survive a fork
    os.register_at_fork(after_in_child=_pool.cache_clear)


class Workers:
    """Threads for kernels that release the interpreter lock.

    Each item writes to memory of its own, and sums inside an item have a fixed order, so results do
    not depend on the number of threads.

    Parameters
    ----------
    n_jobs : int, default=None
        Number of threads; see `n_threads`.
    progress : Progress, default=None
        Receives the progress of labeled work.
    """

    def __init__(self, n_jobs: int | None = None, progress: Progress | None = None):
        self.progress = progress
        self.n_threads = n_threads(n_jobs)
        # The calling thread is one of the workers.
        self._pool = _pool(self.n_threads - 1) if self.n_threads > 1 else None

    def map(
        self, function: Callable[[Any], Any], items: Iterable[Any], label: str = ""
    ) -> list[Any]:
        """``[function(item) for item in items]``, several at once.

        Parameters
        ----------
        function : callable
            Called with one item.
        items : iterable
            Items.
        label : str, default=""
            Description of the work, for the progress; without one, no progress is reported.

        Returns
        -------
        list
        """
        items = list(items)
        results: list[Any] = [None] * len(items)
        left, progress = deque(range(len(items))), self.progress if label else None
        if progress is not None:
            progress.begin(label, len(items))

        def work() -> None:
            while left:
                try:
                    k = left.popleft()
                except IndexError:  # another thread has taken the last item
                    return
                try:
                    results[k] = function(items[k])
                    if progress is not None:
                        progress.advance()
                except BaseException:
                    left.clear()
                    raise

        if self._pool is None or len(items) < 2:
            work()
            return results
        others = [self._pool.submit(work) for _ in range(min(self.n_threads, len(items)) - 1)]
        try:
            work()
        finally:
            # Those not yet started find no item left, and their threads may wait for this one.
            begun = [other for other in others if not other.cancel()]
            wait(begun)
        for other in begun:
            other.result()
        return results

    def watched(self, items: Iterable[Any], label: str) -> Iterator[Any]:
        """The items, each counted by the progress when the next one is asked for.

        The work on an item may itself use the threads.

        Parameters
        ----------
        items : iterable
            Items.
        label : str
            Description of the work; without one, no progress is reported.
        """
        if self.progress is None or not label:
            yield from items
            return
        known = list(items)
        self.progress.begin(label, len(known))
        for item in known:
            yield item
            self.progress.advance()


def each_result(
    calls: Sequence[Any],
    n_jobs: int | None,
    progress: ProgressLike | None = None,
    label: str = "",
    prefer: str | None = None,
) -> Iterator[Any]:
    """Results of the calls in their order, each as soon as it is known.

    Parameters
    ----------
    calls : sequence
        Calls, made by `joblib.delayed`.
    n_jobs : int or None
        Number of processes, as in joblib.
    progress : ProgressLike, optional
        Receives the number of calls, and every result.
    label : str
        Description of the calls, for the progress.
    prefer : {"threads", "processes"}, optional
        Preferred kind of workers; an enclosing joblib configuration takes precedence.

    Yields
    ------
    object

    Raises
    ------
    RuntimeError
        If a process dies.
    """
    if progress is not None:
        progress.begin(label, len(calls))
    try:
        for result in joblib.Parallel(n_jobs=n_jobs, return_as="generator", prefer=prefer)(calls):
            if progress is not None:
                progress.advance()
            yield result
    except BrokenProcessPool as error:
        raise RuntimeError(
            f"A process died while working on {label}, most likely for lack of memory; "
            f"use fewer processes than n_jobs={n_jobs}."
        ) from error


ABANDONED = 2.0  # seconds after which a lock that is needed for microseconds was left behind


class _Library(NamedTuple):
    """A BLAS library: its number of threads, and whether every calling thread has its own."""

    controller: Any
    set_threads: Callable[[int], Any]
    per_thread: bool


@cache
def _libraries() -> list[_Library]:
    """The BLAS libraries in use; finding them takes milliseconds, so it is done once.

    From 3.8 on threadpoolctl lets the first thread alone set the number of a library, and ignores
    all others. Here the calls agree on one number, so the number is set whoever asks for it.
    """
    return [
        _Library(
            found,
            getattr(found, "_real_set_num_threads", found.set_num_threads),
            getattr(found, "threading_layer", None) == "openmp",
        )
        for found in ThreadpoolController().select(user_api="blas").lib_controllers
    ]


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
        # Libraries and numbers of threads that each call has to restore.
        self._inside: WeakKeyDictionary[_Call, list[tuple[_Library, int]]] = WeakKeyDictionary()
        self._shared: list[tuple[_Library, int]] = []  # those of the last one; empty outside

    def enter(self, call: _Call) -> None:
        """Begin a call: from here to `leave` every library uses one thread."""
        with self._held():
            own: list[tuple[_Library, int]] = []
            shared: list[tuple[_Library, int]] = []
            for library in _libraries():
                side = own if library.per_thread else shared
                side.append((library, library.controller.num_threads))
            self._shared = self._shared or shared
            self._inside[call] = own
            for library, _ in own + shared:
                library.set_threads(1)

    def leave(self, call: _Call) -> None:
        """End a call; a call that has not begun is none."""
        with self._held():
            is_last = len(self._inside) <= (call in self._inside)
            # Restored before it is forgotten, so that an interrupt in between loses nothing.
            for library, n_threads in self._inside.get(call, []) + self._shared * is_last:
                library.set_threads(n_threads)
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
