"""Tables from PLINK files: genotypes in .bed, variants in .bim, samples in .fam."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError, optional, parsing
from hitmiss.io.labels import Labels, labels
from hitmiss.io.layout import Layout, feature_positions, position
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique

MAGIC = b"\x6c\x1b\x01"  # of PLINK 1.9, one variant after the other
FAM = ("family", "sample", "father", "mother", "sex", "phenotype")
N_FIELDS = 6  # of .fam and .bim alike
MISSING = frozenset({"0", "-9"})  # what PLINK writes for what is not known
SEX = {"1": "male", "2": "female"}
PHENOTYPE = {"1": "control", "2": "case"}


def read_bed(path: Path, layout: Layout) -> Table:
    """Table of the genotypes: numbers of the first allele of .bim, 0 to 2, NaN where missing.

    The samples have the names of .fam within their families. Its columns family, father, mother,
    sex and phenotype may be asked for by these names; a phenotype of 1 and 2 is that of controls
    and cases, and the target if nothing else is.
    """
    if layout.transpose:
        raise InputError("A PLINK file says itself where its samples are; do not transpose it.")
    with parsing(path, "a PLINK file"):
        known = _samples(path.with_suffix(".fam"))
        if layout.whole:
            return whole_table(known)
        names = _variants(path.with_suffix(".bim"))
        names = made_unique(names) if layout.make_unique else names
        _check_size(path, len(known["sample"]), len(names))
        kept = feature_positions(names, layout, "variant")
        X = _genotypes(path, (len(known["sample"]), len(names)), kept)
        samples = known["sample"] if layout.samples is None else _column(known, layout.samples)
        table = checked_table(X, _target(known, layout), [names[j] for j in kept], samples)
    aside = {name: _column(known, name) for name in layout.aside}
    left_out = [name for name in names if name in layout.elsewhere]
    return replace(table, aside=aside, remarks=left_out_remarks(left_out))


def _samples(path: Path) -> dict[str, list[Any]]:
    """The columns of .fam, None where something is not known."""
    columns = _fields(path)
    known: dict[str, list[Any]] = {
        name: [None if cell in MISSING else cell for cell in column]
        for name, column in zip(FAM, columns, strict=True)
    }
    known["family"], known["sample"] = columns[0], columns[1]
    known["sex"] = [SEX.get(cell) for cell in columns[4]]
    if set(columns[5]) <= MISSING | PHENOTYPE.keys():
        known["phenotype"] = [PHENOTYPE.get(cell) for cell in columns[5]]
    return known


def _variants(path: Path) -> list[str]:
    """Names of the variants; one without a name is called by its place."""
    chromosomes, names, _, places, *_ = _fields(path)
    both = zip(names, chromosomes, places, strict=True)
    return [f"{chromosome}:{place}" if name == "." else name for name, chromosome, place in both]


def _fields(path: Path) -> list[list[str]]:
    """The six columns of .fam or .bim, which stands beside .bed."""
    if not path.is_file():
        raise InputError(f"There is no {path.name} beside the .bed file, and both are needed.")
    with path.open(encoding="utf-8-sig") as f:
        rows = [line.split() for line in f if line.strip()]
    if not rows:
        raise InputError(f"{path} is empty.")
    for number, row in enumerate(rows, 1):
        if len(row) != N_FIELDS:
            raise InputError(f"Row {number} of {path} has {len(row)} values instead of {N_FIELDS}.")
    return [list(column) for column in zip(*rows, strict=True)]


def _check_size(path: Path, n_samples: int, n_variants: int) -> None:
    """Raise an error if .bed is not of the size that .fam and .bim state."""
    with path.open("rb") as f:
        head = f.read(len(MAGIC))
    if head != MAGIC:
        raise InputError(
            f"{path} is not a .bed file of PLINK; intervals of a genome, also called BED, have no "
            "samples."
        )
    expected, size = len(MAGIC) + (n_samples + 3) // 4 * n_variants, path.stat().st_size
    if size != expected:
        raise InputError(
            f"{path} has {size:,} bytes where {n_samples:,} samples and {n_variants:,} variants "
            f"take {expected:,}; .bed, .bim and .fam do not belong together."
        )


def _genotypes(path: Path, shape: tuple[int, int], kept: list[int]) -> NDArray:
    reader = optional("bed_reader", extra="plink")
    with reader.open_bed(path, iid_count=shape[0], sid_count=shape[1], num_threads=1) as bed:
        every = kept == list(range(shape[1]))
        index = None if every else np.s_[:, np.array(kept, int)]
        return bed.read(index, dtype="float32", order="F")


def _column(known: dict[str, list[Any]], name: str) -> list[Any]:
    position(name, list(known))  # raises if there is none
    return known[name]


def _target(known: dict[str, list[Any]], layout: Layout) -> Labels | None:
    if layout.target is not None:
        return labels(_column(known, layout.target))
    usable = set(PHENOTYPE.values()) <= set(known["phenotype"])
    return labels(known["phenotype"]) if usable else None
