"""Layout: the columns of a file that hold labels, names, features and metadata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from hitmiss._util.errors import InputError
from hitmiss._util.text import by_comma, suggestion
from hitmiss.io.read_progress import Watch, watched

MOST_LISTED = 5  # names in an error, which then stays one sentence


@dataclass(frozen=True)
class Layout:
    """Arguments of `read_table`: the columns and their roles, and the progress callback."""

    target: str | None = None
    samples: str | None = None
    drop: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    transpose: bool = False
    watch: Watch | None = None
    aside: tuple[str, ...] = ()  # columns that are no features and come with the table
    elsewhere: frozenset[str] = (
        frozenset()
    )  # columns that are no features, as another file has them
    make_unique: bool = False
    decimal: str | None = None  # the decimal mark; None finds it
    nominal: tuple[str, ...] = ()  # columns of kinds, although they may be numbers
    whole: bool = False  # every column comes with the table as it is, and none is a feature

    @property
    def dropped(self) -> frozenset[str]:
        """The names in `drop`, whole, and those that it separates by commas."""
        return frozenset(name for given in self.drop for name in (given, *by_comma(given)))

    def open(self, path: Path) -> BufferedReader:
        """The file, opened for reading with its progress reported to `watch`."""
        return watched(path, self.watch)


def listed(names: Iterable[str]) -> str:
    """The first few names in quotes, and the number of the others."""
    every = list(names)
    shown = ", ".join(map(repr, every[:MOST_LISTED]))
    more = len(every) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def position(name: str, names: Sequence[str], what: str = "column") -> int:
    """Index of `name` among `names`, or an error that suggests the closest.

    Parameters
    ----------
    name : str
        Name to find.
    names : sequence of str
        All names.
    what : str, default="column"
        What the names stand for, for the error.

    Returns
    -------
    int
    """
    if name in names:
        if names.count(name) > 1:
            raise ambiguous(name, what)
        return names.index(name)
    hint = suggestion(name, names, f"there are {listed(names)}.")
    raise InputError(f"There is no {what} {name!r}; {hint}")


def place(name: str, names: Sequence[str], layout: Layout, what: str = "column") -> int:
    """Index of `name` among `names`; the error also knows what another file has.

    Parameters
    ----------
    name : str
        Name to find.
    names : sequence of str
        All names of this file.
    layout : Layout
        Its `elsewhere` names the columns of the other.
    what : str, default="column"
        What the names stand for, for the error.
    """
    others = () if name in names else sorted(layout.elsewhere)
    return position(name, [*others, *names], what)


def ambiguous(name: str, what: str = "column") -> InputError:
    """The error for a name that should be unique and is not."""
    return InputError(
        f"There are several {what}s {name!r}, and it is not clear which is meant; give each a "
        "unique name."
    )


def feature_positions(names: Sequence[str], layout: Layout, what: str = "column") -> list[int]:
    """Indices of the requested features among `names`.

    Parameters
    ----------
    names : sequence of str
        Names of all columns, or rows, that may be features.
    layout : Layout
        Its `features` and `drop` say which are requested.
    what : str, default="column"
        What the names stand for, for errors.

    Returns
    -------
    list of int
    """
    if layout.features is None:
        known = frozenset(names)
        for given in layout.drop:
            for name in () if given in known else by_comma(given):
                if name not in known:
                    position(name, names, what)  # raises
        gone = layout.dropped | layout.elsewhere
        return [j for j, name in enumerate(names) if name not in gone]
    wanted = frozenset(layout.features)
    place: dict[str, int] = {}
    for j, name in enumerate(names):
        if name in place and name in wanted:
            raise ambiguous(name, what)
        place[name] = j
    absent = [name for name in layout.features if name not in place]
    if absent:
        raise InputError(f"{len(absent):,} features are not in the table: {listed(absent)}.")
    return [place[name] for name in layout.features]
