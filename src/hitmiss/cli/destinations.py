"""Where a command may write: never over what it reads, and over other files only if told to."""

from collections.abc import Collection, Iterable
from pathlib import Path

from hitmiss._util.errors import InputError
from hitmiss._util.files import check_new_folder


def check_folder(out: Path, names: Collection[str], source: Path) -> None:
    """An error if the folder cannot be written, or if `source` is one of its files `names`."""
    _check_kept((out / name for name in names), source)
    check_new_folder(out, names)


def check_file(out: Path, sources: Iterable[Path] = (), *, overwrite: bool) -> None:
    """An error if the file would take the place of one of the sources, or of any other.

    Parameters
    ----------
    out : Path
        The file that shall appear.
    sources : iterable of Path
        Files that are read; they are never replaced.
    overwrite : bool
        Whether other files may be.
    """
    for source in sources:
        _check_kept([out], source)
    if out.is_dir() or not out.exists():
        return  # a folder is refused when the file is written
    if not out.is_file():
        raise InputError(f"{out} is no ordinary file; name another.")
    if not overwrite:
        raise InputError(f"{out} exists; name another file, or replace it with --overwrite.")


def _check_kept(outputs: Iterable[Path], source: Path) -> None:
    for output in outputs:
        if source.exists() and output.exists() and output.samefile(source):
            raise InputError(f"{source} is read and would be lost; name another output (--out).")
