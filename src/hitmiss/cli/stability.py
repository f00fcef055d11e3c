"""``hitmiss stability``: how much a selection depends on the samples at hand."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hitmiss._util.files import new_folder
from hitmiss.cli._shared import options
from hitmiss.cli._shared.beside import check_takes
from hitmiss.cli._shared.error_messages import exit_interrupted
from hitmiss.cli._shared.fit import collected_warnings, fit
from hitmiss.cli._shared.measurement import Measured, interrupted_at, subsampled
from hitmiss.cli._shared.output_files import quoted, write_csv, write_report, write_run
from hitmiss.cli._shared.output_paths import check_folder
from hitmiss.cli._shared.progress_bar import progress_bar, shows_progress
from hitmiss.cli._shared.rank_only import note_rank_only
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.result import Result, n_done, stability_facts
from hitmiss.cli._shared.task import Task, check_explains
from hitmiss.cli._shared.terminal import print_json, print_line, print_table

if TYPE_CHECKING:
    from hitmiss.io import Table
    from hitmiss.metrics import StabilityReport

NAMES = ("frequencies.csv", "report.html", "run.json")
SHOWN = 20  # features printed


def stability(
    file: options.File,
    target: options.ClassTarget = None,
    method: options.Method = "lofe",
    settings: options.Settings = None,
    top: options.Top = None,
    subsamples: Annotated[int, typer.Option("--subsamples", help="Number of fits.", min=2)] = 20,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for frequencies.csv, report.html and run.json."),
    ] = None,
    metadata: options.Metadata = None,
    metadata_names: options.MetadataNames = None,
    groups: options.Groups = None,
    strata: options.Strata = None,
    covariates: options.Covariates = None,
    task: options.TaskOption = None,
    samples: options.Samples = None,
    drop: options.Drop = None,
    nominal: options.Nominal = None,
    transpose: options.Transpose = False,
    make_unique: options.MakeUnique = False,
    decimal: options.DecimalOption = None,
    missing: options.MissingOption = options.MISSING,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how much a selection depends on the samples at hand."""
    table_file = options.table_file(file, target, samples, drop, transpose, missing)
    table_file = options.notation(table_file, make_unique, decimal, nominal)
    second = (metadata, metadata_names)
    table_file = options.known_beside(table_file, second, groups, strata, covariates, task)
    request = Request(
        table_file,
        method,
        options.all_settings(settings, top),
        seed,
        subsamples,
    )
    _stability(request, out, as_json=as_json, quiet=quiet)


def _stability(request: Request, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Fit on subsamples, write the results to `out` if that is given, and print them.

    On Ctrl-C the subsamples that are done are kept.
    """
    estimator = request.estimator()
    if out is not None:
        check_folder(out, NAMES, request.table_file.file)
    check_explains(estimator, Task.classes, request.method)
    table, y = request.table_file.read_labeled(quiet=quiet)
    check_takes(estimator, table.design, request.method)
    note_rank_only({request.method: estimator}, request.settings, quiet=quiet)
    # The report also shows what is selected from all samples.
    fitted = None if out is None else fit(estimator, table, y, quiet=quiet)
    with collected_warnings(quiet):
        report = subsampled(request, table, y, shows_progress(quiet))
    interruption = interrupted_at("subsamples", n_done(report), request.n_subsamples)
    frequencies = _frequencies(report, table)
    if out is not None and fitted is not None:
        with progress_bar("writing the results", quiet=quiet):
            measured = Measured(stability=report, interruption=interruption)
            _write(out, Result(request, table, y, fitted, measured, judged=False), frequencies)
    if as_json:
        features = [{"feature": name, "frequency": share} for name, share in frequencies]
        complete = interruption is None
        print_json({**stability_facts(report), "complete": complete, "features": features})
    else:
        _print(report, frequencies, out)
    if interruption:
        exit_interrupted(interruption)


def _frequencies(report: "StabilityReport", table: "Table") -> list[tuple[str, float]]:
    """Features that are ever selected, and the share of subsamples that select them."""
    import numpy as np

    frequency = report.supports.mean(axis=0)
    order = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)]
    return [(table.feature_names[j], float(frequency[j])) for j in order]


def _write(out: Path, result: Result, frequencies: list[tuple[str, float]]) -> None:
    record = result.record("stability")
    title = f"Stability of a selection from {result.request.table_file.file.name}"
    with new_folder(out, NAMES) as folder:
        rows = ((quoted(name), share) for name, share in frequencies)
        write_csv(folder / "frequencies.csv", ["feature", "frequency"], rows)
        write_report(folder, result.report(title, record["data"]))
        write_run(folder, record)


def _print(
    report: "StabilityReport", frequencies: list[tuple[str, float]], out: Path | None
) -> None:
    from hitmiss.report.certainty import OVERLAP

    rows: list[tuple[str, Any]] = [
        ("selections (Nogueira)", report.nogueira.stability),
        ("selections (Jaccard)", report.jaccard),
        ("rankings (Spearman)", report.ranking),
        ("accuracy on the samples left out (3-nearest-neighbor classifier)", report.accuracy),
    ]
    shown = [(name, f"{share:.0%}") for name, share in frequencies[:SHOWN]]
    print_line(f"{n_done(report)} subsamples of 90 % of the samples; 1 is perfect, but {OVERLAP}.")
    print_table(["stability of", ""], rows)
    print_table(["feature", "selected in"], shown)
    if len(frequencies) > SHOWN:
        print_line(f"... and {len(frequencies) - SHOWN:,} more.")
    if out is not None:
        print_line(f"Written to {out}: {', '.join(NAMES)}.")
