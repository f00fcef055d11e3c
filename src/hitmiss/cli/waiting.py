"""A bar on standard error while files are read and written."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

PATIENCE = 1.0  # seconds after which somebody wants to know


def shows_progress(quiet: bool) -> bool:
    """Whether to draw progress bars: on a terminal, unless it shall be quiet."""
    return not quiet and sys.stderr.isatty()


@contextmanager
def waiting(label: str, *, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """A bar that appears if what is inside takes long, and goes away with it.

    Yields
    ------
    callable or None
        To be told the share that is done; until then the bar only moves. None if there is no bar.
    """
    if not shows_progress(quiet):
        yield None
        return
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn()]
    bar = Progress(
        *columns, TimeRemainingColumn(), console=Console(file=sys.stderr), transient=True
    )
    task = bar.add_task(label, total=None)
    timer = Timer(PATIENCE, bar.start)
    timer.start()
    try:
        yield lambda share: bar.update(task, total=1.0, completed=share)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
