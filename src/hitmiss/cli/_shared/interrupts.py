"""Ctrl-C that is not lost."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

REPEAT = 0.3  # seconds after which an interrupt that had no effect is raised again


@contextmanager
def insistent_interrupts() -> Iterator[None]:
    """Raise Ctrl-C again and again until the block ends.

    An exception that is raised while a library calls Python from C code may be printed and lost,
    and the work would go on to its end. Only for work whose results an interrupt throws away,
    since cleaning up may be interrupted as well.
    """
    if not _can_insist():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, REPEAT)
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGALRM)
    }
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _can_insist() -> bool:
    """Whether there are timers, Ctrl-C has its usual effect, and this thread receives signals."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
