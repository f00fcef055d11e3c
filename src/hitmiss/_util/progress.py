"""A progress bar on standard error."""

import sys
import threading
import time
from typing import Protocol, runtime_checkable

from hitmiss._util.compiling import COMPILATION

WIDTH = 24  # characters of the bar
WORTH_A_LINE = 1.0  # seconds of a pass before which it has no line where the whole work has one
SHOWN_AFTER = 2.0  # seconds before which what is not counted in pieces is not shown
INTERVAL = 0.1  # seconds between two updates; more would flicker and cost time


@runtime_checkable
class ProgressLike(Protocol):
    """What receives the progress, such as `Progress`."""

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
        """Show how far something is that is not counted in pieces, after a while.

        Parameters
        ----------
        label : str
            What it is; the time is counted from the first call with it, or the first after `done`.
        share : float
            Of the way, from 0 to 1.
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
        """End the line of what is not counted in pieces, and forget when it began."""
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
    """The line that takes the place of the one before, with the share done and the seconds left."""
    bar = "#" * int(WIDTH * share)
    return f"\r{label:<22} [{bar:<{WIDTH}}] {share:4.0%} {left:5.1f} s left"


def progress_for(verbose: bool | ProgressLike) -> ProgressLike | None:
    """What receives the progress: the object that is given, a bar of its own for True, or None."""
    if isinstance(verbose, ProgressLike):
        return verbose
    return Progress() if verbose else None
