"""The value of one cell of a table."""

import re
from typing import Any

import numpy as np

from hitmiss._util.errors import InputError

# What R, pandas, spreadsheets, SQL and ARFF write for a missing value, in lower case.
MISSING = frozenset({"", "na", "nan", "n/a", "#n/a", "<na>", "null", "none", "?"})
TRUTHS = {"true": 1.0, "false": 0.0}
LONGEST_SHOWN = 40  # characters of a cell in an error, which then fits on two lines
NUMBER_HINT = (
    "write numbers as 1000, 1.5 or 0.12, without thousands separators, decimal commas and percent "
    "signs"
)

# Notations that `float` does not accept: 1,000 or 1'000.5, 1,5 or 1.000,5, and 12 %.
_THOUSANDS = r"\d{1,3}(?:[,'\u2019\u00a0\u202f]\d{3})+(?:\.\d+)?"
_DECIMAL_COMMA = r"(?:\d{1,3}(?:\.\d{3})+|\d*),\d+(?:[eE][+-]?\d+)?"
_PERCENT = r"(?:\d+\.?\d*|\.\d+)(?=\s?%)"
_NUMBER_LIKE = re.compile(rf"\s*[+-]?(?:{_THOUSANDS}|{_DECIMAL_COMMA}|{_PERCENT})\s?%?\s*")


def clean_name(name: Any) -> str:
    """`name` as text on one line, without surrounding space."""
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return " ".join(text.splitlines()).strip()


def is_missing(cell: Any) -> bool:
    """Whether a cell is empty or a word for a missing value."""
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING)


def is_number(cell: Any) -> bool:
    """Whether a cell holds a number; 1_000, which Python accepts, is none."""
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return not (isinstance(cell, str) and "_" in cell)


def is_count(cell: Any) -> bool:
    """Whether a cell holds a whole number of at least 0."""
    return is_number(cell) and float(cell) >= 0 and float(cell).is_integer()


def is_truth(cell: Any) -> bool:
    """Whether a cell holds TRUE or FALSE."""
    return isinstance(cell, str) and cell.strip().lower() in TRUTHS


def is_number_like(cell: Any) -> bool:
    """Whether a cell is text in another notation of numbers, such as 1,000 or 12 %."""
    return isinstance(cell, str) and _NUMBER_LIKE.fullmatch(cell) is not None


def cell_value(cell: Any, name: str, number: int, hint: str) -> float:
    """The number in a cell, or an error that names its row and column.

    Parameters
    ----------
    cell : object
        Text or a number. TRUE is 1, FALSE is 0, what is missing is NaN.
    name : str
        Name of its column.
    number : int
        Number of its row.
    hint : str
        What to do about text, for the error.

    Returns
    -------
    float
    """
    if is_missing(cell):
        return np.nan
    if is_number(cell):
        return float(cell)
    if is_truth(cell):
        return TRUTHS[cell.strip().lower()]
    shown = str(cell) if len(str(cell)) <= LONGEST_SHOWN else f"{str(cell)[:LONGEST_SHOWN]}..."
    raise InputError(
        f"Column {name!r} holds {shown!r} in row {number}, which is no number; "
        f"{NUMBER_HINT if is_number_like(cell) else hint}."
    )
