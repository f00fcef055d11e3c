"""Errors of a command as one sentence on standard error and an exit code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from hitmiss._util.errors import ClusterError, MissingExtraError, first_line
from hitmiss.cli import INTERRUPTED
from hitmiss.cli._shared.terminal import printable

WRONG_INPUT = 2
# Some versions of typer bundle their own click; this base class of their errors fits all.
UsageError: Any = typer.BadParameter.__base__


class CommandGroup(TyperGroup):
    """Commands whose errors are one sentence, without a traceback."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the options that stand before the command."""
        with one_sentence_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with one_sentence_errors():
            return super().invoke(ctx)


@contextmanager
def one_sentence_errors() -> Iterator[None]:
    """Print errors in the input or the environment and exit with code 2.

    Other exceptions are mistakes in the program; they pass through with their traceback.
    """
    try:
        yield
    except KeyboardInterrupt:
        exit_interrupted("Interrupted; nothing was kept.")
    except BrokenPipeError:
        raise  # the reader of the output has closed it, such as `head`
    except MemoryError:
        exit_with_error("There is not enough memory for this")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        exit_with_error(f"{where}{error.strerror or error}")
    except (ValueError, MissingExtraError, ClusterError) as error:
        exit_with_error(first_line(error))
    except UsageError as error:
        exit_with_error(usage_hint(error))


def usage_hint(error: Any) -> str:
    """Usage error, and the command whose help explains the options."""
    problem = error.format_message().splitlines()[0].rstrip(".")
    path = error.ctx.command_path if error.ctx else "hitmiss"
    return problem if problem.endswith("?") else f"{problem}; see {path} --help"


def exit_interrupted(sentence: str) -> NoReturn:
    """Print what was kept and exit with the code of Ctrl-C."""
    if sys.stderr.isatty():
        typer.echo(err=True)  # below the progress bar
    typer.echo(printable(sentence), err=True)
    raise typer.Exit(INTERRUPTED)


def exit_with_error(sentence: str) -> NoReturn:
    """Print the sentence on standard error and exit with the code of wrong input."""
    end = "" if sentence.endswith(("?", ".")) else "."
    typer.echo(printable(f"Error: {sentence}{end}"), err=True)
    raise typer.Exit(WRONG_INPUT)
