"""Tables from files of named arrays: NPZ, MATLAB and HDF5."""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np
import scipy.io
import scipy.sparse
from numpy.typing import NDArray

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.cell_ranger import matrix_group, table_of_group
from hitmiss.io.cells import clean_name
from hitmiss.io.hdf5 import Arrays, opened
from hitmiss.io.labels import Labels, labels
from hitmiss.io.layout import Layout, feature_positions, listed, position
from hitmiss.io.mat_elements import check_elements
from hitmiss.io.table import Table, checked_table, left_out_remarks, whole_table
from hitmiss.io.unique_names import made_unique

# Names of the arrays in the files of the feature-selection repositories.
DATA = ("X", "x", "fea", "data")
TARGET = ("y", "Y", "gnd", "target")


def read_npz(path: Path, layout: Layout) -> Table:
    """Table of arrays X, y, feature_names and sample_names; the last three may be absent."""
    with parsing(path, "an NPZ file"), layout.open(path) as f:
        # For a file that is not an archive, NumPy advises to trust it as a pickle.
        if not is_zipfile(path):
            raise InputError(
                f"{path} cannot be read as an NPZ file: it is not an archive of arrays."
            )
        return table_from_arrays(np.load(f, allow_pickle=False), layout)


def read_mat(path: Path, layout: Layout) -> Table:
    """Table of the variables X and Y of a MATLAB file, or of fea and gnd."""
    with parsing(path, "a MATLAB file"):
        if _is_hdf5(path):  # as MATLAB writes since version 7.3, columns first
            return _read_h5(path, layout, columns_first=True)
        with layout.open(path) as f, warnings.catch_warnings():
            check_elements(b"".join(f))  # in parts, which are reported
            f.seek(0)
            # Either kind of sparse matrix will do; SciPy 1.18 warns of a coming change.
            warnings.simplefilter("ignore", DeprecationWarning)
            return table_from_arrays(scipy.io.loadmat(f, simplify_cells=True), layout)


def read_hdf5(path: Path, layout: Layout) -> Table:
    """Table of the datasets X, y, feature_names and sample_names of an HDF5 file."""
    with parsing(path, "an HDF5 file"):
        return _read_h5(path, layout, columns_first=False)


def _is_hdf5(path: Path) -> bool:
    with path.open("rb") as f:
        head = f.read(520)
    signature = b"\x89HDF\r\n\x1a\n"
    return signature in (head[:8], head[512:])


def _read_h5(path: Path, layout: Layout, *, columns_first: bool) -> Table:
    with opened(path) as stored:
        group = matrix_group(stored)
        if group is not None:
            return table_of_group(stored, group, layout)
        return table_from_arrays(Arrays(stored, columns_first=columns_first), layout)


def table_from_arrays(arrays: Mapping[str, Any], layout: Layout) -> Table:
    """Table of named arrays.

    Parameters
    ----------
    arrays : mapping
        From names to arrays.
    layout : Layout
        Its `target` and `samples` are names of arrays.

    Returns
    -------
    Table
    """
    if layout.whole:
        return whole_table(_lists(arrays))
    X = _matrix(arrays, layout)
    given = _names(arrays, "feature_names")
    names = [f"x{j}" for j in range(X.shape[-1])] if given is None else given
    names = made_unique(names) if layout.make_unique else names
    if layout.samples is not None:
        position(layout.samples, list(arrays), "array")
    samples = _names(arrays, layout.samples or "sample_names")
    target = _labels(arrays, layout.target)
    table = checked_table(X, target, names, samples)
    aside = {name: _aside(arrays, name, len(table.sample_names)) for name in layout.aside}
    kept = feature_positions(table.feature_names, layout, "feature")
    if kept != list(range(len(names))):
        table = checked_table(X[:, kept], target, [names[j] for j in kept], samples)
    left_out = [name for name in names if name in layout.elsewhere]
    return replace(table, aside=aside, remarks=left_out_remarks(left_out))


def _lists(arrays: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The arrays of one dimension that have the commonest length."""
    flat = {name: list(_flat(arrays[name])) for name in arrays if not name.startswith("__")}
    one = {name: flat[name] for name in flat if 1 in (np.ndim(arrays[name]), *_shape(arrays[name]))}
    length = Counter(map(len, one.values())).most_common(1)
    return {name: values for name, values in one.items() if len(values) == length[0][0]}


def _shape(array: Any) -> tuple[int, ...]:
    return np.shape(array) if np.ndim(array) == 2 else ()


def _aside(arrays: Mapping[str, Any], name: str, n_samples: int) -> list[Any]:
    position(name, list(arrays), "array")
    values = list(_flat(arrays[name]))
    if len(values) != n_samples:
        raise InputError(f"{name!r} has {len(values):,} values for {n_samples:,} samples.")
    return values


def _matrix(arrays: Mapping[str, Any], layout: Layout) -> NDArray:
    name = next((name for name in DATA if name in arrays), None)
    if name is None:
        raise InputError(f"There is no array X; there are {listed(arrays) or 'none'}.")
    X = arrays[name]
    X = X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
    return X.T if layout.transpose else X


def _labels(arrays: Mapping[str, Any], target: str | None) -> Labels | None:
    name = target or next((name for name in TARGET if name in arrays), None)
    if name is None:
        return None
    position(name, list(arrays), "array")
    return labels(_flat(arrays[name]))


def _names(arrays: Mapping[str, Any], name: str) -> list[str] | None:
    return [clean_name(item) for item in _flat(arrays[name])] if name in arrays else None


def _flat(array: Any) -> Iterable[Any]:
    return np.asarray(array).ravel().tolist()
