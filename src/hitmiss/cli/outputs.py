"""The folder that `hitmiss select` leaves behind."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from hitmiss import models
from hitmiss._files import new_folder
from hitmiss.cli.show import jsonable

NAMES = ("weights.csv", "selected.txt", "model.npz", "report.html", "run.json")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


@contextmanager
def results_folder(path: Path) -> Iterator[Path]:
    """A folder to fill that appears at `path`, in place of an earlier one, if nothing fails."""
    with new_folder(path, NAMES) as part:
        yield part


def write_weights(folder: Path, estimator: Any) -> None:
    """weights.csv: every feature, best first, with numbers to the last bit.

    A name that a spreadsheet would take for a formula gets an apostrophe in front, and so does one
    that begins with an apostrophe: taking one away gives the name back.
    """
    names, support = estimator.feature_names_in_, estimator.get_support()
    with (folder / "weights.csv").open("x", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["rank", "feature", "weight", "importance", "selected"])
        for rank, j in enumerate(estimator.ranking_, 1):
            weight, importance = estimator.weights_[j], estimator.feature_importances_[j]
            writer.writerow(
                [rank, quoted(names[j]), float(weight), float(importance), int(support[j])]
            )


def quoted(name: str) -> str:
    """The name as a spreadsheet should see it."""
    return f"'{name}" if name.startswith(FORMULA) else name


def write_selected(folder: Path, selected: list[str]) -> None:
    """selected.txt: a name per line, best first, exactly as in the data."""
    text = "".join(f"{name}\n" for name in selected)
    (folder / "selected.txt").write_text(text, encoding="utf-8", newline="\n")


def write_model(folder: Path, estimator: Any) -> None:
    """model.npz, for `hitmiss predict` and `hitmiss.models.load`."""
    models.save(estimator, folder / "model.npz")


def write_report(folder: Path, html: str) -> None:
    """report.html."""
    (folder / "report.html").write_text(html, encoding="utf-8", newline="\n")


def write_run(folder: Path, run: dict[str, Any]) -> None:
    """run.json: what was done to what, by which versions."""
    text = json.dumps(jsonable(run), indent=2, ensure_ascii=False, allow_nan=False)
    (folder / "run.json").write_text(f"{text}\n", encoding="utf-8", newline="\n")


def selected_names(estimator: Any) -> list[str]:
    """Names of the selected features, best first."""
    order = estimator.ranking_[estimator.get_support()[estimator.ranking_]]
    return list(np.asarray(estimator.feature_names_in_)[order])
