"""Results of `hitmiss compare`, and the files they are written to."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.versions import versions
from hitmiss.cli._shared.output_files import quoted, write_csv, write_report, write_run
from hitmiss.cli._shared.shown_source import shown_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table
    from hitmiss.metrics import Comparison

NAMES = ("comparison.csv", "curves.csv", "selected.csv", "report.html", "run.json")
CURVE = {  # entry of a curve -> column of curves.csv
    "n_features": "n_features",
    "errors": "error",
    "standard_errors": "standard_error",
    "stability": "stability",
}
LISTS = ("selected", "curve")  # entries of a row that are not one number


@dataclass(frozen=True)
class ComparisonResults:
    """The methods that are done, of all that were requested."""

    table: "Table"
    y: "NDArray"
    found: "list[Comparison]"
    n_methods: int

    @property
    def complete(self) -> bool:
        """Whether all methods are done."""
        return self.interruption is None

    @property
    def interruption(self) -> str | None:
        """The sentence that says where the run was interrupted; None if it is complete."""
        done, n = len(self.found), self.n_methods
        return None if done == n else f"Interrupted after {done} of {n} methods."

    @property
    def best(self) -> "Comparison":
        """The method of the smallest error; the earliest of several."""
        return min(self.found, key=lambda item: item.error)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The results of each method."""
        return [_row(item, self.table.feature_names) for item in self.found]


def write_results(folder: Path, results: ComparisonResults, record: dict[str, Any]) -> None:
    """Write the files `NAMES`.

    Parameters
    ----------
    folder : Path
        Where to write them.
    results : ComparisonResults
        What was found.
    record : dict
        The request; it becomes a part of run.json.
    """
    rows = results.rows
    columns = [key for key in rows[0] if key not in LISTS]
    write_csv(folder / "comparison.csv", columns, ([row[key] for key in columns] for row in rows))
    write_csv(folder / "curves.csv", ["method", *CURVE.values()], _curves(rows))
    write_csv(folder / "selected.csv", ["method", "rank", "feature"], _selected(rows))
    write_report(folder, _report(results, record))
    found = {"results": rows, "complete": results.complete, "versions": versions()}
    write_run(folder, {**record, **found})


def _row(item: "Comparison", names: list[str]) -> dict[str, Any]:
    known = {} if item.recovered is None else {"recovered": item.recovered}
    return {
        "method": item.method,
        "n_selected": len(item.selected),
        **known,
        "error": item.error,
        "standard_error": item.standard_error,
        "best_error": item.curve.best_error,
        "best_n_features": item.curve.best_n_features,
        "stability": item.stability,
        "seconds": item.seconds,
        "selected": [names[j] for j in item.selected],
        "curve": {
            "n_features": item.curve.n_features.tolist(),
            "errors": item.curve.errors.tolist(),
            "standard_errors": _numbers(item.curve_standard_errors),
            "stability": _numbers(item.curve_stability),
        },
    }


def _curves(rows: list[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        for values in zip(*(row["curve"][key] for key in CURVE), strict=True):
            yield row["method"], *values


def _selected(rows: list[dict[str, Any]]) -> Iterator[tuple[str, int, str]]:
    for row in rows:
        for rank, name in enumerate(row["selected"], 1):
            yield row["method"], rank, quoted(name)


def _report(results: ComparisonResults, record: dict[str, Any]) -> str:
    """The report on the best method, with the table of all."""
    from hitmiss.report import render, summarize

    best, table, source = results.best, results.table, record["data"]
    summary = summarize(
        best.fitted,
        table.X,
        results.y,
        feature_names=table.feature_names,
        sample_names=table.sample_names,
        title=f"Methods compared on {Path(source['file']).name}",
        remark=results.interruption,
        source=shown_source(source),
        method=best.method,
        seconds=best.seconds,
        stability={"nogueira": best.stability},
        cross_validation={"error": best.error, "n_folds": record["n_folds"]},
        comparison=[{k: v for k, v in row.items() if k != "selected"} for row in results.rows],
    )
    return render(summary)


def _numbers(values: "NDArray | None") -> Any:
    return None if values is None else values.tolist()
