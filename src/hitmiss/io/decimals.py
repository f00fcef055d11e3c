"""The decimal mark of a text: a point, or a comma if that is unambiguous."""

import csv
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

SNIFFED = 20_000  # cells that decide: read in some milliseconds
_POINT = re.compile(r"\s*[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\s*")
_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")
_WHOLE = re.compile(r"\s*[+-]?\d+\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2}(?:,\d{3})+\s*")  # as well 1000 as 1


def decimal_mark(lines: Iterable[str], delimiter: str) -> str:
    """The decimal mark of the numbers in a table.

    A comma, if numbers in the first rows have one, none has a point, and some of them cannot be
    thousands; else a point, and numbers with a comma are errors.

    Parameters
    ----------
    lines : iterable of str
        Of a text, the header first.
    delimiter : str
        Between two cells.

    Returns
    -------
    str

    Examples
    --------
    >>> decimal_mark(["a;b", "1,5;2", "0,25;3"], ";")
    ','
    >>> decimal_mark(["a;b", "1,500;2", "2,250;3"], ";")  # perhaps thousands
    '.'
    """
    rows, sure = islice(csv.reader(lines, delimiter=delimiter), 1, None), False
    for cell in islice((cell for row in rows for cell in row), SNIFFED):
        if _POINT.fullmatch(cell):
            return "."
        sure = sure or (_COMMA.fullmatch(cell) is not None and not _THOUSANDS.fullmatch(cell))
    return "," if sure else "."


def with_point(cell: str) -> str:
    """A number with a decimal comma as Python reads it; one with a point is not a number.

    Examples
    --------
    >>> with_point("1,5"), with_point("1.5"), with_point("1.000,5")
    ('1.5', '1.5?', '1.000.5?')
    """
    return cell.replace(",", ".") + ("?" if "." in cell else "")


def numbers_with_point(cells: Iterable[Any], decimal: str | None) -> list[Any]:
    """The cells of a column that is no feature, its numbers as Python reads them.

    Parameters
    ----------
    cells : iterable
        Of a target, a time or a covariate: numbers, or names of anything.
    decimal : str or None
        The decimal mark. With a comma, a column is changed if all of its cells that have digits are
        numbers in this notation.

    Examples
    --------
    >>> numbers_with_point(["1,5", "2", "NA"], ",")
    ['1.5', '2', 'NA']
    >>> numbers_with_point(["1,5", "stage 2"], ",")
    ['1,5', 'stage 2']
    """
    given = list(cells)
    if decimal != "," or not all(_is_in_comma_notation(cell) for cell in given):
        return given
    return [cell.replace(",", ".") if _is_decimal(cell) else cell for cell in given]


def _is_decimal(cell: Any) -> bool:
    return isinstance(cell, str) and _COMMA.fullmatch(cell) is not None


def _is_in_comma_notation(cell: Any) -> bool:
    if not isinstance(cell, str) or not any(map(str.isdigit, cell)):
        return True
    return _is_decimal(cell) or _WHOLE.fullmatch(cell) is not None
