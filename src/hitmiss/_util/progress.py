"""A progress bar on standard error."""

import sys
import threading
import time

WIDTH = 24  # characters of the bar
INTERVAL = 0.1  # seconds between two updates; more would flicker and cost time


class Progress:
    """A line that shows the progress of the current pass over the data.

    On a terminal the line is rewritten in place, with the time left; elsewhere each pass prints
    one line when it ends. Safe to call from several threads.
    """

    last_shown = -float("inf")  # when any of them last wrote to a terminal, by time.monotonic

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._label, self._total, self._done = "", 0, 0
        self._began = self._shown = 0.0

    def begin(self, label: str, total: int) -> None:
        """Begin a pass of `total` pieces."""
        with self._lock:
            self._label, self._total, self._done = label, total, 0
            self._began = time.monotonic()

    def advance(self) -> None:
        """Count one more piece as done."""
        with self._lock:
            self._done += 1
            last, now = self._done == self._total, time.monotonic()
            if sys.stderr.isatty() and (last or now - self._shown > INTERVAL):
                self._shown = now
                Progress.last_shown = now
                print(self._line(now), end="\n" if last else "", file=sys.stderr, flush=True)
            elif last and not sys.stderr.isatty():
                print(f"{self._label}: {now - self._began:.1f} s", file=sys.stderr)

    def _line(self, now: float) -> str:
        share = self._done / self._total
        left = (now - self._began) * (1 / share - 1)
        bar = "#" * int(WIDTH * share)
        return f"\r{self._label:<22} [{bar:<{WIDTH}}] {share:4.0%} {left:5.1f} s left"
