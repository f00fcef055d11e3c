"""Counts of cells as Cell Ranger of 10x Genomics writes them: an HDF5 file, or matrix.mtx.

X stays sparse. The cells have their barcodes as names, the genes their symbols.
"""

import gzip
from collections.abc import Sequence
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import scipy.sparse

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.cells import clean_name
from hitmiss.io.delimited_text import unpacked
from hitmiss.io.hdf5 import BEST_COMPRESSION, own_object
from hitmiss.io.layout import Layout, feature_positions
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique

MATRIX = "matrix"  # the group of an HDF5 file, since version 3; before, it had the name of a genome
PARTS = frozenset({"barcodes", "data", "indices", "indptr", "shape"})
BARCODE = "barcode"  # what the names of the cells are called
SHORTEST_LINE = 6  # bytes of an entry of matrix.mtx
FIELDS = ("real", "integer")
GENES = ("features.tsv", "genes.tsv")


def matrix_group(file: Any) -> str | None:
    """Name of the group of an HDF5 file that holds counts of Cell Ranger, if there is one."""
    groups = [
        name for name in file if file.get(name, getlink=True).__class__.__name__ == "HardLink"
    ]
    return next((name for name in groups if set(_keys(file[name])) >= PARTS), None)


def table_of_group(file: Any, name: str, layout: Layout) -> Table:
    """Table of the counts in an HDF5 file.

    Parameters
    ----------
    file : h5py.File
        Open.
    name : str
        Of the group.
    layout : Layout
        Which genes are asked for.
    """
    data, indices, indptr, shape, barcodes = (
        own_object(file, f"{name}/{part}")[()]
        for part in ("data", "indices", "indptr", "shape", "barcodes")
    )
    names = "features/name" if "features" in file[name] else "gene_names"
    genes = own_object(file, f"{name}/{names}")[()]
    n_genes, n_cells = (int(n) for n in shape)
    if (n_genes, n_cells, n_cells + 1) != (len(genes), len(barcodes), len(indptr)):
        raise InputError("The counts are not of the shape that the names of genes and cells state.")
    # By columns of genes x cells, that is by rows of cells x genes.
    X = scipy.sparse.csr_array((data.astype(np.float32), indices, indptr), (n_cells, n_genes))
    X.check_format(full_check=True)
    return _table(X, genes.tolist(), barcodes.tolist(), layout)


def read_mtx(path: Path, layout: Layout) -> Table:
    """Table of matrix.mtx, with features.tsv or genes.tsv and barcodes.tsv beside it."""
    with parsing(path, "counts of Cell Ranger"):
        matrix = _matrix_file(path)
        prefix = matrix.name.lower().partition("matrix.mtx")[0]
        genes = _names(_beside(matrix, prefix, GENES), column=1)
        barcodes = _names(_beside(matrix, prefix, ("barcodes.tsv",)), column=0)
        if layout.whole:
            return whole_table({BARCODE: barcodes})
        with layout.open(matrix) as raw, TextIOWrapper(unpacked(matrix, raw), "utf-8") as f:
            n_entries = _checked_head(f, matrix, (len(genes), len(barcodes)))
            X = _entries(f, matrix, n_entries, (len(barcodes), len(genes)))
        return _table(X, genes, barcodes, layout)


def _table(X: Any, genes: Sequence[Any], barcodes: Sequence[Any], layout: Layout) -> Table:
    """The table, without a target: what is known of the cells comes from other files."""
    if layout.transpose:
        raise InputError("Cell Ranger says itself where the cells are; do not transpose its files.")
    for name in (layout.target, layout.samples, *layout.aside):
        if name is not None:
            raise InputError(
                f"There is no column {name!r} beside counts of Cell Ranger; name a file that has "
                "it as metadata (--metadata)."
            )
    cells = [clean_name(name) for name in barcodes]
    if layout.whole:
        return whole_table({BARCODE: cells})
    names = [clean_name(name) for name in genes]
    names = made_unique(names) if layout.make_unique else names
    kept = feature_positions(names, layout, "gene")
    X = X if kept == list(range(len(names))) else X[:, kept]
    table = checked_table(X, None, [names[j] for j in kept], cells)
    left_out = [name for name in names if name in layout.elsewhere]
    return replace(table, remarks=left_out_remarks(left_out))


def _keys(item: Any) -> Sequence[str]:
    return list(item) if hasattr(item, "keys") else []


def _matrix_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = sorted([*path.glob("*.mtx"), *path.glob("*.mtx.gz")])
    if len(found) > 1:
        raise InputError(f"{path} holds {len(found)} matrices; name one of them, as {found[0]}.")
    return found[0]


def _beside(matrix: Path, prefix: str, names: Sequence[str]) -> Path:
    """The file of one of the names beside the matrix, compressed or not."""
    wanted = [f"{prefix}{name}{end}" for name in names for end in ("", ".gz")]
    there = {path.name.lower(): path for path in matrix.parent.iterdir()}
    for name in wanted:
        if name in there:
            return there[name]
    raise InputError(f"There is no {prefix}{names[0]} beside {matrix}, and both are needed.")


def _names(path: Path, column: int) -> list[str]:
    """Names in a column of a file, or in its last if it has not so many."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as f:
        rows = [line.rstrip("\r\n").split("\t") for line in f if line.strip()]
    return [clean_name(row[min(column, len(row) - 1)]) for row in rows]


def _checked_head(f: TextIO, path: Path, shape: tuple[int, int]) -> int:
    """Number of entries; an error if the matrix is not of this shape, or cannot hold so many."""
    kind = f.readline().lower().split()
    if kind[1:3] + kind[4:] != [MATRIX, "coordinate", "general"] or kind[3] not in FIELDS:
        raise InputError(f"{path} is not a sparse matrix of numbers in the Matrix Market format.")
    sizes = next((line for line in f if not line.startswith("%")), "").split()
    n_rows, n_columns, n_entries = map(int, sizes)
    if (n_rows, n_columns) != shape:
        raise InputError(
            f"{path} has {n_rows:,} rows and {n_columns:,} columns for {shape[0]:,} genes and "
            f"{shape[1]:,} cells."
        )
    largest = path.stat().st_size * (BEST_COMPRESSION if path.suffix.lower() == ".gz" else 1)
    if not 0 <= n_entries * SHORTEST_LINE <= largest + SHORTEST_LINE:
        raise InputError(f"{path} states {n_entries:,} entries, more than it can hold.")
    return n_entries


def _entries(f: TextIO, path: Path, n_entries: int, shape: tuple[int, int]) -> Any:
    """The matrix of cells and genes, by rows.

    NumPy reads the entries: SciPy's own reader is quicker, but some files end the process in it.
    """
    fields = [("gene", np.int64), ("cell", np.int64), ("count", np.float32)]
    found = np.loadtxt(f, fields, comments=None, max_rows=n_entries + 1, ndmin=1)
    if len(found) != n_entries:
        raise InputError(f"{path} states {n_entries:,} entries and holds {len(found):,} or more.")
    places = found["cell"] - 1, found["gene"] - 1
    return scipy.sparse.coo_array((found["count"], places), shape).tocsr()
