"""Values of the features, gathered row by row: numbers, and words where a column holds kinds."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.io import words
from hitmiss.io.cells import cell_value, is_word
from hitmiss.io.column_roles import text_hint
from hitmiss.io.layout import Layout

Levels = dict[str, tuple[str, ...]]  # words of the nominal features, by name


class FeatureCells:
    """Rows of cells that become a matrix.

    A column is nominal if it is said to be, or if its first value is a word; its cells are kept as
    they are until the last is known.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    layout : Layout
        What the caller specified.
    nominal : iterable of int
        Columns that are said to be nominal.
    """

    def __init__(self, names: Sequence[str], layout: Layout, nominal: Iterable[int] = ()):
        self._names, self._layout = names, layout
        self._rows: list[NDArray] = []
        self._given = frozenset(nominal)
        self._words: dict[int, list[Any]] = {k: [] for k in self._given}

    def add(self, number: int, cells: list[Any]) -> None:
        """Take in the cells of a row; `number` is its place in the file."""
        for k, kept in self._words.items():
            kept.append(cells[k])
            cells[k] = "nan"
        row = quick_numbers(cells, self._layout.decimal)
        if row is None:
            self._find_words(cells)
            row = slow_numbers(cells, self._names, number, self._layout)
        self._rows.append(row)

    def matrix(self) -> tuple[NDArray, Levels]:
        """The values, and the levels of the nominal features."""
        X, levels = np.array(self._rows), {}
        for k, cells in sorted(self._words.items()):
            name = self._names[k]
            found = k not in self._given
            if found:
                words.check_words(cells, name)
            X[:, k], levels[name] = words.coded(cells, name, not_names=found)
        return X, levels

    def _find_words(self, cells: list[Any]) -> None:
        """Begin a nominal column for every word that follows only missing values."""
        for k, cell in enumerate(cells):
            if is_word(cell) and all(np.isnan(row[k]) for row in self._rows):
                self._words[k] = [None] * len(self._rows) + [cell]
                cells[k] = "nan"


def quick_numbers(cells: Sequence[Any], decimal: str | None) -> NDArray | None:
    """The numbers in cells that hold nothing else, or None."""
    try:
        text = "".join(cells)
        if "_" in text:  # Python reads 1_000 as a number
            return None
        if decimal == ",":
            return None if "." in text else np.array([float(c.replace(",", ".")) for c in cells])
        return np.array(list(map(float, cells)))
    except (TypeError, ValueError):
        return None  # a value is missing, or is not text


def slow_numbers(
    cells: Sequence[Any], names: Sequence[str], number: int, layout: Layout
) -> NDArray:
    """The numbers in cells of any kind, one by one, or an error that names the cell."""
    hint, mark = text_hint(layout), layout.decimal
    pairs = zip(cells, names, strict=True)
    return np.array([cell_value(cell, name, number, hint, mark) for cell, name in pairs], float)
