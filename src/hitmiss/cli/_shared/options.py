"""The options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hitmiss.cli._shared.table_file import TableFile
from hitmiss.io.formats import SUFFIXES


class Missing(StrEnum):
    """What to do about missing values."""

    error = "error"
    drop_features = "drop-features"
    drop_samples = "drop-samples"


class MissingSamples(StrEnum):
    """What to do about missing values where the features are given."""

    error = "error"
    drop_samples = "drop-samples"


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
    typer.Option("--target", "-t", help="Column that holds the classes.", show_default=False),
]
Samples = Annotated[
    str | None,
    typer.Option("--samples", help="Column that holds the names of the samples."),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", help="Columns to leave out, separated by commas; may be given again."),
]
Transpose = Annotated[bool, typer.Option("--transpose", help="The features are in rows.")]
MissingOption = Annotated[
    Missing, typer.Option("--missing", help="What to do about missing values.")
]
MissingSamplesOption = Annotated[
    MissingSamples, typer.Option("--missing", help="What to do about missing values.")
]
Method = Annotated[
    str, typer.Option("--method", "-m", help="See `hitmiss methods`.", metavar="NAME")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Parameter of the method; may be given again.", metavar="K=V"),
]
Seed = Annotated[int, typer.Option("--seed", help="For methods that draw at random.", min=0)]
DataSeed = Annotated[int, typer.Option("--seed", help="For the random numbers.", min=0)]
Top = Annotated[
    int | None,
    typer.Option("--top", "--max-features", help="Select so many, the best first.", min=1),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no warnings.")]


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


def all_settings(settings: list[str] | None, top: int | None) -> tuple[str, ...]:
    """The options on the parameters of a method, put together."""
    limit = () if top is None else (f"max_features={top}",)
    return (*(settings or ()), *limit)
