"""One progress bar over several measurements."""

import sys
import time
from collections.abc import Mapping

from hitmiss._util.progress import INTERVAL, bar_line


class MeasuringBar:
    """A line on a terminal that shows the progress of all measurements, with the time left.

    Parameters
    ----------
    seconds : mapping
        From the label of each measurement to the time it may take. Only their ratios matter: the
        time left follows from the time that the share done has taken.
    """

    def __init__(self, seconds: Mapping[str, float]):
        self._seconds = dict(seconds)
        self._whole = sum(seconds.values())
        self._before = 0.0  # expected seconds of the measurements that are done
        self._label, self._total, self._done = "", 1, 0
        self._began, self._shown = time.monotonic(), 0.0

    def begin(self, label: str, total: int) -> None:
        """Begin the measurement `label`, of `total` pieces."""
        self._before += self._seconds.get(self._label, 0.0)
        self._label, self._total, self._done = label, total, 0

    def advance(self) -> None:
        """Count one more piece as done."""
        self._done += 1
        now = time.monotonic()
        if now - self._shown > INTERVAL:
            self._shown = now
            print(self._line(now), end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Erase the line, if there is one."""
        if self._shown:
            blank = " " * len(self._line(time.monotonic()))
            print(f"\r{blank}\r", end="", file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        part = self._seconds[self._label]
        share = (self._before + part * self._done / self._total) / self._whole
        return bar_line(self._label, share, (now - self._began) * (1 / share - 1))
