"""Tables from GCT files of GenePattern and the Connectivity Map, versions 1.2 and 1.3."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TextIO

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.cells import clean_name
from hitmiss.io.delimited_text import unpacked
from hitmiss.io.feature_rows import Row, features_in_rows
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table, whole_table

HEADER_LINES = 3  # version, sizes, names
SAMPLE = "id"  # what the names of the samples are called


def read_gct(path: Path, layout: Layout) -> Table:
    """Table of a GCT file; target and the like are annotations of the samples, or rows."""
    if layout.transpose:
        raise InputError("A GCT file has its features in rows by definition; do not transpose it.")
    with (
        parsing(path, "a GCT file"),
        layout.open(path) as raw,
        TextIOWrapper(unpacked(path, raw), encoding="utf-8-sig", newline="") as f,
    ):
        head = _head(f, path)
        if layout.whole:
            return whole_table({SAMPLE: head.samples, **head.annotations})
        asked = {layout.target, *layout.aside}
        given = [(0, [name, *cells]) for name, cells in head.annotations.items() if name in asked]
        rows = _rows(f, head, path)
        header = [SAMPLE, *head.samples]
        return features_in_rows(header, chain(given, rows), layout, annotated=False)


@dataclass(frozen=True)
class _Head:
    """Header of a GCT file."""

    n_features: int
    n_beside: int  # annotations between the name of a feature and its values
    samples: list[str]
    annotations: dict[str, list[str]]  # of the samples


def _head(f: TextIO, path: Path) -> _Head:
    version = f.readline().split("\t")[0].strip()
    if version not in ("#1.2", "#1.3"):
        raise InputError(
            f"{path} is not a GCT file of version 1.2 or 1.3; it begins {version[:20]!r}."
        )
    sizes = [int(text) for text in f.readline().split()]
    n_features, n_samples, n_beside, n_annotations = sizes if len(sizes) == 4 else (*sizes, 1, 0)
    lines = csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
    names = [clean_name(name) for name in next(lines)[1 + n_beside :]]
    while names and not names[-1]:  # tabs at the end of a line
        names.pop()
    if len(names) != n_samples or min(sizes) < 0:
        raise InputError(f"{path} states {n_samples:,} samples and names {len(names):,}.")
    rows = [next(lines) for _ in range(n_annotations)]
    annotations = {clean_name(row[0]): row[1 + n_beside :][:n_samples] for row in rows}
    return _Head(n_features, n_beside, names, annotations)


def _rows(f: TextIO, head: _Head, path: Path) -> Iterator[Row]:
    """Name and values of every feature."""
    n_read, first = 0, HEADER_LINES + 1 + len(head.annotations)
    lines = csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, row in enumerate(lines, first):
        if not any(row):
            continue
        values = row[1 + head.n_beside :]
        while len(values) > len(head.samples) and not values[-1]:
            values.pop()
        if len(values) != len(head.samples):
            raise InputError(
                f"Row {number} has {len(values):,} values for {len(head.samples):,} samples."
            )
        n_read += 1
        yield number, [row[0], *values]
    if n_read != head.n_features:
        raise InputError(f"{path} states {head.n_features:,} features and holds {n_read:,}.")
