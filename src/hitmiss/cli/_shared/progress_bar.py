"""A progress bar on standard error while files are read and written."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

DELAY = 1.0  # seconds before a bar appears, so that short work shows none


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
