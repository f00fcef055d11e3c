"""The value of one cell of a table."""

import re
from typing import Any

import numpy as np

from hitmiss._util.errors import InputError
from hitmiss.io.decimals import with_point

# What R, pandas, spreadsheets, SQL and ARFF write for a missing value, in lower case.
MISSING = frozenset({"", "na", "nan", "n/a", "#n/a", "<na>", "null", "none", "?"})
TRUTHS = {"true": 1.0, "false": 0.0}
LONGEST_SHOWN = 40  # characters of a cell in an error, which then fits on two lines
NUMBER_HINT = (
    "write numbers as 1000, 1.5 or 0.12, without thousands separators, decimal commas and percent "
    "signs"
)

COMMA_HINT = f"{NUMBER_HINT}, or use --decimal , if all commas are decimal commas"
_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")

# Notations that `float` does not accept: 1,000 or 1'000.5, 1,5 or 1.000,5, and 12 %.
_THOUSANDS = r"\d{1,3}(?:[,'\u2019\u00a0\u202f]\d{3})+(?:\.\d+)?"
_DECIMAL_COMMA = r"(?:\d{1,3}(?:\.\d{3})+|\d*),\d+(?:[eE][+-]?\d+)?"
_PERCENT = r"(?:\d+\.?\d*|\.\d+)(?=\s?%)"
_NUMBER_LIKE = re.compile(rf"\s*[+-]?(?:{_THOUSANDS}|{_DECIMAL_COMMA}|{_PERCENT})\s?%?\s*")


def clean_name(name: Any) -> str:
    """`name` as text on one line, without surrounding space."""
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return " ".join(text.splitlines()).strip()


def sample_name(cell: Any) -> str:
    """The name in a cell: text without space around it, a whole number without a decimal point.

    Examples
    --------
    >>> sample_name(" s1 "), sample_name("001"), sample_name(7.0)
    ('s1', '001', '7')
    """
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else clean_name(cell)


def is_missing(cell: Any) -> bool:
    """Whether a cell is empty or a word for a missing value."""
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING)


def is_number(cell: Any) -> bool:
    """Whether a cell holds a number; 1_000, which Python accepts, does not count."""
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


def is_word(cell: Any) -> bool:
    """Whether a cell holds text that is neither missing nor a number in any notation."""
    if not isinstance(cell, str):
        return False
    number = is_number(cell.replace("_", "")) or is_number_like(cell)  # 1_000 is one in Python
    return not (number or is_missing(cell) or is_truth(cell))


def cell_value(cell: Any, name: str, number: int, hint: str, decimal: str | None = None) -> float:
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
    decimal : str, default=None
        The decimal mark; None is a point.

    Returns
    -------
    float
    """
    if is_missing(cell):
        return np.nan
    text = with_point(cell) if decimal == "," and isinstance(cell, str) else cell
    if is_number(text):
        return float(text)
    if is_truth(cell):
        return TRUTHS[cell.strip().lower()]
    shown = str(cell) if len(str(cell)) <= LONGEST_SHOWN else f"{str(cell)[:LONGEST_SHOWN]}..."
    if decimal == "," and is_number(cell):
        hint = "other numbers have a decimal comma, so write it with one, or use --decimal ."
    elif is_number_like(cell):
        hint = COMMA_HINT if _COMMA.fullmatch(cell) and decimal != "," else NUMBER_HINT
    raise InputError(
        f"Column {name!r} holds {shown!r} in row {number}, which is not a number; {hint}."
    )
