"""What `hitmiss compare` found, and the folder that it leaves behind."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from hitmiss.cli.outputs import quoted, write_csv, write_report, write_run
from hitmiss.cli.record import versions
from hitmiss.io import Table
from hitmiss.metrics import Comparison
from hitmiss.report import render, summarize

NAMES = ("comparison.csv", "curves.csv", "selected.csv", "report.html", "run.json")
LISTS = ("selected", "curve")  # of a row, that are no single number


@dataclass(frozen=True)
class Standings:
    """The methods that are done."""

    table: Table
    y: NDArray
    found: list[Comparison]
    n_methods: int

    @property
    def complete(self) -> bool:
        """Whether that is all of them."""
        return self.remark is None

    @property
    def remark(self) -> str | None:
        """What an interrupted run must say of itself."""
        done, n = len(self.found), self.n_methods
        return None if done == n else f"Interrupted after {done} of {n} methods."

    @property
    def best(self) -> Comparison:
        """The method of the smallest error; the earliest of several."""
        return min(self.found, key=lambda item: item.error)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What is known of each method."""
        return [_row(item, self.table.feature_names) for item in self.found]


def write_standings(folder: Path, standings: Standings, record: dict[str, Any]) -> None:
    """Fill the folder: three tables, a report, and the record."""
    rows = standings.rows
    facts = [key for key in rows[0] if key not in LISTS]
    write_csv(folder / "comparison.csv", facts, ([row[key] for key in facts] for row in rows))
    write_csv(folder / "curves.csv", ["method", "n_features", "error"], _curves(rows))
    write_csv(folder / "selected.csv", ["method", "rank", "feature"], _selected(rows))
    write_report(folder, _report(standings, record))
    results = {"results": rows, "complete": standings.complete, "versions": versions()}
    write_run(folder, {**record, **results})


def _row(item: Comparison, names: list[str]) -> dict[str, Any]:
    known = {} if item.recovered is None else {"recovered": item.recovered}
    return {
        "method": item.method,
        "n_selected": len(item.selected),
        **known,
        "error": item.error,
        "best_error": item.curve.best_error,
        "best_n_features": item.curve.best_n_features,
        "stability": item.stability,
        "seconds": item.seconds,
        "selected": [names[j] for j in item.selected],
        "curve": {
            "n_features": item.curve.n_features.tolist(),
            "errors": item.curve.errors.tolist(),
        },
    }


def _curves(rows: list[dict[str, Any]]) -> Iterator[tuple[str, int, float]]:
    for row in rows:
        curve = row["curve"]
        for n, error in zip(curve["n_features"], curve["errors"], strict=True):
            yield row["method"], n, error


def _selected(rows: list[dict[str, Any]]) -> Iterator[tuple[str, int, str]]:
    for row in rows:
        for rank, name in enumerate(row["selected"], 1):
            yield row["method"], rank, quoted(name)


def _report(standings: Standings, record: dict[str, Any]) -> str:
    best, table, source = standings.best, standings.table, record["data"]
    summary = summarize(
        best.fitted,
        table.X,
        standings.y,
        feature_names=table.feature_names,
        sample_names=table.sample_names,
        title=f"Methods compared on {Path(source['file']).name}",
        remark=standings.remark,
        source={key: source[key] for key in ("file", "sha256", "target")},
        method=best.method,
        seconds=best.seconds,
        stability={"nogueira": best.stability},
        cross_validation={"error": best.error, "n_folds": record["n_folds"]},
        comparison=[{k: v for k, v in row.items() if k != "selected"} for row in standings.rows],
    )
    return render(summary)
