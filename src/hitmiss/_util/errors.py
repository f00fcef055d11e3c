"""Errors and warnings, each one sentence that says what to do."""

import sys
import warnings
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


# Packages whose frames may lie between user code and the warning.
BETWEEN = {"contextlib", "hitmiss", "importlib", "joblib", "sklearn"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of user code that led here, through any number of calls.

    Parameters
    ----------
    message : str
        Text of the warning.
    category : type, default=UserWarning
        Category of the warning.
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and _package(frame.f_globals) in BETWEEN:
        frame = frame.f_back
    warnings.warn_explicit(
        message,
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=str(frame.f_globals.get("__name__")),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _package(names: dict[str, object]) -> str:
    return str(names.get("__name__")).partition(".")[0]
