"""Ctrl-C at a chosen line of the library: every place where an interrupt can come, one by one."""

import sys
from contextlib import contextmanager
from pathlib import Path

import hitmiss

ROOT = str(Path(hitmiss.__file__).parent)


class Lines:
    """Counts the lines of the library that run, and raises KeyboardInterrupt before one of them.

    Parameters
    ----------
    at : int or None
        Which line, counted from 0 as they run; None raises nothing.
    """

    def __init__(self, at=None):
        self.at, self.n_seen = at, 0

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(ROOT):
            return None
        if event == "line":
            self.n_seen += 1
            if self.n_seen - 1 == self.at:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


@contextmanager
def lines(at=None):
    """Inside, the lines that the calling thread runs are counted, and one may be interrupted."""
    before, watch = sys.gettrace(), Lines(at)
    sys.settrace(watch)
    try:
        yield watch
    finally:
        sys.settrace(before)
