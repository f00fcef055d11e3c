"""read_table: the reader is chosen by the suffix of the file."""

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from hitmiss.io.read_progress import Watch
    from hitmiss.io.table import Table

# Suffix -> the module here and the function in it that reads such a file. Modules are loaded when
# a file is read, so that the command line can list the suffixes without waiting for NumPy.
_TEXT = ("delimited_text", "read_text")
_READERS = {
    ".csv": _TEXT,
    ".tsv": _TEXT,
    ".tab": _TEXT,
    ".txt": _TEXT,
    ".parquet": ("parquet_table", "read_parquet"),
    ".xlsx": ("excel", "read_excel"),
    ".npz": ("arrays", "read_npz"),
    ".mat": ("arrays", "read_mat"),
    ".arff": ("arff", "read_arff"),
    ".h5": ("arrays", "read_hdf5"),
    ".hdf5": ("arrays", "read_hdf5"),
    ".h5ad": ("h5ad", "read_h5ad"),
}
SUFFIXES = (*_READERS, *(f"{suffix}.gz" for suffix, read in _READERS.items() if read is _TEXT))


def read_table(
    path: str | PathLike[str],
    target: str | None = None,
    *,
    samples: str | None = None,
    drop: Iterable[str] = (),
    features: Iterable[str] | None = None,
    transpose: bool = False,
    watch: "Watch | None" = None,
) -> "Table":
    r"""Samples, labels and names from a file.

    The format is that of the suffix: .csv, .tsv, .tab, .txt (also with .gz), .parquet, .xlsx,
    .npz, .mat, .arff, .h5, .hdf5 or .h5ad. Nothing in a file is ever executed or unpickled.

    TRUE and FALSE are read as 1 and 0. Empty cells and NA, NaN, N/A, null, none and ? are missing.
    A column without a header is called by its place, "column 3".

    Parameters
    ----------
    path : str or path
        The file.
    target : str, default=None
        Name of the column with the class labels; of a row, if `transpose`; of an array in .npz,
        .mat and HDF5 files, where None takes the array y; of a column of obs in .h5ad.
    samples : str, default=None
        Name of the column with the names of the samples. None takes the first column if its header
        is id, index, sample or sample_id; or if it holds text, all different; or, without a header,
        text or whole numbers, all different. `Table.sample_column` names it.
    drop : iterable of str, default=()
        Columns to leave out; a text may name several, separated by commas.
    features : iterable of str, default=None
        Features to read, in this order, all others being left out; None reads all but `drop`.
    transpose : bool, default=False
        Whether the file has its features in rows: the first column holds their names, and the
        header those of the samples.
    watch : callable, default=None
        Called during the reading with the share of the file that has been read, a number up to 1;
        not for Parquet, HDF5 and AnnData files, which are not read sequentially.

    Returns
    -------
    Table
        With X, y, feature_names and sample_names.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hitmiss.io import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "small.csv")
    ...     _ = path.write_text("id,kind,gene1,gene2\na,ill,0.5,1\nb,well,0.25,2\n")
    ...     table = read_table(path, target="kind")
    >>> table.feature_names, table.sample_names, table.y.tolist()
    (['gene1', 'gene2'], ['a', 'b'], ['ill', 'well'])
    """
    path = Path(path)
    suffixes = "".join(path.suffixes[-2:] if path.suffix.lower() == ".gz" else path.suffixes[-1:])
    if suffixes.lower() not in SUFFIXES:
        raise InputError(
            f"{path} has no suffix that says what it holds; there are {', '.join(_READERS)}."
        )
    if not path.is_file():
        raise InputError(f"{path} is a folder." if path.is_dir() else f"There is no file {path}.")
    wanted = None if features is None else tuple(features)
    module, reader = _READERS[suffixes.lower().removesuffix(".gz")]
    layout = import_module("hitmiss.io.table").Layout(
        target, samples, tuple(drop), wanted, transpose, watch
    )
    return getattr(import_module(f"hitmiss.io.{module}"), reader)(path, layout)
