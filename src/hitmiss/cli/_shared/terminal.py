"""Output on the terminal: results on standard output, everything else on standard error."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer

WIDTH_WITHOUT_TERMINAL = 200  # columns of a table that goes to a file or a pipe


def note(text: str, *, quiet: bool) -> None:
    """Print a line on standard error."""
    if not quiet:
        typer.echo(printable(text), err=True)


def print_line(text: str = "") -> None:
    """Print a line on standard output."""
    typer.echo(printable(text))


def print_json(value: Any) -> None:
    """Print JSON on standard output."""
    typer.echo(json_text(value))


def print_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table on standard output, with columns of numbers aligned to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    rows = list(rows)
    for j, name in enumerate(header):
        numbers = all(isinstance(row[j], int | float) for row in rows)
        table.add_column(Text(name), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = WIDTH_WITHOUT_TERMINAL
    console.print(table)


def printable(text: str) -> str:
    """The text without control characters, which a terminal would interpret."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def json_text(value: Any) -> str:
    """The value as JSON, indented; characters that a terminal would interpret are escaped."""
    text = json.dumps(jsonable(value), indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def jsonable(value: Any) -> Any:
    """The value in types that JSON has; NaN and infinities are null, estimators their code."""
    import numpy as np

    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return jsonable(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    return repr(value)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.4g}"
    return printable(str(value))
