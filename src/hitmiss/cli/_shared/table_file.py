"""The file that holds the table a command works on."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.progress_bar import progress_bar
from hitmiss.cli._shared.terminal import note, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table


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

    def read(self, *, quiet: bool) -> "Table":
        """The table, without missing values."""
        from hitmiss.io import check_complete, drop_missing, read_table
        from hitmiss.io.missing import WAYS

        with progress_bar(f"reading {printable(self.file.name)}", quiet=quiet) as watch:
            table = read_table(
                self.file,
                self.target,
                samples=self.samples,
                drop=self.drop,
                features=self.features,
                transpose=self.transpose,
                watch=watch,
            )
        if self.missing != "error":
            table = drop_missing(table, self.missing)
        check_complete(table, WAYS if self.features is None else ("drop-samples",))
        if self.samples is None and table.sample_column is not None:
            taken = f"Column {table.sample_column!r} is taken as sample names"
            note(f"{taken}; --samples names another.", quiet=quiet)
        return table

    def read_labeled(self, *, quiet: bool) -> tuple["Table", "NDArray"]:
        """The table and its class labels, of two classes at least."""
        import numpy as np
        from sklearn.utils.multiclass import type_of_target

        table = self.read(quiet=quiet)
        y = table.y
        if y is None:
            raise InputError(f"Say which column of {self.file} holds the classes with --target.")
        if type_of_target(y).startswith("continuous"):
            raise InputError(
                f"The target of {self.file} holds measurements; hits and misses need classes."
            )
        if len(np.unique(y)) < 2:
            raise InputError(f"All samples are of one class ({y[0]}); at least 2 are needed.")
        return table, y

    def description(self, table: "Table") -> dict[str, Any]:
        """The file, a hash of its content, and how it was read as the table."""
        with self.file.open("rb") as f:
            digest = hashlib.file_digest(f, "sha256").hexdigest()
        return {
            "file": os.fsencode(self.file).decode("utf-8", "replace"),
            "sha256": digest,
            "target": self.target,
            "samples": self.samples if table.sample_column is None else table.sample_column,
            "drop": list(self.drop),
            "transpose": self.transpose,
            "missing": self.missing,
        }
