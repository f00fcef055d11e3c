"""``hitmiss datasets``: data with a known answer, as a file."""

import csv
import gzip
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitmiss import datasets
from hitmiss._util.errors import InputError
from hitmiss._util.files import new_file
from hitmiss.cli.destinations import check_file
from hitmiss.cli.show import print_line, print_table

PREFIX = "make_"


@dataclass(frozen=True)
class Generated:
    """A dataset by name, and how it is made."""

    name: str
    n_samples: int | None
    n_irrelevant: int
    seed: int

    def bunch(self) -> Any:
        """The dataset."""
        size = {} if self.n_samples is None else {"n_samples": self.n_samples}
        generator = getattr(datasets, f"{PREFIX}{self.name}")
        return generator(n_irrelevant=self.n_irrelevant, random_state=self.seed, **size)


def list_datasets() -> None:
    """Print the names of all generators."""
    rows = [
        (name.removeprefix(PREFIX), (inspect.getdoc(getattr(datasets, name)) or "").splitlines()[0])
        for name in _generators()
    ]
    print_table(["name", "what it is"], rows)


def write_dataset(generated: Generated, out: Path | None, *, overwrite: bool) -> None:
    """Write a generated dataset as CSV; the column "class" holds the labels."""
    name = generated.name
    if f"{PREFIX}{name}" not in _generators():
        known = ", ".join(generator.removeprefix(PREFIX) for generator in _generators())
        raise InputError(f"There is no dataset {name!r}; there are {known}.")
    if out is None:
        raise InputError(f"Say where to write it with --out, such as --out {name}.csv.")
    if out.name.removesuffix(".gz").rpartition(".")[2] != "csv":
        raise InputError(f"Datasets are written as .csv or .csv.gz; {out} is neither.")
    check_file(out, overwrite=overwrite)
    bunch = generated.bunch()
    with new_file(out) as part:
        _write(part, bunch, compressed=out.suffix == ".gz")
    answer = ", ".join(bunch.feature_names[j] for j in bunch.relevant)
    print_line(f"{bunch.DESCR}")
    print_line(f"{out}: {bunch.data.shape[0]:,} samples, {bunch.data.shape[1]:,} features.")
    print_line(f"Relevant: {answer}.")


def _generators() -> list[str]:
    return [name for name in datasets.__all__ if name.startswith(PREFIX)]


def _write(path: Path, bunch: Any, *, compressed: bool) -> None:
    opener: Any = gzip.open if compressed else open
    with opener(path, "xt", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["class", *bunch.feature_names])
        for label, row in zip(bunch.target.tolist(), bunch.data.tolist(), strict=True):
            writer.writerow([label, *row])
