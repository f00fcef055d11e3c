"""``hitmiss select``: from a file to a short list of features."""

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hitmiss._util.errors import InputError, MissingExtraError
from hitmiss._util.files import new_folder
from hitmiss.cli._shared import options
from hitmiss.cli._shared.attributing import check_attributable, with_test
from hitmiss.cli._shared.beside import check_takes
from hitmiss.cli._shared.dask_cluster import cluster
from hitmiss.cli._shared.error_messages import exit_interrupted
from hitmiss.cli._shared.explanation import check_explainable, explained, explanation_lines
from hitmiss.cli._shared.feature_files import write_excel, write_selected, write_weights
from hitmiss.cli._shared.fit import Fitted, collected_warnings, fit
from hitmiss.cli._shared.marker_rows import marker_rows
from hitmiss.cli._shared.measurement import Measured, measured, own_attribution, own_test
from hitmiss.cli._shared.nominal_features import told
from hitmiss.cli._shared.output_files import write_report, write_run
from hitmiss.cli._shared.output_paths import check_folder
from hitmiss.cli._shared.plan import AGAIN, TIMING, Depth, Plan, Wanted, check_reachable, plan
from hitmiss.cli._shared.progress_bar import progress_bar
from hitmiss.cli._shared.rank_only import note_rank_only
from hitmiss.cli._shared.reliability import attribution_lines, check_folds, reliability_lines
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.result import Result
from hitmiss.cli._shared.task import Task, check_explains, method_for
from hitmiss.cli._shared.terminal import note, print_json, print_line, print_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table
    from hitmiss.report.feature_columns import Column

NAMES = ("report.html", "results.xlsx", "weights.csv", "selected.txt", "model.npz", "run.json")
SHOWN = 20  # features printed
# What is printed of each.
PRINTED = {"weight", "q_value", "attributable", "highest_in", "rank_correlation"}


def select(
    file: options.File,
    target: options.Target = None,
    method: options.Method = "lofe",
    settings: options.Settings = None,
    top: options.Top = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="Also let lofe choose its kernel width.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help=f"Folder for {', '.join(NAMES)}."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Skip all validation; print an untested list.")
    ] = False,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Measure everything, however long it takes.")
    ] = False,
    cv: Annotated[
        int | None,
        typer.Option("--cv", help="Cross-validation folds; 5 by default.", metavar="K", min=2),
    ] = None,
    permutations: Annotated[
        int | None,
        typer.Option("--permutations", help="Permutations of the test; 20 by default.", min=0),
    ] = None,
    stability: Annotated[
        int | None,
        typer.Option("--stability", help="Subsamples to measure stability; 20 by default.", min=0),
    ] = None,
    fdr: Annotated[
        float,
        typer.Option("--fdr", help="Accepted share of false discoveries.", metavar="Q"),
    ] = 0.1,
    show_anyway: Annotated[
        bool, typer.Option("--show-anyway", help="List the features even if nothing was found.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also report which features interact, which are interchangeable."
        ),
    ] = False,
    attributable: Annotated[
        bool,
        typer.Option(
            "--attributable", help="Also report which discoveries no other feature could replace."
        ),
    ] = False,
    markers: Annotated[
        bool,
        typer.Option(
            "--markers", help="Select markers of each class against the rest; --top of each."
        ),
    ] = False,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask",
            help="Run on a Dask cluster at this address, or a local one.",
            metavar="ADDRESS|local",
        ),
    ] = None,
    metadata: options.Metadata = None,
    metadata_names: options.MetadataNames = None,
    groups: options.Groups = None,
    strata: options.Strata = None,
    covariates: options.Covariates = None,
    time_column: options.Time = None,
    event: options.Event = None,
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
    """Select features from a table, and say whether they are real."""
    if quick and thorough:
        raise InputError("Use either --quick or --thorough, not both.")
    if not 0 < fdr < 1:
        raise InputError(f"--fdr must be a share between 0 and 1; got {fdr:g}.")
    check_reachable(fdr, 0 if quick and permutations is None else permutations)
    depth = Depth.quick if quick else Depth.thorough if thorough else Depth.usual
    table_file = options.table_file(file, target, samples, drop, transpose, missing)
    table_file = options.notation(table_file, make_unique, decimal, nominal)
    second = (metadata, metadata_names)
    table_file = options.known_beside(table_file, second, groups, strata, covariates, task)
    table_file = options.survival(table_file, time_column, event)
    request = Request(
        table_file,
        method,
        (
            *_tuned(method, tune=tune),
            *options.all_settings(settings, None if markers else top),
        ),
        seed,
        tune=tune,
        dask=dask,
        fdr=fdr,
        explain=explain,
        attributable=attributable,
        markers=markers,
        n_per_class=top if markers else None,
    )
    wanted = Wanted(cv, permutations, stability, depth)
    if attributable:
        wanted = with_test(wanted)
    _select(request, wanted, out, show_anyway=show_anyway, as_json=as_json, quiet=quiet)


