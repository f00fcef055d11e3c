"""Threads that map a function over items, with results in a fixed order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from hitmiss._util.progress import Progress


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
        function = self._counted(function, items, label)
        if self._pool is None or len(items) < 2:
            return [function(item) for item in items]
        results: list[Any] = [None] * len(items)
        left = deque(range(len(items)))

        def work() -> None:
            while left:
                try:
                    k = left.popleft()
                except IndexError:  # another thread has taken the last item
                    return
                try:
                    results[k] = function(items[k])
                except BaseException:
                    left.clear()
                    raise

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

    def each(self, function: Callable[[Any], Any], items: Iterable[Any], label: str = "") -> None:
        """Call the function for one item after the other; each call may itself use the threads.

        Parameters
        ----------
        function : callable
            Called with one item.
        items : iterable
            Items.
        label : str, default=""
            Description of the work, for the progress; without one, no progress is reported.
        """
        items = list(items)
        function = self._counted(function, items, label)
        for item in items:
            function(item)

    def watched(self, items: Iterable[Any], label: str) -> Iterator[Any]:
        """The items, each counted by the progress when the next one is asked for.

        Parameters
        ----------
        items : iterable
            Items.
        label : str
            Description of the work.
        """
        if self.progress is None:
            yield from items
            return
        known = list(items)
        self.progress.begin(label, len(known))
        for item in known:
            yield item
            self.progress.advance()

    def _counted(
        self, function: Callable[[Any], Any], items: list[Any], label: str
    ) -> Callable[[Any], Any]:
        """The function, with every call reported to the progress if the work has a label."""
        progress = self.progress
        if progress is None or not label:
            return function
        progress.begin(label, len(items))

        def counted(item: Any) -> Any:
            result = function(item)
            progress.advance()
            return result

        return counted
