"""Signals in tests, whatever handling the test run has inherited."""

import signal
from contextlib import contextmanager


@contextmanager
def default_sigint():
    """Inside, SIGINT raises KeyboardInterrupt, and child processes start with the default handling.

    The background job of a shell ignores SIGINT, and so would everything that it starts. A handler
    does not outlive the exec of a child, which therefore gets the default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
