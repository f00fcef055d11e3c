"""The file that holds the table a command works on."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.beside import Beside, Columns, digest, idle_sentences, join_sentence
from hitmiss.cli._shared.progress_bar import progress_bar
from hitmiss.cli._shared.task import Task, as_classes, check_classes, task_of
from hitmiss.cli._shared.terminal import note, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table


LARGEST_DENSE = 8_000_000_000  # bytes: 60,000 cells of 33,000 genes
# Every sample that is kept has these.
KNOWN = "a label, time, event, group, stratum or covariate"


@dataclass(frozen=True)
class TableFile:
    """A file and how to read the table in it."""

    file: Path
    target: str | None = None
    samples: str | None = None
    drop: tuple[str, ...] = ()
    transpose: bool = False
    missing: str = "error"
    features: tuple[str, ...] | None = None
    beside: Beside = field(default_factory=Beside)
    task: Task | None = None
    make_unique: bool = False
    decimal: str | None = None
    nominal: tuple[str, ...] = ()

    def read(self, *, quiet: bool) -> "Table":
        """Read the table, with the metadata of its samples."""
        from hitmiss.io import drop_missing
        from hitmiss.io.missing import UNLABELED, WAYS, check_complete, check_finite, n_missing

        self._check_roles()
        columns = self.beside.read(quiet=quiet)
        table = self._joined(self._table(columns, quiet=quiet), columns, quiet=quiet)
        if self.missing in (*WAYS, UNLABELED):
            whole, table = table, drop_missing(table, self.missing, self.beside.times())
            lacking = KNOWN if self.missing == UNLABELED else "all values"
            note(_left_out(whole, table, lacking), quiet=quiet)
        table = replace(table, X=_dense(table.X))
        ways = WAYS if self.features is None else ("drop-samples",)
        check = check_finite if self.missing in ("keep", UNLABELED) else check_complete
        check(table, ways, self.beside.times())
        for remark in (*table.remarks, *idle_sentences(table.design)):
            note(remark, quiet=quiet)
        n = n_missing(table)
        if n:
            kept = f"{n:,} value{'s are' if n > 1 else ' is'} missing and kept"
            note(f"{kept}; --missing {' or '.join(ways)} removes them.", quiet=quiet)
        if self.samples is None and table.sample_column is not None:
            taken = f"Column {table.sample_column!r} is used as sample names"
            note(f"{taken}; choose another with --samples.", quiet=quiet)
        return table

    def _check_roles(self) -> None:
        """Raise an error if one column is given two roles."""
        from hitmiss._util.text import by_comma

        beside = self.beside.columns()
        if self.target is not None and self.target in beside:
            raise InputError(
                f"Column {self.target!r} is the target, so it cannot also be a group, stratum or "
                "covariate."
            )
        dropped = {name for given in self.drop for name in (given, *by_comma(given))}
        for name in (self.target, *beside):
            if name in dropped:
                raise InputError(
                    f"Column {name!r} is in --drop and in another option; remove it from --drop, "
                    "as columns with a role are never features."
                )

    def _table(self, columns: Columns, *, quiet: bool) -> "Table":
        """Read the table of the file, without the columns of the metadata."""
        from hitmiss.io import read_table

        aside = [name for name in self.beside.columns() if name not in columns]
        with progress_bar(f"reading {printable(self.file.name)}", quiet=quiet) as watch:
            return read_table(
                self.file,
                None if self.target in columns else self.target,
                samples=self.samples,
                drop=self.drop,
                features=self.features,
                transpose=self.transpose,
                watch=watch,
                aside=aside,
                elsewhere=columns,
                nominal=self.nominal,
                make_unique=self.make_unique,
                decimal=self.decimal,
            )

    def _joined(self, table: "Table", columns: Columns, *, quiet: bool) -> "Table":
        """Keep the samples that are also in the metadata, with their labels and design."""
        from hitmiss.io.joining import joined
        from hitmiss.io.labels import labels

        if self.beside.metadata is not None:
            table, known, join = joined(table, columns, self.beside.names)
            asked = {name: known[name] for name in self.beside.columns() if name in known}
            table = replace(table, aside={**table.aside, **asked}, join=join)
            note(join_sentence(join, self.file, self.beside.metadata), quiet=quiet)
            if self.target in known:
                y, missing = labels(known[self.target])
                table = replace(table, y=y, missing_labels=missing)
        return self.beside.designed(table)

    def read_labeled(self, *, quiet: bool) -> tuple["Table", "NDArray"]:
        """The table and its class labels, of two classes at least."""
        table = self.read(quiet=quiet)
        if table.y is None:
            raise InputError(
                f"Name the column of {self.file} that holds the classes with --target."
            )
        called = f"of {self.file}" if self.target is None else repr(self.target)
        check_classes(table.y, self.task, called)
        return table, self._classes(table.y)

    def read_target(self, *, quiet: bool) -> tuple["Table", "NDArray", Task]:
        """Read the table, its target, and the kind of target."""
        if self.beside.time is not None or self.beside.event is not None:
            return (*self._read_times(quiet=quiet), Task.survival)
        from hitmiss.targets.numbers import checked_numbers

        table = self.read(quiet=quiet)
        if table.y is None:
            raise InputError(
                f"Name the column of {self.file} to explain with --target, or with --time and "
                "--event."
            )
        called = f"of {self.file}" if self.target is None else repr(self.target)
        task = task_of(table.y, self.task, called)
        if task is Task.survival:
            raise InputError("--task survival needs --time and --event instead of --target.")
        if task is Task.classes:
            return table, self._classes(table.y), task
        if self.task is None:
            taken = f"The target {called} is treated as numbers"
            note(f"{taken}; use --task classes if it holds classes.", quiet=quiet)
        return table, checked_numbers(table.y), task

    def _read_times(self, *, quiet: bool) -> tuple["Table", "NDArray"]:
        """The table, and events and times."""
        from hitmiss.io.events import Cells, events_and_times

        beside = self.beside
        if beside.time is None or beside.event is None:
            raise InputError(
                "Use --time and --event together: the time, and whether the event happened."
            )
        if self.target is not None or self.task not in (None, Task.survival):
            raise InputError("Give either --target, or --time with --event.")
        table = self.read(quiet=quiet)
        events, times = (
            Cells(name, table.aside[name], table.sample_names)
            for name in (beside.event, beside.time)
        )
        y = events_and_times(events, times)
        note(f"{len(y):,} times, {int(y['event'].sum()):,} of them events.", quiet=quiet)
        return table, y

    def _classes(self, target: "NDArray") -> "NDArray":
        """Class labels, of two classes at least."""
        import numpy as np

        y = as_classes(target)
        if len(np.unique(y)) < 2:
            raise InputError(f"All samples are of one class ({y[0]}); at least 2 are needed.")
        return y

    def description(self, table: "Table") -> dict[str, Any]:
        """The file, a hash of its content, and how it was read as the table."""
        from hitmiss.io.missing import n_missing

        return {
            "file": os.fsencode(self.file).decode("utf-8", "replace"),
            "sha256": digest(self.file),
            "target": self.target,
            "samples": self.samples if table.sample_column is None else table.sample_column,
            "drop": list(self.drop),
            "transpose": self.transpose,
            "missing": self.missing,
            "n_missing": n_missing(table),
            "task": None if self.task is None else self.task.value,
            "make_unique": self.make_unique,
            "decimal": self.decimal,
            "nominal": list(self.nominal),
            **self.beside.record(table.join),
        }


def _left_out(whole: "Table", kept: "Table", lacking: str) -> str:
    """Sentence that counts the samples and features left out, and says what they lack."""
    lost = {
        "sample": len(whole.sample_names) - len(kept.sample_names),
        "feature": len(whole.feature_names) - len(kept.feature_names),
    }
    parts = [f"{n:,} {what}{'s' if n > 1 else ''}" for what, n in lost.items() if n]
    if not parts:
        gaps = lacking == KNOWN  # which are kept then
        return "Nothing is left out." if gaps else "No value is missing, and nothing is left out."
    are = "is" if sum(lost.values()) == 1 else "are"
    return f"{' and '.join(parts)} without {lacking} {are} left out."


def _dense(X: Any) -> "NDArray":
    """Sparse counts as an array, which the measurements and the report need."""
    import scipy.sparse

    if not scipy.sparse.issparse(X):
        return X
    size = X.shape[0] * X.shape[1] * X.dtype.itemsize
    if size > LARGEST_DENSE:
        raise InputError(
            f"{X.shape[0]:,} samples of {X.shape[1]:,} features take {size / 1e9:.0f} GB as a "
            "table; leave features out, or fit the sparse matrix in Python, as the guide on large "
            "data shows."
        )
    return X.toarray()