def _tuned(method: str, *, tune: bool) -> tuple[str, ...]:
    """Settings that `--tune` stands for; the user's own settings override them."""
    if tune and method.lower() != "lofe":
        raise InputError(f"--tune works only with --method lofe; got --method {method}.")
    return ("sigma=auto", "alpha=auto") if tune else ()


def _select(
    request: Request,
    wanted: Wanted,
    out: Path | None,
    *,
    show_anyway: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Select features, write them to the folder `out` if there is one, and print them.

    On Ctrl-C during the measuring the selection is kept, with what is measured.

    Parameters
    ----------
    request : Request
        The table and the method.
    wanted : Wanted
        What to measure.
    out : Path or None
        Folder for the results.
    show_anyway : bool
        Whether to list features also where nothing is there.
    as_json : bool
        Whether to print JSON.
    quiet : bool
        Whether to show neither progress nor warnings.
    """
    estimator = request.estimator()
    if request.explain:
        check_explainable(estimator)
    if request.attributable:
        check_attributable(estimator, request.method)
    if out is not None:  # before the work: a result that cannot be written would be lost
        check_folder(out, NAMES, request.table_file.file)
    result = replace(_result(request, wanted, estimator, quiet=quiet), show_anyway=show_anyway)
    if request.explain and not result.withheld:
        found = explained(result.fitted, result.table.X, result.y, quiet=quiet)
        result = replace(result, explanation=found)
    record = result.record("select")
    written: list[str] = []
    if out is not None:
        with progress_bar("writing the results", quiet=quiet):
            written = _write(out, result, record, quiet=quiet)
    if as_json:
        print_json({**record, "out": None if out is None else str(out)})
    else:
        _print(result)
        if out is not None:
            print_line(f"Written to {out}: {', '.join(written)}.")
    if result.measured.interruption:
        exit_interrupted(result.measured.interruption)


def _result(request: Request, wanted: Wanted, estimator: Any, *, quiet: bool) -> Result:
    """The fitted estimator and how reliable it is."""
    with cluster(request.dask) as client:
        table, y, task = request.table_file.read_target(quiet=quiet)
        if task is not Task.classes:
            request, wanted = _for_task(request, wanted, task)
            estimator = request.estimator()
        check_explains(estimator, task, request.method)
        check_takes(estimator, table.design, request.method)
        if request.explain and table.design:
            raise InputError(
                "--explain does not support groups, strata or covariates; leave out one of them."
            )
        check_folds(wanted.n_folds or 0, y)
        note(_size(table, y, task), quiet=quiet)
        note_rank_only({request.method: estimator}, request.settings, quiet=quiet)
        fitted = fit(estimator, table, y, client=client, quiet=quiet)
        return _measured(request, wanted, table, y, fitted, quiet=quiet)


def _size(table: "Table", y: "NDArray", task: Task) -> str:
    """Numbers of samples, features and classes, as text."""
    of = ""
    if task is Task.classes:
        import numpy as np

        of = f" of {len(np.unique(y)):,} classes"
    return f"{table.X.shape[0]:,} samples{of}, {table.X.shape[1]:,} features"


def _for_task(request: Request, wanted: Wanted, task: Task) -> tuple[Request, Wanted]:
    """The request for numbers or times; an error if it has an option for classes."""
    of_classes = {
        "--stability": wanted.n_subsamples,
        "--explain": request.explain,
        "--markers": request.markers,
        "--tune": request.tune,
    }
    for option, given in of_classes.items():
        if given:
            raise InputError(
                f"{option} needs classes, but the target holds {task.value}; leave it out."
            )
    table_file = replace(request.table_file, task=task)
    method = method_for(request.method, task)
    wanted = replace(wanted, n_subsamples=0)
    return replace(request, table_file=table_file, method=method), wanted


def _measured(
    request: Request, wanted: Wanted, table: "Table", y: "NDArray", fitted: Fitted, *, quiet: bool
) -> Result:
    """Measure what was requested and what the time allows, until Ctrl-C."""
    own = own_test(fitted.estimator)
    if own is not None:  # the method tests itself
        wanted = replace(wanted, n_permutations=0)
    try:
        planned = _plan(wanted, request, table, y, fitted)
    except KeyboardInterrupt:
        nothing = Measured(test=own, interruption="Interrupted before anything was measured.")
        return Result(request, table, y, fitted, nothing)
    request = replace(
        request,
        n_folds=planned.numbers["cross-validation"],
        n_permutations=planned.numbers["permutations"],
        n_subsamples=planned.numbers["subsamples"],
    )
    required = {name for name, n in wanted.asked().items() if n is not None}
    found = measured(request, planned, table, y, fitted.estimator, required=required, quiet=quiet)
    if own is not None:
        beside = own_attribution(fitted.estimator, request.fdr)
        found = replace(found, test=own, attribution=beside)
    judged = wanted.depth is not Depth.quick or found.test is not None
    return Result(request, table, y, fitted, found, judged)


def _plan(wanted: Wanted, request: Request, table: "Table", y: "NDArray", fitted: Fitted) -> Plan:
    """Plan the measurements from the time of a fit; time a short fit again if it seems too slow."""
    seconds, end = fitted.seconds, time.perf_counter() + TIMING
    planned = plan(wanted, fitted.estimator, seconds, y)
    for _ in range(AGAIN):
        began = time.perf_counter()
        if not planned.left_out or began + seconds > end:
            break
        with collected_warnings(quiet=True):
            told(request.estimator(), table).fit(table.X, y, **table.design)
        seconds = min(seconds, time.perf_counter() - began)
        planned = plan(wanted, fitted.estimator, seconds, y)
    return planned


def _write(out: Path, result: Result, record: dict[str, Any], *, quiet: bool) -> list[str]:
    """Write the files, and return their names."""
    from hitmiss import persistence

    title = f"Features selected from {result.request.table_file.file.name}"
    written = list(NAMES)
    with new_folder(out, NAMES) as folder:
        write_report(folder, result.report(title, record["data"]))
        try:
            write_excel(folder, result)
        except MissingExtraError as error:
            written.remove("results.xlsx")
            note(f"No results.xlsx: {error}", quiet=quiet)
        write_weights(folder, result)
        write_selected(folder, result)
        persistence.save(result.fitted.estimator, folder / "model.npz")
        write_run(folder, record)
    if result.withheld:
        written[written.index("selected.txt")] += " (empty, because nothing was found)"
    return written


def _print(result: Result) -> None:
    """Print the verdict, the list unless it is withheld, and its reliability."""
    n, n_features = len(result.selected), len(result.table.feature_names)
    if result.verdict is not None:
        print_line(result.verdict.sentence)
    if result.withheld and n:
        what = f"{result.request.method} selects {n:,} of {n_features:,} features anyway"
        print_line(f"{what}; use --show-anyway to list them.")
    else:
        print_line(f"{n:,} of {n_features:,} features in {result.fitted.seconds:.2f} s.")
        _print_list(result)
    for line in (
        *attribution_lines(result),
        *explanation_lines(result.explanation),
        *reliability_lines(result),
    ):
        print_line(line)


def _print_list(result: Result) -> None:
    if result.request.markers:
        _print_markers(result)
        return
    shown = result.listed[:SHOWN]
    columns = [c for c in result.columns(shown) if c.key in PRINTED]
    rows = list(zip(result.names(shown), *map(_printed, columns), strict=True))
    if rows:
        print_table(["feature", *(c.label.lower() for c in columns)], rows)
    if len(result.listed) > SHOWN:
        print_line(f"... and {len(result.listed) - SHOWN:,} more.")
    beside = result.significant_beside
    if len(beside):
        also = ", ".join(result.names(beside[:SHOWN]))
        more = f" and {len(beside) - SHOWN:,} more" if len(beside) > SHOWN else ""
        print_line(f"Not selected, but with q ≤ {result.request.fdr:g}: {also}{more}.")


def _printed(column: "Column") -> list[Any]:
    values = column.values.tolist()
    return ["yes" if value else "" for value in values] if column.kind == "flag" else values


def _print_markers(result: Result) -> None:
    """The features of each class, best first."""
    header, rows, more = marker_rows(result)
    if rows:
        print_table(header, rows)
    for line in more:
        print_line(line)
