"""``hitmiss datasets``: data with a known answer, as a file."""

import csv
import gzip
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hitmiss._util.errors import InputError
from hitmiss._util.files import new_file
from hitmiss.cli._shared import options
from hitmiss.cli._shared.output_paths import check_file
from hitmiss.cli._shared.terminal import print_line, print_table

PREFIX = "make_"  # of the functions in hitmiss.datasets that generate data


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
    generators = _generators()
    if name is None:
        _print_list(generators)
        return
    if name not in generators:
        raise InputError(f"There is no dataset {name!r}; there are {', '.join(generators)}.")
    path = _checked_output(out, name, overwrite=overwrite)
    size = {} if n_samples is None else {"n_samples": n_samples}
    bunch = generators[name](n_irrelevant=n_irrelevant, random_state=seed, **size)
    with new_file(path) as part:
        _write(part, bunch, compressed=path.suffix == ".gz")
    _print_description(path, bunch)


def _generators() -> dict[str, Callable[..., Any]]:
    """The functions that generate data, by the names of their datasets."""
    from hitmiss import datasets as package

    names = [name for name in package.__all__ if name.startswith(PREFIX)]
    return {name.removeprefix(PREFIX): getattr(package, name) for name in names}


def _print_list(generators: dict[str, Callable[..., Any]]) -> None:
    summaries = ((inspect.getdoc(item) or "").splitlines()[0] for item in generators.values())
    print_table(["name", "what it is"], list(zip(generators, summaries, strict=True)))


def _checked_output(out: Path | None, name: str, *, overwrite: bool) -> Path:
    """The file to write; an error if there is none, or if it cannot be written."""
    if out is None:
        raise InputError(f"Say where to write it with --out, such as --out {name}.csv.")
    if out.name.removesuffix(".gz").rpartition(".")[2] != "csv":
        raise InputError(f"Datasets are written as .csv or .csv.gz; {out} is neither.")
    check_file(out, overwrite=overwrite)
    return out


def _write(path: Path, bunch: Any, *, compressed: bool) -> None:
    """Write the dataset as CSV; the column "class" holds the labels."""
    opener: Any = gzip.open if compressed else open
    with opener(path, "xt", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["class", *bunch.feature_names])
        for label, row in zip(bunch.target.tolist(), bunch.data.tolist(), strict=True):
            writer.writerow([label, *row])


def _print_description(path: Path, bunch: Any) -> None:
    n_samples, n_features = bunch.data.shape
    relevant = ", ".join(bunch.feature_names[j] for j in bunch.relevant)
    print_line(bunch.DESCR)
    print_line(f"{path}: {n_samples:,} samples, {n_features:,} features.")
    print_line(f"Relevant: {relevant}.")
