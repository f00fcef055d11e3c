"""Markdown of tables, lists, verdicts and links."""

import re


def table(head, rows):
    """A table from its head and its rows."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def bullets(lines):
    """A list, one line each."""
    return "\n".join(f"- {line}" for line in lines)


def yes(held):
    """A verdict in a word; None is "open"."""
    return "open" if held is None else "yes" if held else "**no**"


def link(title, text):
    """A link to the section with that title on the same page."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return f"[{text}](#{kept.replace(' ', '-')})"
