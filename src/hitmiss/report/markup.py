"""HTML elements whose text and attributes are always escaped."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any

VOID = {"input", "link", "meta"}
# What could end a script element or, in older browsers, a line of JavaScript.
UNSAFE_IN_SCRIPT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


class Markup(str):
    """Text that is HTML and must not be escaped."""

    __slots__ = ()


def tag(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """One element; children that are not `Markup` are escaped.

    Parameters
    ----------
    name : str
        Name of the element.
    *children : object
        Elements and texts, or lists of them; None is left out.
    **attributes : object
        ``class_`` stands for ``class``, an underscore for a hyphen. True is an attribute without
        a value, None and False leave it out.

    Returns
    -------
    Markup

    Examples
    --------
    >>> tag("p", "a < b ", tag("b", "c"), class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b <b>c</b></p>'
    """
    opening = name + "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{joined(*children)}</{name}>")


def joined(*children: Any) -> Markup:
    """Elements and texts, one after the other."""
    return Markup("".join(_child(child) for child in children))


def script_json(value: Any) -> str:
    r"""JSON that is safe inside a script element.

    Examples
    --------
    >>> script_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(UNSAFE_IN_SCRIPT)


def _child(child: Any) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, Iterable) and not isinstance(child, str):
        return joined(*child)
    return escape(str(child))


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
