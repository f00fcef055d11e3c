"""Two files about the same samples, joined by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hitmiss._util.errors import InputError
from hitmiss.io.cells import is_missing, sample_name
from hitmiss.io.layout import listed, position
from hitmiss.io.table import Table

SHOWN = 2  # names of each side in the error that nothing matches


@dataclass(frozen=True)
class Join:
    """Match between a table and its metadata.

    Parameters
    ----------
    column : str
        The column of the metadata that holds the names of the samples.
    rows : list of int
        Positions in the table of the samples that both have.
    others : list of int
        Their positions in the metadata.
    only_in_table, only_in_metadata : list of str
        Names that the other side does not have.
    """

    column: str
    rows: list[int]
    others: list[int]
    only_in_table: list[str]
    only_in_metadata: list[str]


def joined(
    table: Table, columns: Mapping[str, Sequence[Any]], names: str | None = None
) -> tuple[Table, dict[str, list[Any]], Join]:
    """The samples that a table and its metadata have in common.

    Names are compared as text without the space around them: 001 and 1 are two names, 1 and 1.0 are
    one if they come from cells of numbers.

    Parameters
    ----------
    table : Table
        With names of its samples.
    columns : mapping of str to sequence
        Metadata, as from `read_columns`.
    names : str, default=None
        The column of the metadata that holds the names of the samples; None finds the one that
        has most of them.

    Returns
    -------
    table : Table
        With the samples that are in the metadata, in its own order.
    columns : dict of str to list
        The metadata of these samples.
    join : Join
        What matched, and what did not.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table(np.array([[1.0], [2.0]]), None, ["gene"], ["s1", "s2"], named=True)
    >>> both, known, join = joined(table, {"id": ["s2", "s3"], "age": [40, 50]})
    >>> both.sample_names, known["age"], join.only_in_table, join.only_in_metadata
    (['s2'], [40], ['s1'], ['s3'])
    """
    if not table.named:
        raise InputError(
            "The table has no sample names to join the metadata by; name the column that holds "
            "them with --samples."
        )
    column = _name_column(table, columns) if names is None else names
    position(column, list(columns), "column of the metadata")
    join = matched(table.sample_names, columns[column], column)
    if not join.rows:
        raise InputError(_nothing(join))
    known = {name: [values[k] for k in join.others] for name, values in columns.items()}
    return table.rows(np.array(join.rows)), known, join


def matched(samples: Sequence[str], cells: Sequence[Any], column: str) -> Join:
    """Find the sample names in a column of the metadata.

    A name that is there twice, on either side, is an error if it is in both.
    """
    names = [name_of(cell) for cell in cells]
    there = {name: k for k, name in enumerate(names) if name}
    rows = [n for n, name in enumerate(samples) if name in there]
    for what, every in (("the table", samples), (f"column {column!r} of the metadata", names)):
        count = Counter(every)
        twice = [samples[n] for n in rows if count[samples[n]] > 1]
        if twice:
            raise InputError(
                f"The sample {twice[0]!r} occurs {_times(count[twice[0]])} in {what}, so its row "
                "is ambiguous; give every sample a unique name."
            )
    common = {samples[n] for n in rows}
    return Join(
        column,
        rows,
        [there[samples[n]] for n in rows],
        [name for name in samples if name not in common],
        [name for name in names if name not in common],
    )


def _times(n: int) -> str:
    return "twice" if n == 2 else f"{n} times"


def name_of(cell: Any) -> str:
    """The name in a cell of the metadata; nothing if it is missing.

    Examples
    --------
    >>> name_of(" s1 "), name_of(7.0), name_of("NA"), name_of(float("nan"))
    ('s1', '7', '', '')
    """
    return "" if is_missing(cell) or cell != cell else sample_name(cell)


def _name_column(table: Table, columns: Mapping[str, Sequence[Any]]) -> str:
    """Column that has most of the names; an error if two have them in different rows."""
    wanted = frozenset(table.sample_names)
    places = {name: _places(values, wanted) for name, values in columns.items()}
    most = max(map(len, places.values()), default=0)
    best = [name for name, found in places.items() if len(found) == most]
    if not most:
        likely = (name for name in columns if name.lower() in ("id", "sample", "sample_id"))
        return next(likely, next(iter(columns)))
    if table.sample_column in best:
        return str(table.sample_column)
    if any(places[name] != places[best[0]] for name in best):
        raise InputError(
            f"Columns {listed(best)} of the metadata could all be the sample names; choose one "
            "with --metadata-names."
        )
    return best[0]


def _places(values: Sequence[Any], wanted: frozenset[str]) -> dict[str, int]:
    """The rows in which wanted names are, if only once."""
    names = [name_of(cell) for cell in values]
    count = Counter(names)
    return {name: k for k, name in enumerate(names) if name in wanted and count[name] == 1}


def _nothing(join: Join) -> str:
    def some(names: Sequence[str]) -> str:
        return ", ".join(map(repr, [name for name in names if name][:SHOWN])) or "none"

    return (
        f"No sample of the table is in the metadata: the table has {some(join.only_in_table)}, "
        f"column {join.column!r} of the metadata {some(join.only_in_metadata)}; correct the names, "
        "or name another column with --metadata-names."
    )
