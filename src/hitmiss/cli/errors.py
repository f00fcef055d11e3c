"""What went wrong, in one sentence and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from hitmiss._errors import MissingExtraError, first_line
from hitmiss.cli.show import printable

WRONG_INPUT = 2
INTERRUPTED = 130


class Commands(TyperGroup):
    """Commands whose errors are one sentence, without a traceback."""

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
        fail("Interrupted", INTERRUPTED)
    except BrokenPipeError:
        raise  # the reader of the output has seen enough
    except MemoryError:
        fail("There is not enough memory for this", WRONG_INPUT)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}", WRONG_INPUT)
    except (ValueError, MissingExtraError) as error:
        fail(first_line(error), WRONG_INPUT)


def fail(sentence: str, code: int) -> NoReturn:
    """Print the sentence on standard error and leave."""
    end = "" if sentence.endswith(("?", ".")) else "."
    typer.echo(printable(f"Error: {sentence}{end}"), err=True)
    raise typer.Exit(code)
