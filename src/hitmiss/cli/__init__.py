"""The command line: parse, call, print."""

import atexit
import os
import sys

from hitmiss._util.errors import MissingExtraError, optional

INTERRUPTED = 130  # the exit code of Ctrl-C


def main() -> None:
    """Run the command ``hitmiss``."""
    interrupted: list[bool] = []
    # Registered before anything else is imported, so it is called last.
    atexit.register(lambda: _leave_at_once() if interrupted else None)
    try:
        _run()
    except SystemExit as leaving:
        if leaving.code == INTERRUPTED:
            interrupted.append(True)
            # Not at its end: there the interpreter first waits for all threads, and one that was
            # about to start when Ctrl-C came may never end.
            atexit._run_exitfuncs()
        raise


def _run() -> None:
    try:
        optional("typer", extra="cli")
        optional("rich", extra="cli")
        from hitmiss.cli.app import app
    except MissingExtraError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted; nothing was kept.", file=sys.stderr)
        sys.exit(INTERRUPTED)

    app(prog_name="hitmiss")


def _leave_at_once() -> None:
    """End the process after Ctrl-C.

    Everything that had to be closed or deleted is by now. The shutdown of the interpreter and of
    the compiled code, which takes half a second or more, is skipped.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # a broken pipe, or a closed stream
            continue
    os._exit(INTERRUPTED)
