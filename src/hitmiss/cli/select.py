"""``hitmiss select``: from a file to a short list of features."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hitmiss._util.files import new_folder
from hitmiss.cli._shared import options
from hitmiss.cli._shared.dask_cluster import cluster
from hitmiss.cli._shared.error_messages import exit_interrupted
from hitmiss.cli._shared.fit import fit
from hitmiss.cli._shared.output_files import quoted, write_csv, write_report, write_run
from hitmiss.cli._shared.output_paths import check_folder
from hitmiss.cli._shared.progress_bar import progress_bar
from hitmiss.cli._shared.rank_only import note_rank_only
from hitmiss.cli._shared.reliability import (
    check_folds,
    measured_error,
    measured_stability,
    reliability_lines,
)
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.result import Result
from hitmiss.cli._shared.terminal import note, print_json, print_line, print_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.metrics import StabilityReport

NAMES = ("weights.csv", "selected.txt", "model.npz", "report.html", "run.json")
SHOWN = 20  # features printed


def select(
    file: options.File,
    target: options.Target = None,
    method: options.Method = "lofe",
    settings: options.Settings = None,
    top: options.Top = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Folder for weights.csv, selected.txt, model.npz, report.html and run.json.",
        ),
    ] = None,
    cv: Annotated[
        int | None,
        typer.Option("--cv", help="Also measure the error, in so many folds.", metavar="K", min=2),
    ] = None,
    stability: Annotated[
        int, typer.Option("--stability", help="Also fit on so many subsamples.", min=0)
    ] = 0,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", help="Run on the Dask cluster there, or on one here.", metavar="ADDRESS|local"
        ),
    ] = None,
    samples: options.Samples = None,
    drop: options.Drop = None,
    transpose: options.Transpose = False,
    missing: options.MissingOption = options.Missing.error,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Select features from a table."""
    request = Request(
        options.table_file(file, target, samples, drop, transpose, missing),
        method,
        options.all_settings(settings, top),
        seed,
        stability,
        dask,
        cv or 0,
    )
    _select(request, out, as_json=as_json, quiet=quiet)


def _select(request: Request, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Select features, write them to the folder `out` if there is one, and print them.

    On Ctrl-C during the folds or the subsamples the selection is kept.
    """
    estimator = request.estimator()
    if out is not None:  # before the work: a result that cannot be written would be lost
        check_folder(out, NAMES, request.table_file.file)
    result = _result(request, estimator, quiet=quiet)
    record = result.record("select")
    if out is not None:
        with progress_bar("writing the results", quiet=quiet):
            _write(out, result, record)
    if as_json:
        print_json({**record, "out": None if out is None else str(out)})
    else:
        _print(result, out)
    if result.interruption:
        exit_interrupted(result.interruption)


def _result(request: Request, estimator: Any, *, quiet: bool) -> Result:
    """The fitted estimator and how reliable it is."""
    with cluster(request.dask) as client:
        table, y = request.table_file.read_labeled(quiet=quiet)
        check_folds(request.n_folds, y)
        note(f"{table.X.shape[0]:,} samples, {table.X.shape[1]:,} features", quiet=quiet)
        note_rank_only({request.method: estimator}, request.settings, quiet=quiet)
        fitted = fit(estimator, table, y, client=client, quiet=quiet)
        return Result(request, table, y, fitted, *_measured(request, table.X, y, quiet=quiet))


def _measured(
    request: Request, X: "NDArray", y: "NDArray", *, quiet: bool
) -> "tuple[StabilityReport | None, float | None]":
    """Stability and cross-validated error, as far as they were requested and not interrupted."""
    stability, error = None, None
    with suppress(KeyboardInterrupt):
        if request.n_folds:
            error = measured_error(request, X, y, quiet=quiet)
        if request.n_subsamples:
            stability = measured_stability(request, X, y, quiet=quiet)
    return stability, error


def _write(out: Path, result: Result, record: dict[str, Any]) -> None:
    from hitmiss import persistence

    estimator = result.fitted.estimator
    title = f"Features selected from {result.request.table_file.file.name}"
    with new_folder(out, NAMES) as folder:
        _write_weights(folder, estimator)
        _write_selected(folder, result.selected)
        persistence.save(estimator, folder / "model.npz")
        write_report(folder, result.report(title, record["data"]))
        write_run(folder, record)


def _write_weights(folder: Path, estimator: Any) -> None:
    """weights.csv: every feature, best first, with numbers to the last bit."""
    names, support = estimator.feature_names_in_, estimator.get_support()
    weights, importances = estimator.weights_, estimator.feature_importances_
    rows = (
        (rank, quoted(names[j]), float(weights[j]), float(importances[j]), int(support[j]))
        for rank, j in enumerate(estimator.ranking_, 1)
    )
    header = ["rank", "feature", "weight", "importance", "selected"]
    write_csv(folder / "weights.csv", header, rows)


def _write_selected(folder: Path, selected: list[str]) -> None:
    """selected.txt: a name per line, best first, exactly as in the data."""
    text = "".join(f"{name}\n" for name in selected)
    (folder / "selected.txt").write_text(text, encoding="utf-8", newline="\n")


def _print(result: Result, out: Path | None) -> None:
    estimator, names = result.fitted.estimator, result.selected
    weights = dict(zip(result.table.feature_names, estimator.weights_.tolist(), strict=True))
    n_features = len(result.table.feature_names)
    print_line(f"{len(names):,} of {n_features:,} features in {result.fitted.seconds:.2f} s.")
    if names:
        print_table(["feature", "weight"], [(name, weights[name]) for name in names[:SHOWN]])
    if len(names) > SHOWN:
        print_line(f"... and {len(names) - SHOWN:,} more.")
    for line in reliability_lines(result):
        print_line(line)
    if out is not None:
        print_line(f"Written to {out}: {', '.join(NAMES)}.")
