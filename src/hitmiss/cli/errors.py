"""What went wrong, in one sentence and an exit code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from hitmiss._util.errors import ClusterError, MissingExtraError, first_line
from hitmiss.cli.show import printable

WRONG_INPUT = 2
INTERRUPTED = 130
# Some versions of typer bring a click of their own; the base of what they raise is right for all.
UsageError: Any = typer.BadParameter.__base__


class Commands(TyperGroup):
    """Commands whose errors are one sentence, without a traceback."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the options that stand before the command."""
        with one_sentence():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with one_sentence():
            return super().invoke(ctx)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Print what the user can mend and leave with code 2; a mistake of the program goes through."""
    try:
        yield
    except KeyboardInterrupt:
        interrupted("Interrupted; nothing was kept.")
    except BrokenPipeError:
        raise  # the reader of the output has seen enough
    except MemoryError:
        fail("There is not enough memory for this", WRONG_INPUT)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", WRONG_INPUT)
    except (ValueError, MissingExtraError, ClusterError) as error:
        fail(first_line(error), WRONG_INPUT)
    except UsageError as error:
        fail(usage(error), WRONG_INPUT)


def usage(error: Any) -> str:
    """What is wrong with the options, and where they are explained."""
    problem = error.format_message().splitlines()[0].rstrip(".")
    path = error.ctx.command_path if error.ctx else "hitmiss"
    return problem if problem.endswith("?") else f"{problem}; see {path} --help"


def interrupted(sentence: str) -> NoReturn:
    """Say what was kept and leave with the code of Ctrl-C."""
    if sys.stderr.isatty():
        typer.echo(err=True)  # below the progress bar
    typer.echo(printable(sentence), err=True)
    raise typer.Exit(INTERRUPTED)


def fail(sentence: str, code: int) -> NoReturn:
    """Print the sentence on standard error and leave."""
    end = "" if sentence.endswith(("?", ".")) else "."
    typer.echo(printable(f"Error: {sentence}{end}"), err=True)
    raise typer.Exit(code)
