"""The time that long work will take, and has taken so far, on standard error."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hitmiss._util.compiling import COMPILATION
from hitmiss._util.progress import Progress

AFTER = 1.5  # seconds until the time is shown: with a tick, within two seconds of the start
TICK = 0.5  # seconds between two updates
LONG = 10.0  # seconds that work may take before it is announced
MEASURED_WITH = 2  # threads, for which times per pair are given


@contextmanager
def elapsed(label: str, *, shown: bool) -> Iterator[None]:
    """Show that work goes on, and for how long, if the block takes more than `AFTER` seconds.

    On a terminal the line is rewritten while no `Progress` writes there. Elsewhere one line is
    printed at the end, unless a `Progress` has printed one. If something is compiled first, two
    lines say so.

    Parameters
    ----------
    label : str
        What takes the time.
    shown : bool
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


def announce(
    label: str, shape: tuple[int, ...], nanoseconds: tuple[float, float], n_threads: int
) -> None:
    """Say how long work on all pairs of samples will take, if that may be long.

    Parameters
    ----------
    label : str
        What takes the time.
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


class _Clock:
    """The line of one piece of work."""

    def __init__(self, label: str):
        self.label, self.began = label, time.monotonic()
        self.over, self.written = threading.Event(), False

    def tick(self) -> None:
        while not self.over.wait(TICK):
            now = time.monotonic()
            quiet = now - Progress.last_shown > 2 * TICK
            if quiet and now - self.began > AFTER and sys.stderr.isatty():
                self.written = True
                line = f"\r{self.label:<22} {now - self.began:.0f} s"
                print(line, end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        seconds = time.monotonic() - self.began
        if self.written:
            print(f"\r{self.label:<22} {seconds:.1f} s", file=sys.stderr)
        elif seconds > AFTER and Progress.last_shown < self.began and not sys.stderr.isatty():
            print(f"{self.label}: {seconds:.1f} s", file=sys.stderr)
