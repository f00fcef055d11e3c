"""Checks of output paths: never overwrite an input, other files only with --overwrite."""

from collections.abc import Collection, Iterable
from pathlib import Path

from hitmiss._util.errors import InputError
from hitmiss._util.files import check_new_folder


def check_folder(out: Path, names: Collection[str], table: Path) -> None:
    """Raise an error if the output folder cannot be written.

    Parameters
    ----------
    out : Path
        The folder to write.
    names : collection of str
        The files to write into it; an old folder that holds others is not replaced.
    table : Path
        The file that is read; it must not be one of those that are written.
    """
    _check_kept((out / name for name in names), table)
    check_new_folder(out, names)


def check_file(out: Path, inputs: Iterable[Path] = (), *, overwrite: bool) -> None:
    """Raise an error if the output would replace an input, or a file that is to be kept.

    Parameters
    ----------
    out : Path
        The file to write.
    inputs : iterable of Path
        Files that are read; they are never replaced.
    overwrite : bool
        Whether other files may be replaced.
    """
    for path in inputs:
        _check_kept([out], path)
    if out.is_dir() or not out.exists():
        if out.is_symlink() and not out.is_dir():
            raise InputError(f"{out} is a broken link; name another file.")
        return  # a folder is refused when the file is written
    if not out.is_file():
        raise InputError(f"{out} is not a regular file; name another.")
    if not overwrite:
        raise InputError(f"{out} exists; name another file, or replace it with --overwrite.")


def _check_kept(outputs: Iterable[Path], path: Path) -> None:
    for output in outputs:
        if path.exists() and output.exists() and output.samefile(path):
            raise InputError(f"{path} is read and would be lost; name another output (--out).")
