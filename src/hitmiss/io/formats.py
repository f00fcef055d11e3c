"""read_table: the reader is chosen by the suffix of the file."""

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from hitmiss.io.read_progress import Watch
    from hitmiss.io.table import Table

# Suffix -> the module here and the function in it that reads such a file. Modules are loaded when
# a file is read, so that the command line can list the suffixes without waiting for NumPy.
_TEXT = ("delimited_text", "read_text")
_MATRIX_MARKET = ("cell_ranger", "read_mtx")
# Files that lie beside a .bed of PLINK and are read with it.
_BESIDE_BED = (".bim", ".fam")
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
    ".gct": ("gct", "read_gct"),
    ".bed": ("plink", "read_bed"),
    ".mtx": _MATRIX_MARKET,
}
_COMPRESSED = (_TEXT, _READERS[".gct"], _MATRIX_MARKET)
SUFFIXES = (
    *_READERS,
    *(f"{suffix}.gz" for suffix, read in _READERS.items() if read in _COMPRESSED),
)


def read_table(
    path: str | PathLike[str],
    target: str | None = None,
    *,
    samples: str | None = None,
    drop: Iterable[str] = (),
    features: Iterable[str] | None = None,
    transpose: bool = False,
    watch: "Watch | None" = None,
    aside: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
    nominal: Iterable[str] = (),
    make_unique: bool = False,
    decimal: str | None = None,
) -> "Table":
    r"""Samples, labels and names from a file.

    The format is that of the suffix: .csv, .tsv, .tab, .txt (also with .gz), .parquet, .xlsx,
    .npz, .mat, .arff, .h5, .hdf5, .h5ad, .gct, .bed (PLINK, with .bim and .fam beside it) or .mtx
    (10x Genomics, as is a folder with one in it, and an .h5 file with a group matrix). Nothing in a
    file is ever executed or unpickled.

    TRUE and FALSE are read as 1 and 0. Empty cells and NA, NaN, N/A, null, none and ? are missing.
    A column without a header is called by its place, "column 3".

    Parameters
    ----------
    path : str or path
        The file.
    target : str, default=None
        Name of the column with the class labels; of a row, if `transpose`; of an array in .npz,
        .mat and HDF5 files, where None takes the array y; of a column of obs in .h5ad, of a sample
        annotation in .gct, of a column of .fam for .bed, where None takes the phenotype if it
        tells cases and controls apart.
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
        header those of the samples. Annotations beside the names are left out by `drop`.
    watch : callable, default=None
        Called during the reading with the share of the file that has been read, a number up to 1;
        not for files that are not read sequentially, such as Parquet and HDF5.
    aside : iterable of str, default=()
        Columns, found as that of the target, that are no features and come as `Table.aside`.
    elsewhere : iterable of str, default=()
        Columns that are no features, should they be there, since another file has them.
    nominal : iterable of str, default=()
        Features that are kinds and no measurements, although they may be numbers.
    make_unique : bool, default=False
        Whether names of features that occurred before get a number: a, a_2.
    decimal : {".", ","}, default=None
        The decimal mark in text; None takes a comma only where nothing else can be meant.

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
    options = {
        "aside": tuple(aside),
        "elsewhere": frozenset(elsewhere),
        "nominal": tuple(nominal),
        "make_unique": make_unique,
        "decimal": _checked_mark(decimal),
    }
    wanted = None if features is None else tuple(features)
    return _read(Path(path), target, samples, tuple(drop), wanted, transpose, watch, **options)


def read_columns(
    path: str | PathLike[str], *, watch: "Watch | None" = None
) -> dict[str, list[Any]]:
    """All columns of a file as they are, by name: text, numbers or None.

    Of an .h5ad file these are the columns of obs with the names of its samples, of .gct the
    annotations of the samples, of .bed the columns of .fam.

    Parameters
    ----------
    path : str or path
        The file, of any format that `read_table` reads.
    watch : callable, default=None
        As in `read_table`.

    Returns
    -------
    dict of str to list
    """
    return dict(_read(Path(path), watch=watch, whole=True).aside)


def _read(path: Path, *arguments: Any, **options: Any) -> "Table":
    module, reader = _reader(path)
    layout = import_module("hitmiss.io.layout").Layout(*arguments, **options)
    return getattr(import_module(f"hitmiss.io.{module}"), reader)(path, layout)


def _reader(path: Path) -> tuple[str, str]:
    """The module and the function in it that read a file."""
    if path.is_dir():
        if any(path.glob("*.mtx")) or any(path.glob("*.mtx.gz")):
            return _MATRIX_MARKET
        raise InputError(f"{path} is a folder without a matrix.mtx of 10x Genomics.")
    suffixes = "".join(path.suffixes[-2:] if path.suffix.lower() == ".gz" else path.suffixes[-1:])
    if suffixes.lower() in _BESIDE_BED:
        raise InputError(f"{path} belongs to PLINK's {path.with_suffix('.bed')}; name that file.")
    if suffixes.lower() not in SUFFIXES:
        raise InputError(f"{path} has no known suffix; there are {', '.join(_READERS)}.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    return _READERS[suffixes.lower().removesuffix(".gz")]


def _checked_mark(decimal: str | None) -> str | None:
    if decimal not in (None, ".", ","):
        raise InputError(f"The decimal mark is a point or a comma (--decimal ,), not {decimal!r}.")
    return decimal
