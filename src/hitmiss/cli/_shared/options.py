"""The options that several commands share."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hitmiss._util.errors import InputError
from hitmiss._util.text import by_comma
from hitmiss.cli._shared.beside import Beside
from hitmiss.cli._shared.table_file import TableFile
from hitmiss.cli._shared.task import Task
from hitmiss.io.formats import SUFFIXES


class Missing(StrEnum):
    """Treatment of missing values."""

    keep = "keep"
    error = "error"
    drop_features = "drop-features"
    drop_samples = "drop-samples"
    drop_unlabeled = "drop-unlabeled"


class MissingSamples(StrEnum):
    """Treatment of missing values where the features are given."""

    keep = "keep"
    error = "error"
    drop_samples = "drop-samples"


MISSING, MISSING_SAMPLES = Missing.keep, MissingSamples.keep  # what is done by default


class Decimal(StrEnum):
    """The decimal mark of numbers in text."""

    point = "."
    comma = ","


File = Annotated[
    Path,
    typer.Argument(
        help=f"A table: {', '.join(SUFFIXES)}.",
        metavar="FILE",
        show_default=False,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", help="Column of classes or numbers to explain.", show_default=False
    ),
]
ClassTarget = Annotated[
    str | None,
    typer.Option("--target", "-t", help="Column that holds the classes.", show_default=False),
]
Samples = Annotated[
    str | None,
    typer.Option("--samples", help="Column that holds the names of the samples."),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", help="Columns to exclude, separated by commas; may be repeated."),
]
Transpose = Annotated[
    bool, typer.Option("--transpose", help="Features are in rows, samples in columns.")
]
MissingOption = Annotated[
    Missing, typer.Option("--missing", help="What to do about missing values.")
]
MissingSamplesOption = Annotated[
    MissingSamples, typer.Option("--missing", help="What to do about missing values.")
]
Metadata = Annotated[
    Path | None,
    typer.Option(
        "--metadata",
        help="A second file about the samples, joined by their names.",
        metavar="FILE",
    ),
]
MetadataNames = Annotated[
    str | None,
    typer.Option("--metadata-names", help="Column of the metadata with the names of the samples."),
]
Groups = Annotated[
    str | None,
    typer.Option("--groups", help="Column of groups measured repeatedly, such as donors."),
]
Strata = Annotated[
    str | None,
    typer.Option("--strata", help="Column of strata to compare within, such as batches."),
]
Covariates = Annotated[
    list[str] | None,
    typer.Option(
        "--covariates",
        help="Columns to adjust for, such as age, separated by commas.",
    ),
]
TaskOption = Annotated[
    Task | None,
    typer.Option("--task", help="Kind of target, if its values are ambiguous.", show_default=False),
]
Time = Annotated[
    str | None,
    typer.Option("--time", help="Column of times until the event, or the end of observation."),
]
Event = Annotated[
    str | None,
    typer.Option(
        "--event",
        help="Column that says whether the event happened: 1 or 0, dead or alive.",
    ),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option("--nominal", help="Features to treat as categories, separated by commas."),
]
MakeUnique = Annotated[
    bool,
    typer.Option("--make-unique", help="Number repeated feature names: a, a_2."),
]
DecimalOption = Annotated[
    Decimal | None,
    typer.Option("--decimal", help="Decimal mark of numbers in text.", show_default=False),
]
Method = Annotated[
    str,
    typer.Option(
        "--method", "-m", help="Method of selection; see `hitmiss methods`.", metavar="NAME"
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Parameter of the method; may be repeated.", metavar="K=V"),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all random choices.", min=0)]
DataSeed = Annotated[int, typer.Option("--seed", help="Seed of the random numbers.", min=0)]
Top = Annotated[
    int | None,
    typer.Option(
        "--top", "--max-features", help="Number of features to select, the best first.", min=1
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Hide progress and warnings.")]


def table_file(
    file: Path,
    target: str | None,
    samples: str | None,
    drop: list[str] | None,
    transpose: bool,
    missing: Missing | MissingSamples,
) -> TableFile:
    """The options on reading, put together.

    Parameters
    ----------
    file : Path
        The file.
    target, samples : str or None
        Columns of the classes and of the names of the samples.
    drop : list of str or None
        Columns to leave out.
    transpose : bool
        Whether the features are in rows.
    missing : Missing or MissingSamples
        What to do about missing values.

    Returns
    -------
    TableFile
    """
    return TableFile(file, target, samples, tuple(drop or ()), transpose, missing.value)


def notation(
    table: TableFile, make_unique: bool, decimal: Decimal | None, nominal: list[str] | None = None
) -> TableFile:
    """The table with the options on what its names and values look like.

    Parameters
    ----------
    table : TableFile
        The options so far.
    make_unique : bool
        Whether to number names that occur again.
    decimal : Decimal or None
        The decimal mark.
    nominal : list of str or None
        Features that are kinds.
    """
    mark = None if decimal is None else decimal.value
    return replace(table, make_unique=make_unique, decimal=mark, nominal=_names(nominal))


def known_beside(
    table: TableFile,
    metadata: tuple[Path | None, str | None],
    groups: str | None,
    strata: str | None,
    covariates: list[str] | None,
    task: Task | None,
) -> TableFile:
    """The table with the options on what else is known of its samples.

    Parameters
    ----------
    table : TableFile
        The options so far.
    metadata : tuple of Path or None and str or None
        The second file, and its column of names.
    groups, strata : str or None
        Columns.
    covariates : list of str or None
        Columns.
    task : Task or None
        What the target is.
    """
    if metadata[1] is not None and metadata[0] is None:
        raise InputError(
            "--metadata-names names a column of the metadata; give the file with --metadata."
        )
    beside = Beside(*metadata, groups, strata, _names(covariates))
    return replace(table, beside=beside, task=task)


def survival(table: TableFile, time: str | None, event: str | None) -> TableFile:
    """The table with the options on times and events.

    Parameters
    ----------
    table : TableFile
        The options so far.
    time, event : str or None
        Columns.
    """
    return replace(table, beside=replace(table.beside, time=time, event=event))


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for text in given or () for name in by_comma(text))


def all_settings(settings: list[str] | None, top: int | None) -> tuple[str, ...]:
    """The options on the parameters of a method, put together."""
    limit = () if top is None else (f"max_features={top}",)
    return (*(settings or ()), *limit)
