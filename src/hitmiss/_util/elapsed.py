"""The time that long work has taken so far, on standard error, where no progress bar is shown."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hitmiss._util.progress import Progress

AFTER = 1.5  # seconds until the time is shown: with a tick, nobody waits for two without a word
TICK = 0.5  # seconds between two updates


@contextmanager
def elapsed(label: str, *, shown: bool) -> Iterator[None]:
    """Show that work goes on, and for how long, if the block takes more than `AFTER` seconds.

    On a terminal the line is rewritten while no `Progress` writes there. Elsewhere one line is
    printed at the end, unless a `Progress` has printed one.

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
    try:
        yield
    finally:
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
