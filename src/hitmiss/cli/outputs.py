"""The folder that `hitmiss select` leaves behind."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hitmiss import persistence
from hitmiss.cli.show import jsonable

NAMES = ("weights.csv", "selected.txt", "model.npz", "report.html", "run.json")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def write_weights(folder: Path, estimator: Any) -> None:
    """weights.csv: every feature, best first, with numbers to the last bit.

    A name that a spreadsheet would take for a formula gets an apostrophe in front, and so does one
    that begins with an apostrophe: taking one away gives the name back.
    """
    names, support = estimator.feature_names_in_, estimator.get_support()
    weights, importances = estimator.weights_, estimator.feature_importances_
    rows = (
        (rank, quoted(names[j]), float(weights[j]), float(importances[j]), int(support[j]))
        for rank, j in enumerate(estimator.ranking_, 1)
    )
    header = ["rank", "feature", "weight", "importance", "selected"]
    write_csv(folder / "weights.csv", header, rows)


def quoted(name: str) -> str:
    """The name as a spreadsheet should see it."""
    return f"'{name}" if name.startswith(FORMULA) else name


def write_selected(folder: Path, selected: list[str]) -> None:
    """selected.txt: a name per line, best first, exactly as in the data."""
    text = "".join(f"{name}\n" for name in selected)
    (folder / "selected.txt").write_text(text, encoding="utf-8", newline="\n")


def write_model(folder: Path, estimator: Any) -> None:
    """model.npz, for `hitmiss predict` and `hitmiss.persistence.load`."""
    persistence.save(estimator, folder / "model.npz")


def write_report(folder: Path, html: str) -> None:
    """report.html."""
    (folder / "report.html").write_text(html, encoding="utf-8", newline="\n")


def write_run(folder: Path, run: dict[str, Any]) -> None:
    """run.json: what was done to what, by which versions."""
    text = json.dumps(jsonable(run), indent=2, ensure_ascii=False, allow_nan=False)
    (folder / "run.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table as CSV."""
    with path.open("x", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
