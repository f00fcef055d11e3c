"""Files and folders that are written completely or not at all; NPZ archives without pickles."""

import errno
import os
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

try:
    import fcntl
except ImportError:  # Windows has none
    HAS_LOCKS = False
else:
    HAS_LOCKS = True


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A temporary path to write to; it replaces `path` if nothing fails.

    Parameters
    ----------
    path : Path
        The file to write; an existing one is replaced.

    Yields
    ------
    Path
        Path to write to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(Path(folder, "a.txt")) as part:
    ...         _ = part.write_text("done")
    ...     print(os.listdir(folder))
    ['a.txt']
    """
    path = _resolved(path)  # the target of a link is replaced, not the link
    part = _beside(path)
    try:
        with _errors_about(path):
            yield part
            os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, replaceable: Collection[str] = ()) -> Iterator[Path]:
    """A temporary folder to fill; it replaces `path` if nothing fails.

    Parameters
    ----------
    path : Path
        The folder to write.
    replaceable : collection of str
        Names of files that may be deleted: an existing folder is replaced if it holds no others.

    Yields
    ------
    Path
        The folder to fill.
    """
    path = _resolved(path)  # the target of a link is replaced, not the link
    with _errors_about(path), _folder_beside(path, replaceable) as part:
        yield part
        with locked(path.parent, wait=True):  # several processes may replace one folder
            check_replaceable(path, replaceable)
            _exchange(part, path)


def check_new_folder(path: Path, replaceable: Collection[str] = ()) -> None:
    """An error if `new_folder` would fail, to be called before long computations.

    Parameters
    ----------
    path : Path
        The folder to write.
    replaceable : collection of str
        Names of files that may be deleted.
    """
    path = _resolved(path)
    with _errors_about(path), _folder_beside(path, replaceable):
        pass


@contextmanager
def _folder_beside(path: Path, replaceable: Collection[str]) -> Iterator[Path]:
    """An empty folder next to `path`; removed at the end unless it was renamed."""
    check_replaceable(path, replaceable)
    absent = [folder for folder in path.parents if not folder.exists()]
    part = _beside(path)
    try:
        part.mkdir(parents=True)
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)
        for folder in absent:  # the innermost first; one that is in use is kept
            with suppress(OSError):
                folder.rmdir()


def check_replaceable(path: Path, replaceable: Collection[str]) -> None:
    """An error if `path` exists and holds files that may not be deleted."""
    try:
        others = sorted(set(os.listdir(path)) - set(replaceable))
    except FileNotFoundError:  # also if another process is about to replace it
        return
    except NotADirectoryError:
        if not path.exists():  # a file is in the place of a folder above it: said on writing
            return
        raise FileExistsError(f"{path} is a file; name a folder.") from None
    if others:
        raise FileExistsError(
            f"{path} holds other files ({others[0]}), which would be lost; name a new folder."
        )


@contextmanager
def locked(folder: Path, *, wait: bool = False) -> Iterator[bool]:
    """Whether the folder could be locked; if so, no one else can lock it until the end.

    The lock is that of the operating system, so one that a killed process had is gone with it. A
    system or a network drive that has no locks cannot refuse: then the answer is True.

    Parameters
    ----------
    folder : Path
        An existing folder. Nothing is written to it.
    wait : bool
        Whether to wait until it can be locked.
    """
    handle = None
    if HAS_LOCKS:
        with suppress(OSError):  # a folder may be written to and not be listed
            handle = os.open(folder, os.O_RDONLY)
    try:
        yield handle is None or _is_locked(handle, wait=wait)
    finally:
        if handle is not None:
            os.close(handle)


def _is_locked(handle: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # there are no locks on this drive
        return True
    return True


@contextmanager
def _errors_about(path: Path) -> Iterator[None]:
    """Let errors name `path`, not the temporary file."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # otherwise the message is a sentence that names its path
            error.filename = str(path)
        raise


def _resolved(path: Path) -> Path:
    """The path without links, or an error if they lead in a circle."""
    try:
        return path.resolve()
    except (RuntimeError, OSError) as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _exchange(part: Path, path: Path) -> None:
    """Rename `part` to `path`; an existing folder is deleted, and restored if that fails."""
    if not path.exists():
        part.rename(path)
        return
    old = _beside(path)
    path.rename(old)
    try:
        part.rename(path)
    except BaseException:
        with suppress(OSError):
            old.rename(path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_arrays(
    file: BinaryIO, arrays: "Mapping[str, ArrayLike]", *, compressed: bool = False
) -> None:
    """Write arrays by name; those of Python objects are refused.

    `numpy.savez` itself can be told to refuse them from NumPy 2.1 on.

    Parameters
    ----------
    file : file
        Open for writing.
    arrays : mapping
        Arrays by name.
    compressed : bool
        Whether to compress them.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> write_arrays(file := io.BytesIO(), {"a": [1, 2]})
    >>> np.load(io.BytesIO(file.getvalue()), allow_pickle=False)["a"]
    array([1, 2])
    """
    import numpy as np  # here, as the help of the command line goes without

    values = {name: np.asarray(value) for name, value in arrays.items()}
    objects = [name for name, value in values.items() if value.dtype.hasobject]
    if objects:
        raise ValueError(f"The array {objects[0]!r} holds Python objects, which are not written.")
    save = np.savez_compressed if compressed else np.savez
    save(file, **cast(Any, values))
