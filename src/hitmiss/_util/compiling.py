"""Two lines on standard error around the first compilation, which takes seconds.

Compiled code is kept on disk, so only the first run of a method on a machine has to compile. Work
that shows its progress says so, once per process; work that is silent also compiles in silence.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

WIDTH = 70  # characters, so that the line covers a progress bar that a terminal shows


class Compilation:
    """The compilation in this process: `hitmiss.kernels.jit` reports when it begins and ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0  # a kernel that calls another one compiles that one inside
        self._began = self._seconds = 0.0
        self._announced = self._ended = False
        self._watchers: WeakSet[object] = WeakSet()  # weak: a pass that fails never ends

    def begin(self) -> None:
        """Begin to compile a kernel, or one that it calls."""
        with self._lock:
            self._depth += 1
            if self._depth > 1:
                return
            self._began = time.monotonic()
            if self._watchers and not self._announced:
                self._announced, self._seconds = True, 0.0
                _say("compiling the inner loops, once ...")

    def end(self) -> None:
        """End what `begin` began."""
        with self._lock:
            self._depth -= 1
            if not self._depth:
                self._seconds += time.monotonic() - self._began

    def watch(self, watcher: object) -> None:
        """Say so if something is compiled from now on."""
        with self._lock:
            self._watchers.add(watcher)

    def leave(self, watcher: object) -> None:
        """End what `watch` began; the last one to leave says how long compilation took."""
        with self._lock:
            self._watchers.discard(watcher)
            if self._announced and not self._ended and not self._watchers:
                self._ended = True
                _say(f"compiled in {self._seconds:.1f} s")

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Say so if something is compiled inside."""
        watcher = threading.Event()  # any object that is equal to no other
        self.watch(watcher)
        try:
            yield
        finally:
            self.leave(watcher)


def _say(text: str) -> None:
    line = f"\r{text:<{WIDTH}}" if sys.stderr.isatty() else text
    print(line, file=sys.stderr, flush=True)


COMPILATION = Compilation()
