"""Progress on standard error: a bar per pass, the time of the whole work, and of compilation.

Compiled code is kept on disk, so only the first run of a method on a machine has to compile, which
takes seconds. Work that shows its progress says so, once per process.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable
from weakref import WeakSet

LINE_WIDTH = 70  # characters, so that the line covers a progress bar that a terminal shows


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
    line = f"\r{text:<{LINE_WIDTH}}" if sys.stderr.isatty() else text
    print(line, file=sys.stderr, flush=True)


COMPILATION = Compilation()


WIDTH = 24  # characters of the bar
WORTH_A_LINE = 1.0  # seconds of a pass before which it has no line where the whole work has one
SHOWN_AFTER = 2.0  # seconds before which what is not counted in pieces is not shown
INTERVAL = 0.1  # seconds between two updates; more would flicker and cost time


@runtime_checkable
class ProgressLike(Protocol):
    """Receiver of the progress, such as `Progress`."""

    def begin(self, label: str, total: int) -> None:
        """Begin to count `total` pieces."""
        ...

    def advance(self) -> None:
        """Count one more piece as done."""
        ...


class Progress:
    """A line that shows the progress of the current pass over the data.

    On a terminal the line is rewritten in place, with the time left; elsewhere each pass prints
    one line when it ends. Inside `elapsed`, which prints the time of the whole work, a short pass
    prints none: a fit has dozens of them. Safe to call from several threads.

    Parameters
    ----------
    after : float, default=0.0
        Seconds of a pass before which nothing is shown.
    """

    last_shown = -float("inf")  # when any of them last wrote something, by time.monotonic
    n_timed = 0  # blocks of `elapsed` under way
    interrupted = -float("inf")  # when Ctrl-C ended one: a thread may still finish its last piece

    def __init__(self, after: float = 0.0) -> None:
        self._after = after
        self._lock = threading.Lock()
        self._label, self._total, self._done = "", 0, 0
        self._began = self._shown = 0.0
        self._since: dict[str, float] = {}
        self._open = False  # whether the line of something that is not counted is to be ended

    def begin(self, label: str, total: int) -> None:
        """Begin a pass of `total` pieces."""
        with self._lock:
            self._label, self._total, self._done = label, total, 0
            self._began = time.monotonic()
        if total:
            COMPILATION.watch(self)

    def advance(self) -> None:
        """Count one more piece as done."""
        with self._lock:
            self._done += 1
            last, now = self._done == self._total, time.monotonic()
            if last:
                COMPILATION.leave(self)
            if now - self._began < self._after or self._began <= Progress.interrupted:
                return
            if sys.stderr.isatty() and (last or now - self._shown > INTERVAL):
                self._shown = Progress.last_shown = now
                print(self._line(now), end="\n" if last else "", file=sys.stderr, flush=True)
                self._open = self._open and not last
            elif last and not sys.stderr.isatty() and self._has_a_line(now - self._began):
                Progress.last_shown = now
                print(f"{self._label}: {now - self._began:.1f} s", file=sys.stderr)

    def show(self, label: str, share: float) -> None:
        """Show the progress of work that is not counted in pieces, after a while.

        Parameters
        ----------
        label : str
            Description; the time is counted from the first call with it, or the first after `done`.
        share : float
            Of the work, from 0 to 1.
        """
        with self._lock:
            now = time.monotonic()
            began = self._since.setdefault(label, now)
            waited = now - began >= max(self._after, SHOWN_AFTER)
            if waited and sys.stderr.isatty() and now - self._shown > INTERVAL:
                self._shown = Progress.last_shown = now
                left = (now - began) * (1 / max(share, 0.01) - 1)
                print(bar_line(label, share, left), end="", file=sys.stderr, flush=True)
                self._open = True

    def done(self) -> None:
        """End the line of work that is not counted in pieces."""
        with self._lock:
            self._since.clear()
            if self._open:
                print(file=sys.stderr, flush=True)
            self._open = False

    @staticmethod
    def _has_a_line(seconds: float) -> bool:
        return seconds >= WORTH_A_LINE or not Progress.n_timed

    def _line(self, now: float) -> str:
        share = self._done / self._total
        return bar_line(self._label, share, (now - self._began) * (1 / share - 1))


def bar_line(label: str, share: float, left: float) -> str:
    """The line that replaces the one before, with the share done and the seconds left."""
    bar = "#" * int(WIDTH * share)
    return f"\r{label:<22} [{bar:<{WIDTH}}] {share:4.0%} {left:5.1f} s left"


def progress_for(verbose: bool | ProgressLike) -> ProgressLike | None:
    """Receiver of the progress: the object itself, a new bar for True, or None."""
    if isinstance(verbose, ProgressLike):
        return verbose
    return Progress() if verbose else None


CLOCK_AFTER = 1.5  # seconds until the time is shown: with a tick, within two seconds of the start
TICK = 0.5  # seconds between two updates


@contextmanager
def elapsed(label: str, *, shown: bool = True) -> Iterator[None]:
    """Show that work goes on, and for how long, if the block takes more than `CLOCK_AFTER` seconds.

    On a terminal the line is rewritten while no `Progress` writes there. Elsewhere one line is
    printed at the end, unless a `Progress` has printed one. If something is compiled first, two
    lines say so.

    Parameters
    ----------
    label : str
        Name of the work.
    shown : bool, default=True
        Whether to show anything.
    """
    if not shown:
        yield
        return
    clock = _Clock(label)
    thread = threading.Thread(target=clock.tick, daemon=True)
    thread.start()
    Progress.n_timed += 1
    try:
        with COMPILATION.shown():
            yield
    except KeyboardInterrupt:
        Progress.interrupted = time.monotonic()
        raise
    finally:
        Progress.n_timed -= 1
        clock.over.set()
        thread.join()
        clock.end()


class _Clock:
    """The line of one piece of work."""

    def __init__(self, label: str):
        self.label, self.began = label, time.monotonic()
        self.over, self.written = threading.Event(), False

    def tick(self) -> None:
        while not self.over.wait(TICK):
            now = time.monotonic()
            quiet = now - Progress.last_shown > 2 * TICK
            if quiet and now - self.began > CLOCK_AFTER and sys.stderr.isatty():
                self.written = True
                line = f"\r{self.label:<22} {now - self.began:.0f} s"
                print(line, end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        seconds = time.monotonic() - self.began
        if self.written:
            print(f"\r{self.label:<22} {seconds:.1f} s", file=sys.stderr)
        elif seconds > CLOCK_AFTER and Progress.last_shown < self.began and not sys.stderr.isatty():
            print(f"{self.label}: {seconds:.1f} s", file=sys.stderr)


LONG = 10.0  # seconds that work may take before it is announced
MEASURED_WITH = 2  # threads, for which times per pair are given


def announce(
    label: str, shape: tuple[int, ...], nanoseconds: tuple[float, float], n_threads: int
) -> None:
    """Say how long work on all pairs of samples will take, if that may be long.

    Parameters
    ----------
    label : str
        Name of the work.
    shape : tuple of int
        Number of samples and of features.
    nanoseconds : tuple of float
        The least and the most that a pair of samples took for each feature, with two threads.
    n_threads : int
        Number of threads.
    """
    n_samples, n_features = shape
    work = n_samples**2 * n_features * 1e-9 * MEASURED_WITH / n_threads
    least, most = (time * work for time in nanoseconds)
    if most > LONG:
        size = f"{n_samples:,} samples and {n_features:,} features"
        print(f"{label}: {size}, usually {_span(least, most)}", file=sys.stderr, flush=True)


def _span(least: float, most: float) -> str:
    """From one number of seconds to another, in the unit of the larger one.

    Examples
    --------
    >>> _span(0.4, 12), _span(50, 500), _span(40, 90_000)
    ('0.4 to 12 s', '0.83 to 8.3 min', '0.011 to 25 h')
    """
    unit, name = (3600, "h") if most > 7200 else (60, "min") if most > 120 else (1, "s")
    return f"{least / unit:.2g} to {most / unit:.2g} {name}"
