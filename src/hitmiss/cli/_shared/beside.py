"""Metadata of the samples: another file, groups, strata and covariates."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.progress_bar import progress_bar
from hitmiss.cli._shared.terminal import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table
    from hitmiss.io.joining import Join

Columns = Mapping[str, list[Any]]
SHOWN = 3  # names of samples that did not match, in a line


@dataclass(frozen=True)
class Beside:
    """A metadata file, and the columns (of it or of the table) that describe the samples."""

    metadata: Path | None = None
    names: str | None = None
    groups: str | None = None
    strata: str | None = None
    covariates: tuple[str, ...] = ()
    time: str | None = None
    event: str | None = None

    def columns(self) -> list[str]:
        """Names of the requested columns, each once."""
        given = (self.groups, self.strata, *self.covariates, *self.times())
        return list(dict.fromkeys(name for name in given if name is not None))

    def times(self) -> list[str]:
        """The columns of times and events, of which no value may be missing."""
        return [name for name in (self.time, self.event) if name is not None]

    def read(self, *, quiet: bool) -> Columns:
        """All columns of the metadata; none without such a file."""
        from hitmiss.io import read_columns

        if self.metadata is None:
            return {}
        with progress_bar(f"reading {printable(self.metadata.name)}", quiet=quiet) as watch:
            return read_columns(self.metadata, watch=watch)

    def designed(self, table: "Table") -> "Table":
        """Table with groups, strata and covariates taken from its extra columns."""
        from hitmiss.io.design import kinds, measurements

        design: dict[str, NDArray] = {}
        if self.groups is not None:
            design["groups"] = kinds(table.aside[self.groups])
        if self.strata is not None:
            design["strata"] = kinds(table.aside[self.strata])
        if self.covariates:
            design["covariates"] = measurements(
                {name: table.aside[name] for name in self.covariates}
            )
        return replace(table, design=design)

    def record(self, join: "Join | None") -> dict[str, Any]:
        """The columns, and how the two files go together."""
        found: dict[str, Any] = {
            "groups": self.groups,
            "strata": self.strata,
            "covariates": list(self.covariates),
            "time": self.time,
            "event": self.event,
            "metadata": None,
        }
        if self.metadata is not None and join is not None:
            found["metadata"] = {
                "file": os.fsencode(self.metadata).decode("utf-8", "replace"),
                "sha256": digest(self.metadata),
                "names": join.column,
                "n_matched": len(join.rows),
                "n_only_in_table": len(join.only_in_table),
                "n_only_in_metadata": len(join.only_in_metadata),
            }
        return found


def digest(path: Path) -> str:
    """A hash of a file, or of all files in a folder by their names."""
    if path.is_dir():
        files = sorted(child for child in path.iterdir() if child.is_file())
        lines = (f"{digest(child)}  {child.name}\n" for child in files)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def join_sentence(join: "Join", table: Path, metadata: Path) -> str:
    """Sentence with the numbers of matched and unmatched samples."""
    n = len(join.rows)
    found = f"{n:,} sample{'s' if n != 1 else ''} matched by column {join.column!r} of {metadata}"
    left = [
        _unmatched(join.only_in_table, f"of {table} without metadata, left out"),
        _unmatched(join.only_in_metadata, f"of {metadata} not in {table}"),
    ]
    return "; ".join([found, *filter(None, left)]) + "."


def idle_sentences(design: Mapping[str, Any]) -> list[str]:
    """Sentences on parts of the design that have no effect.

    Parameters
    ----------
    design : mapping of str to ndarray
        Groups, strata and covariates, as far as given.
    """
    import numpy as np

    said = []
    groups, strata = (design.get(name) for name in ("groups", "strata"))
    if groups is not None and len(np.unique(groups)) == len(groups):
        said.append("Every sample is its own group, so --groups has no effect.")
    if strata is not None and len(np.unique(strata)) == 1:
        said.append("All samples are in one stratum, so --strata has no effect.")
    covariates = design.get("covariates")
    if covariates is not None and not np.ptp(covariates, axis=0).any():
        said.append("All covariates are constant, so --covariates has no effect.")
    return said


def check_takes(estimator: Any, design: Mapping[str, Any], method: str) -> None:
    """Raise an error if the method cannot use the design that is given."""
    from hitmiss._util.any_estimator import takes
    from hitmiss.registry import methods

    absent = [name for name in design if not takes(estimator, name)]
    if not absent:
        return
    others = [name for name, m in methods().items() if takes(m.estimator(), absent[0])]
    known = f"; methods that do: {', '.join(others)}" if others else ""
    raise InputError(f"{method} does not take --{absent[0]}{known}.")


def _unmatched(names: list[str], where: str) -> str:
    if not names:
        return ""
    some = ", ".join(map(repr, names[:SHOWN]))
    return f"{len(names):,} {where} ({some}{', ...' if len(names) > SHOWN else ''})"
