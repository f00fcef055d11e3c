"""Contents of an HDF5 file itself: nothing is read from other files.

A file of a stranger can name any other file of this machine as the place of its values: by an
external link, by external storage of a dataset, or by a virtual dataset. What is asked for and lies
elsewhere is refused; what is not asked for is not opened.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hitmiss._util.errors import InputError, optional
from hitmiss.io.hdf5_heaps import check_heaps

MOST_LINKS = 16  # soft links on the way to an object, as many as HDF5 itself follows
# A dataset can state any size and store nothing. Beyond this size, one that stores less than the
# best that gzip can do, a 1,032nd, is refused before memory is taken for it.
LARGEST_UNCHECKED = 1_000_000_000
BEST_COMPRESSION = 1032


class Arrays(Mapping[str, Any]):
    """The datasets at the root of an HDF5 file, each read when it is asked for.

    Parameters
    ----------
    file : h5py.File
        Open.
    columns_first : bool
        Whether the arrays are transposed, as MATLAB writes them.
    """

    def __init__(self, file: Any, *, columns_first: bool = False):
        h5py = optional("h5py", extra="hdf5")
        self._file, self._columns_first = file, columns_first
        self._names = [
            name
            for name in file
            if _link(file, name) != "hard" or isinstance(file[name], h5py.Dataset)
        ]

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        values = own_object(self._file, name)[()]
        return values.T if self._columns_first else values

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def opened(path: Path) -> Any:
    """The file, open for reading, or an error if reading it would never end."""
    file = optional("h5py", extra="hdf5").File(path, "r")
    try:
        check_heaps(path, file.id.get_create_plist().get_sizes()[1])
    except BaseException:
        file.close()
        raise
    return file


def own_object(group: Any, path: str) -> Any:
    """The group or dataset at a path, of which no part lies in another file, or an error."""
    found = located(group, path)
    check_own(found, path)
    return found


def located(group: Any, path: str, n_links: int = 0) -> Any:
    """The group or dataset at a path, found without opening another file, or an error.

    Parameters
    ----------
    group : h5py.Group
        Where the path begins.
    path : str
        Names with slashes between.
    n_links : int
        Soft links that were followed already.

    Returns
    -------
    h5py.Group or h5py.Dataset
    """
    found = group.file["/"] if path.startswith("/") else group
    for name in path.split("/"):
        if name in ("", "."):
            continue
        kind = _link(found, name)
        if kind is None or n_links > MOST_LINKS:
            raise InputError(f"There is no {path!r} in {Path(group.file.filename)}.")
        if kind == "soft":
            target = found.id.links.get_val(name.encode()).decode("utf-8", "surrogateescape")
            found = located(found, target, n_links + 1)
        elif kind == "hard":
            found = found[name]
        else:
            raise _elsewhere(group, path, "is a link to another file")
    return found


def check_own(item: Any, path: str) -> None:
    """Raise an error if a dataset, or one anywhere below a group, lies in another file.

    Or if a group holds itself: going through all of it has no end, and a reader that gives up deep
    inside leaves h5py locked.
    """
    h5py = optional("h5py", extra="hdf5")
    pending: list[tuple[Any, str, tuple[Any, ...]]] = [(item, path, ())]
    seen = set()
    while pending:
        item, path, above = pending.pop()
        if item.id in above:
            raise InputError(
                f"The group {path!r} in {Path(item.file.filename)} holds itself; remove that link."
            )
        if isinstance(item, h5py.Dataset):
            _check_dataset(item, path)
        elif isinstance(item, h5py.Group) and item.id not in seen:
            seen.add(item.id)  # a group may be in several others
            for name in item:
                if _link(item, name) != "hard":
                    raise _elsewhere(item, f"{path}/{name}", "is a link")
                pending.append((item[name], f"{path}/{name}", (*above, item.id)))


def _link(group: Any, name: str) -> str | None:
    """Kind of link that a name is, found without following it; None if there is none."""
    h5l = optional("h5py", extra="hdf5").h5l
    links = getattr(group.id, "links", None)  # a dataset has none
    if links is None or not links.exists(name.encode()):
        return None
    kind = links.get_info(name.encode()).type
    return {h5l.TYPE_HARD: "hard", h5l.TYPE_SOFT: "soft"}.get(kind, "external")


def _check_dataset(dataset: Any, path: str) -> None:
    if dataset.is_virtual:
        raise _elsewhere(dataset, path, "is put together from other datasets")
    if dataset.external:
        raise _elsewhere(dataset, path, "has its values in another file")
    size = (dataset.size or 0) * dataset.dtype.itemsize
    stored = dataset.id.get_storage_size()
    if size > LARGEST_UNCHECKED and size > BEST_COMPRESSION * stored:
        raise InputError(
            f"{path!r} in {Path(dataset.file.filename)} claims to hold {size:,} bytes, of which "
            f"only {stored:,} are stored; write its values to the file."
        )


def _elsewhere(item: Any, path: str, what: str) -> InputError:
    return InputError(
        f"{path!r} in {Path(item.file.filename)} {what}, and a table is read from one file only; "
        "copy the values into this file."
    )
