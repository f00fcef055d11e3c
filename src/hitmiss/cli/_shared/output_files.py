"""The files that several commands write into their output folder."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hitmiss.cli._shared.terminal import json_text

FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def quoted(name: str) -> str:
    """The name as a cell of a spreadsheet.

    A name that a spreadsheet would take for a formula gets an apostrophe in front, and so does one
    that begins with an apostrophe: taking one away gives the name back.
    """
    return f"'{name}" if name.startswith(FORMULA) else name


def write_report(folder: Path, html: str) -> None:
    """report.html."""
    (folder / "report.html").write_text(html, encoding="utf-8", newline="\n")


def write_run(folder: Path, run: dict[str, Any]) -> None:
    """run.json: what was done to what, by which versions."""
    (folder / "run.json").write_text(f"{json_text(run)}\n", encoding="utf-8", newline="\n")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table as CSV.

    Parameters
    ----------
    path : Path
        The file, which must not exist.
    header : sequence of str
        Names of the columns.
    rows : iterable of sequences
        The values, one row after the other.
    """
    with path.open("x", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
