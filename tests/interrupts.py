"""Ctrl-C at a chosen line of the library: every place where an interrupt can come, one by one."""

from fuzz.handling import Lines


def lines(at=None):
    """Inside, the lines that the calling thread runs are counted, and one may be interrupted."""
    return Lines(at)
