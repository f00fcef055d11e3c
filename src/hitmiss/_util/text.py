"""Texts of any origin, made fit to be shown."""

import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Any

UNPRINTABLE = {"Cc", "Cs"}  # control characters and halves of surrogate pairs


def clean(value: Any, longest: int = 200) -> str:
    """`value` as text that can be printed and encoded, of at most `longest` characters.

    A longer one loses its middle, because names often differ at their end.

    Parameters
    ----------
    value : object
        Anything that has a text.
    longest : int, default=200
        Largest length of the result.

    Returns
    -------
    str

    Examples
    --------
    >>> clean("a very long name", longest=9)
    'a ve…name'
    """
    text = str(value)
    if len(text) > longest:
        text = text[: longest // 2] + "…" + text[len(text) - (longest - 1) // 2 :]
    if text.isascii() and text.isprintable():
        return text
    return "".join(_printable(character) for character in text)


def distinct(names: Iterable[str]) -> list[str]:
    """The names, those that occur again with a number behind.

    Parameters
    ----------
    names : iterable of str
        Names of any kind.

    Returns
    -------
    list of str

    Examples
    --------
    >>> distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a (2)', 'a (3)']
    """
    found: dict[str, None] = {}
    for name in names:
        candidates = (f"{name} ({k})" if k > 1 else name for k in count(1))
        found[next(text for text in candidates if text not in found)] = None
    return list(found)


def _printable(character: str) -> str:
    if unicodedata.category(character) not in UNPRINTABLE:
        return character
    return " " if character.isspace() else "\ufffd"
