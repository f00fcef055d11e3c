"""A progress bar on standard error while files are read and written."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer

DELAY = 1.0  # seconds before a bar appears, so that short work shows none
SILENCE = 1.0  # seconds after which a fit that shows nothing says that it goes on
ERASE = "\r\x1b[K"  # the line that the terminal is at


def shows_progress(quiet: bool) -> bool:
    """Whether to draw progress bars: on a terminal, unless `quiet`."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def progress_bar(label: str, *, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Show a bar if the block takes longer than `DELAY`; it is erased when the block ends.

    Yields
    ------
    callable or None
        A function that takes the share that is done; until its first call the bar shows only
        that work goes on. None if there is no bar.
    """
    if not shows_progress(quiet):
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = [TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn()]
    bar = Progress(
        *columns, TimeRemainingColumn(), console=Console(file=sys.stderr), transient=True
    )
    task = bar.add_task(label, total=None)
    timer = Timer(DELAY, bar.start)
    timer.start()
    try:
        yield lambda share: bar.update(task, total=1.0, completed=share)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@contextmanager
def sign_of_life(label: str, *, quiet: bool) -> Iterator[None]:
    """Say on a terminal, again and again, how long the block takes, while nothing else does.

    A fit shows its passes over the data; between two of them it may compute for long.

    Parameters
    ----------
    label : str
        What goes on.
    quiet : bool
        Whether to say nothing.
    """
    if not shows_progress(quiet):
        yield
        return
    ended = Event()
    teller = Thread(target=_tell, args=(label, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _tell(label: str, ended: Event) -> None:
    from hitmiss._util.progress import Progress

    began, told = time.monotonic(), False
    while not ended.wait(SILENCE / 2):
        now = time.monotonic()
        if now - max(began, Progress.last_shown) > SILENCE:
            print(f"{ERASE}{label}: {now - began:.0f} s", end="", file=sys.stderr, flush=True)
            told = True
    if told:
        print(ERASE, end="", file=sys.stderr, flush=True)
