"""``hitmiss compare``: methods side by side, with the F-test as the baseline."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hitmiss._util.errors import InputError
from hitmiss._util.files import new_folder
from hitmiss._util.text import by_comma
from hitmiss.cli._shared import options
from hitmiss.cli._shared.beside import check_takes
from hitmiss.cli._shared.comparison_results import NAMES, ComparisonResults, write_results
from hitmiss.cli._shared.error_messages import exit_interrupted
from hitmiss.cli._shared.fit import collected_warnings
from hitmiss.cli._shared.nominal_features import told
from hitmiss.cli._shared.output_paths import check_folder
from hitmiss.cli._shared.progress_bar import progress_bar, shows_progress
from hitmiss.cli._shared.rank_only import note_rank_only
from hitmiss.cli._shared.table_file import TableFile
from hitmiss.cli._shared.task import Task, check_explains
from hitmiss.cli._shared.terminal import print_json, print_line, print_table

if TYPE_CHECKING:
    from hitmiss.io import Table
    from hitmiss.metrics import Comparison

BASELINE = "F-test"
METHODS = "lofe,relieff,multisurf"
PEERS = "l1, forest, svm-rfe, mrmr, f-test, mutual-information and boruta"
HEADINGS = {
    "method": "method",
    "n_selected": "selected",
    "recovered": "recovered",
    "error": "error",
    "standard_error": "+-",
    "best_error": "best error",
    "best_n_features": "with",
    "stability": "stability",
    "seconds": "seconds",
}


def compare(
    file: options.File,
    target: options.ClassTarget = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            "-m",
            help="Names, separated by commas; may be repeated. Those of `hitmiss methods`,"
            f" and {PEERS}.  [default: {METHODS}]",
            metavar="NAMES",
            show_default=False,
        ),
    ] = None,
    top: options.Top = None,
    relevant: Annotated[
        list[str] | None,
        typer.Option(
            "--relevant",
            help="Features known to be relevant, separated by commas; may be repeated.",
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", help="Folds of the cross-validation.", min=2)
    ] = 5,
    repeats: Annotated[
        int,
        typer.Option("--repeats", help="Repeats of the cross-validation, with other folds.", min=1),
    ] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for tables and a report.")
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
    """Compare methods with each other and with the F-test."""
    table_file = options.table_file(file, target, samples, drop, transpose, missing)
    table_file = options.notation(table_file, make_unique, decimal, nominal)
    second = (metadata, metadata_names)
    table_file = options.known_beside(table_file, second, groups, strata, covariates, task)
    request = ComparisonRequest(
        table_file,
        tuple(name for given in methods or [METHODS] for name in by_comma(given)),
        top,
        tuple(relevant or ()),
        folds,
        seed,
        repeats,
    )
    _compare(request, out, as_json=as_json, quiet=quiet)


@dataclass(frozen=True)
class ComparisonRequest:
    """A table, the methods to compare on it, and how."""

    table_file: TableFile
    methods: tuple[str, ...]
    max_features: int | None = None
    relevant: tuple[str, ...] = ()
    n_folds: int = 5
    seed: int = 0
    n_repeats: int = 1

    def selectors(self) -> dict[str, Any]:
        """The baseline and the methods by name, each selecting `max_features` if that is given."""
        from hitmiss.metrics import f_test

        made = dict(map(self._selector, self.methods))
        made.pop(BASELINE.lower(), None)
        return {BASELINE: f_test(self.max_features), **made}

    def _selector(self, method: str) -> tuple[str, Any]:
        """The name of a method, ours or a peer, and the method."""
        from hitmiss.metrics.peers import PEERS, peer
        from hitmiss.registry import find_method, make

        if method.lower() in PEERS:
            return method.lower(), peer(method.lower(), self.max_features, seed=self.seed)
        name = find_method(method).name
        limit = [] if self.max_features is None else [f"max_features={self.max_features}"]
        return name, make(name, limit, seed=self.seed)

    def record(self, table: "Table") -> dict[str, Any]:
        """The request, complete enough to repeat it."""
        settings = {name: value for name, value in vars(self).items() if name != "table_file"}
        return {"command": "compare", **settings, "data": self.table_file.description(table)}


def _compare(request: ComparisonRequest, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Compare the methods, write the results to `out` if that is given, and print them.

    On Ctrl-C the methods that are done are kept.
    """
    selectors = request.selectors()
    for name, selector in selectors.items():
        check_explains(selector, Task.classes, name)
    if out is not None:
        check_folder(out, NAMES, request.table_file.file)
    results = _results(request, selectors, quiet=quiet)
    if out is not None:
        record = request.record(results.table)
        with progress_bar("writing the results", quiet=quiet), new_folder(out, NAMES) as folder:
            write_results(folder, results, record)
    if as_json:
        print_json({"methods": results.rows, "complete": results.complete})
    else:
        _print(results, out)
    if results.interruption:
        exit_interrupted(results.interruption)


def _results(
    request: ComparisonRequest, selectors: dict[str, Any], *, quiet: bool
) -> ComparisonResults:
    from hitmiss.metrics import compare_selectors

    table, y = request.table_file.read_labeled(quiet=quiet)
    methods = {name: item for name, item in selectors.items() if name != BASELINE}
    for name, method in methods.items():
        check_takes(method, table.design, name)
        told(method, table)
    note_rank_only(methods, quiet=quiet)
    comparisons = compare_selectors(
        selectors,
        table.X,
        y,
        n_folds=request.n_folds,
        n_repeats=request.n_repeats,
        relevant=_relevant(request, table),
        random_state=request.seed,
        verbose=shows_progress(quiet),
        **table.design,
    )
    found: list[Comparison] = []
    try:
        with collected_warnings(quiet):
            for comparison in comparisons:
                found.append(comparison)
    except KeyboardInterrupt:
        if not found:
            raise
    return ComparisonResults(table, y, found, len(selectors))


def _relevant(request: ComparisonRequest, table: "Table") -> list[int] | None:
    """Indices of the features that are known to be relevant."""
    known = {name: j for j, name in enumerate(table.feature_names)}
    whole_or_parts = ([n] if n in known else by_comma(n) for n in request.relevant)
    names = list(dict.fromkeys(name for parts in whole_or_parts for name in parts))
    absent = sorted(set(names) - known.keys())
    if absent:
        raise InputError(f"--relevant names {absent[0]!r}, which is not a feature of the table.")
    return [known[name] for name in names] or None


def _print(results: ComparisonResults, out: Path | None) -> None:
    rows = results.rows
    shown = [key for key in HEADINGS if key in rows[0]]
    print_table([HEADINGS[key] for key in shown], [[row[key] for key in shown] for row in rows])
    print_line(
        "error: cross-validated, of a 3-nearest-neighbor classifier on the selected features,"
    )
    print_line("with its standard error;")
    print_line("best error: the same with as many of the best features as the next column says.")
    if out is not None:
        print_line(f"Written to {out}: {', '.join(NAMES)}.")
        about = f"{results.best.method}, which has the smallest error"
        print_line(f"report.html compares the methods, then goes on with {about}.")
