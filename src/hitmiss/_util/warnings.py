"""Warnings that point at the line of user code that led to them."""

import sys
import warnings

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
