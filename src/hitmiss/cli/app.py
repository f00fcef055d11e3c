"""The commands of ``hitmiss``."""

from pathlib import Path
from typing import Annotated

import typer

from hitmiss._util.versions import __version__
from hitmiss.cli import options
from hitmiss.cli.errors import Commands

app = typer.Typer(
    cls=Commands,
    help="Find the few features that matter among very many, by nearest hits and misses.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command()
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
    from hitmiss.cli import selecting
    from hitmiss.cli.asking import Question

    question = Question(
        options.source(file, target, samples, drop, transpose, missing),
        method,
        options.all_settings(settings, top),
        seed,
        stability,
        dask,
        cv or 0,
    )
    selecting.select(question, out, as_json=as_json, quiet=quiet)


@app.command()
def compare(
    file: options.File,
    target: options.Target = None,
    methods: Annotated[
        str, typer.Option("--methods", help="Names, separated by commas.", metavar="NAMES")
    ] = "lofe,relieff,multisurf",
    top: options.Top = None,
    relevant: Annotated[
        list[str] | None,
        typer.Option("--relevant", help="A feature known to be relevant; may be given again."),
    ] = None,
    folds: Annotated[int, typer.Option("--folds", help="Of the cross-validation.", min=2)] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for tables and a report.")
    ] = None,
    samples: options.Samples = None,
    drop: options.Drop = None,
    transpose: options.Transpose = False,
    missing: options.MissingOption = options.Missing.error,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare methods with each other and with the F-test."""
    from hitmiss.cli import comparing

    contest = comparing.Contest(
        options.source(file, target, samples, drop, transpose, missing),
        tuple(name.strip() for name in methods.split(",") if name.strip()),
        top,
        tuple(relevant or ()),
        folds,
        seed,
    )
    comparing.compare(contest, out, as_json=as_json, quiet=quiet)


@app.command()
def stability(
    file: options.File,
    target: options.Target = None,
    method: options.Method = "lofe",
    settings: options.Settings = None,
    top: options.Top = None,
    subsamples: Annotated[int, typer.Option("--subsamples", help="Number of fits.", min=2)] = 20,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for frequencies.csv, report.html and run.json."),
    ] = None,
    samples: options.Samples = None,
    drop: options.Drop = None,
    transpose: options.Transpose = False,
    missing: options.MissingOption = options.Missing.error,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how much a selection depends on the samples at hand."""
    from hitmiss.cli import steadiness
    from hitmiss.cli.asking import Question

    question = Question(
        options.source(file, target, samples, drop, transpose, missing),
        method,
        options.all_settings(settings, top),
        seed,
        subsamples,
    )
    steadiness.stability(question, out, as_json=as_json, quiet=quiet)


@app.command()
def predict(
    model: Annotated[
        Path,
        typer.Argument(help="model.npz of `hitmiss select`.", metavar="MODEL", show_default=False),
    ],
    file: options.File,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", help="Column of the true classes, to count the errors."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="CSV file; else standard output.")
    ] = None,
    overwrite: options.Overwrite = False,
    samples: options.Samples = None,
    transpose: options.Transpose = False,
    missing: options.MissingSamplesOption = options.MissingSamples.error,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict the classes of new samples by a saved model."""
    from hitmiss.cli import predicting

    source = options.source(file, target, samples, None, transpose, missing)
    predicting.predict(model, source, out, overwrite=overwrite, as_json=as_json, quiet=quiet)


@app.command()
def datasets(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", show_default=False)] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="CSV file to write.")] = None,
    overwrite: options.Overwrite = False,
    n_samples: Annotated[
        int | None, typer.Option("--n-samples", help="Number of samples.", min=2)
    ] = None,
    n_irrelevant: Annotated[
        int, typer.Option("--n-irrelevant", help="Irrelevant features to add.", min=0)
    ] = 1000,
    seed: options.DataSeed = 0,
) -> None:
    """List datasets with known answers, or write one of them to a file."""
    from hitmiss.cli import generating

    if name is None:
        generating.list_datasets()
        return
    generated = generating.Generated(name, n_samples, n_irrelevant, seed)
    generating.write_dataset(generated, out, overwrite=overwrite)


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", show_default=False)] = None,
    as_json: options.AsJson = False,
) -> None:
    """List the methods, or the parameters of one."""
    from hitmiss.cli import listing

    if name is None:
        listing.list_methods(as_json=as_json)
    else:
        listing.show_method(name, as_json=as_json)


@app.command()
def demo() -> None:
    """Find two relevant features among 10,002."""
    from hitmiss.cli import demo

    demo.main()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hitmiss {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _hitmiss(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
