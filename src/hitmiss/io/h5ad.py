"""Tables from AnnData files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from hitmiss._util.errors import InputError, optional, parsing
from hitmiss.io.hdf5 import check_own, located, opened, own_object
from hitmiss.io.labels import labels
from hitmiss.io.layout import Layout, feature_positions, position
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique

OBS_NAMES = "obs_names"


def read_h5ad(path: Path, layout: Layout) -> Table:
    """Table of the X of an AnnData file; target and sample names are columns of obs.

    Nothing else is read, unless the file was written by AnnData 0.7 or older.
    """
    optional("anndata", extra="anndata")
    if layout.transpose:
        raise InputError("An h5ad file has its samples in rows by definition; do not transpose it.")
    with parsing(path, "an h5ad file"), opened(path) as file:
        if "X" not in list(file) and not layout.whole:
            raise InputError(f"{path} has no X, only annotations.")
        data = _Parts(file) if _is_columnwise(file) else _Whole(file, path)
        if layout.whole:
            columns = {name: data.column(name) for name in data.columns}
            return whole_table({OBS_NAMES: list(data.obs_names), **columns})
        aside = {name: data.column(name) for name in layout.aside}
        y, samples = (
            None if name is None else data.column(name) for name in (layout.target, layout.samples)
        )
        every = [str(name) for name in data.var_names]
        every = made_unique(every) if layout.make_unique else every
        kept = feature_positions(every, layout, "feature")
        X = data.X
        X = X if kept == list(range(len(every))) else X[:, kept]
        X = X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
        names = data.obs_names if samples is None else samples
    table = checked_table(X, None if y is None else labels(y), [every[j] for j in kept], names)
    left_out = [name for name in every if name in layout.elsewhere]
    return replace(table, aside=aside, remarks=left_out_remarks(left_out))


class _Parts:
    """X, and the columns of obs and var, each read when it is asked for."""

    def __init__(self, file: Any):
        self._file = file
        self.obs_names, self.var_names = (
            self._read(f"{frame}/{located(file, frame).attrs['_index']}")
            for frame in ("obs", "var")
        )

    @property
    def X(self) -> Any:
        return self._read("X")

    @property
    def columns(self) -> list[str]:
        return [str(c) for c in located(self._file, "obs").attrs["column-order"]]

    def column(self, name: str) -> list[Any]:
        position(name, self.columns)  # raises if there is none
        return self._read(f"obs/{name}").tolist()

    def _read(self, path: str) -> Any:
        anndata_io = optional("anndata.io", extra="anndata")
        return anndata_io.read_elem(own_object(self._file, path))


class _Whole:
    """Like `_Parts`, for files of old versions, which AnnData reads as a whole."""

    def __init__(self, file: Any, path: Path):
        check_own(file, "")
        data = optional("anndata", extra="anndata").read_h5ad(path)
        self.X, self._obs = data.X, data.obs
        self.obs_names, self.var_names = data.obs_names, data.var_names

    @property
    def columns(self) -> list[str]:
        return [str(c) for c in self._obs.columns]

    def column(self, name: str) -> list[Any]:
        return self._obs.iloc[:, position(name, self.columns)].tolist()


def _is_columnwise(file: Any) -> bool:
    """Whether obs and var are groups with a separate object for every column."""
    return all(
        located(file, frame).attrs.get("encoding-version") == "0.2.0" for frame in ("obs", "var")
    )
