"""Text for messages, figures and reports."""

import difflib
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
        Converted by `str`.
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
    """The names, with a number appended to each that occurred before.

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


def counted(n: int, what: str = "sample") -> str:
    """A number of things in words.

    Examples
    --------
    >>> counted(1), counted(2000)
    ('1 sample', '2,000 samples')
    """
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def by_comma(text: str) -> list[str]:
    """The names that commas separate, without the space around them.

    Examples
    --------
    >>> by_comma("lofe, relieff,")
    ['lofe', 'relieff']
    """
    return [name for part in text.split(",") if (name := part.strip())]


def suggestion(name: str, known: Iterable[str], otherwise: str) -> str:
    """A question for the known name that is closest to a misspelled one.

    Parameters
    ----------
    name : str
        The name that is not known.
    known : iterable of str
        All known names.
    otherwise : str
        Answer if no known name is similar.

    Returns
    -------
    str

    Examples
    --------
    >>> suggestion("sigmb", ["alpha", "sigma"], "there are two.")
    "did you mean 'sigma'?"
    """
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else otherwise


def _printable(character: str) -> str:
    if unicodedata.category(character) not in UNPRINTABLE:
        return character
    return " " if character.isspace() else "\ufffd"
