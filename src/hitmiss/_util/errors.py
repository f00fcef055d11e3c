"""Errors that are the user's to mend, each one sentence that says how."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any


class InputError(ValueError):
    """A file, an option or a value is not what it should be."""


class MissingExtraError(ImportError):
    """An optional dependency is not installed."""


class ClusterError(RuntimeError):
    """A cluster can do no more."""


def optional(module: str, extra: str) -> Any:
    """The module, or an error that says how to install it.

    Parameters
    ----------
    module : str
        Dotted name of the module.
    extra : str
        The extra of hitmiss that brings it.

    Returns
    -------
    module

    Examples
    --------
    >>> optional("math", extra="math").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f'{package} is needed for this; install it with: pip install "hitmiss[{extra}]".'
        ) from error


@contextmanager
def parsing(path: Path, kind: str) -> Iterator[None]:
    """Turn whatever a parser raises at a file that is not of its kind into an `InputError`.

    Parsers of foreign formats raise nearly anything when they meet bytes they do not expect.
    """
    try:
        yield
    except (InputError, MissingExtraError, MemoryError, FileNotFoundError, PermissionError):
        raise
    except Exception as error:
        raise InputError(f"{path} cannot be read as {kind}: {first_line(error)}.") from error


def first_line(error: BaseException) -> str:
    """The message of an error, cut to its first line and without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(" .:") if lines else type(error).__name__
