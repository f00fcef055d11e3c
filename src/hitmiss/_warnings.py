"""Warnings that point at the user's line."""

import sys
import warnings

BETWEEN = {"contextlib", "hitmiss", "joblib", "sklearn"}  # the user's line and the warning


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the user that led here, however many calls lie between.

    Parameters
    ----------
    message : str
        What to say.
    category : type, default=UserWarning
        Kind of the warning.
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _package(frame.f_globals) in BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _package(names: dict[str, object]) -> str:
    return str(names.get("__name__")).partition(".")[0]
