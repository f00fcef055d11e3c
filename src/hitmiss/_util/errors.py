"""Errors of input, installation or cluster, each one sentence that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any


class InputError(ValueError):
    """A file, an option or a value is invalid."""


class MissingExtraError(ImportError):
    """An optional dependency is not installed."""


class ClusterError(RuntimeError):
    """A cluster has lost its scheduler, its workers or data."""


def optional(module: str, extra: str) -> Any:
    """The imported module, or an error that says how to install it.

    Parameters
    ----------
    module : str
        Dotted name of the module.
    extra : str
        The extra of hitmiss that installs it.

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
    """Turn any exception of a parser into an `InputError`.

    Parsers raise exceptions of nearly any type for bytes that are not of their format.
    """
    try:
        yield
    except (InputError, MissingExtraError, MemoryError, FileNotFoundError, PermissionError):
        raise
    except Exception as error:
        raise InputError(f"{path} cannot be read as {kind}: {first_line(error)}.") from error


def first_line(error: BaseException) -> str:
    """The first line of the message of an error, without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(" .:") if lines else type(error).__name__
