"""Roles of the columns of a table: labels, names of the samples, features."""

from collections.abc import Sequence
from typing import Any

from hitmiss.io.cells import is_count, is_missing, is_number, is_number_like, is_truth
from hitmiss.io.layout import Layout, feature_positions, place, position

ROW_NAMES = "row names"  # of R, above which it writes no header
# Headers under which a first column holds names, even if they are numbers.
NAME_HEADERS = frozenset({"id", "index", "sample", "sample_id", "__index_level_0__", ROW_NAMES})

Cell = tuple[int, Any]  # the number of its row, and its content


class ColumnRoles:
    """The role of each column.

    The first column may hold the names of the samples or a feature. Where its header does not say
    which, all its cells decide: see `sample_names`.

    Parameters
    ----------
    header : list of str
        Names of the columns. One without a name is called by its place, "column 1".
    layout : Layout
        What the caller specified.
    first : object
        The first cell below the header.

    Attributes
    ----------
    target, samples : int or None
        Positions of the labels and of the sample names.
    aside : dict of str to int
        Positions of the columns that are kept beside the features.
    features : list of int
        Positions of the features.
    names : list of str
        Their names.
    """

    def __init__(self, header: list[str], layout: Layout, first: Any):
        self._header = [name or f"column {j}" for j, name in enumerate(header, 1)]
        self._layout = layout
        self._nameless = not header[0]
        self._certain = layout.samples is not None or header[0].lower() in NAME_HEADERS
        self.target = None if layout.target is None else place(layout.target, self._header, layout)
        self.aside = {name: place(name, self._header, layout) for name in layout.aside}
        self.samples = self._samples(first)
        taken = {self.target, self.samples, *self.aside.values()}
        left = [j for j in range(len(header)) if j not in taken]
        kept = feature_positions([self._header[j] for j in left], layout)
        self.features = [left[k] for k in kept]

    @property
    def names(self) -> list[str]:
        """Names of the features."""
        return [self._header[j] for j in self.features]

    @property
    def nominal(self) -> list[int]:
        """Positions, among the features, of those declared nominal."""
        names = self.names
        return [position(name, names, "feature") for name in self._layout.nominal]

    @property
    def left_out(self) -> list[str]:
        """Names of the columns that another file has as well."""
        taken = {self.target, self.samples, *self.aside.values()}
        names = (name for j, name in enumerate(self._header) if j not in taken)
        return [name for name in names if name in self._layout.elsewhere]

    @property
    def sample_column(self) -> str | None:
        """Name of the column with the names of the samples."""
        return None if self.samples is None else self._header[self.samples]

    def sample_names(self, cells: Sequence[Cell]) -> list[Any] | None:
        """Names of the samples, if `cells`, those of the column `samples`, are names.

        Otherwise `samples` becomes None, and the column the first of `features` unless it is empty
        or was not requested.
        """
        if self.samples is None:
            return None
        values = [value for _, value in cells]
        if self._certain or self._are_names(values):
            return values
        self.samples = None
        if self._layout.features is None and not all(map(is_missing, values)):
            self.features.insert(0, 0)
        return None

    def _samples(self, first: Any) -> int | None:
        """Position of the column that holds, or may hold, the sample names."""
        layout, name = self._layout, self._header[0]
        if layout.samples is not None:
            return position(layout.samples, self._header)
        taken = (*layout.dropped, *(layout.features or ()), *layout.nominal)
        if self.target == 0 or name in taken or 0 in self.aside.values():
            return None
        plain = is_number(first) or is_truth(first) or is_missing(first)
        return 0 if self._certain or self._nameless or not plain else None

    def _are_names(self, values: list[Any]) -> bool:
        """Whether the cells of a first column are names, where its header does not say.

        Text that is all different is names. In a column without a header any text is, and so are
        whole numbers that are all different, because pandas and R number the rows there.
        """
        if any(map(is_number_like, values)):
            return False
        known = [value for value in values if not is_missing(value)]
        different = len(set(map(str, values))) == len(values)
        if all(is_number(value) or is_truth(value) for value in known):
            return self._nameless and different and all(map(is_count, values))
        return self._nameless or different


def text_hint(layout: Layout) -> str:
    """Hint for errors on text in place of a number."""
    if layout.features is not None:
        return "correct it"
    what = "row" if layout.transpose else "column"
    left_out = "row, or the column," if layout.transpose else "column"
    others = f"correct it, or exclude the {left_out} with --drop"
    if layout.target is not None:
        return others
    return f"name the {what} as target (--target) if it holds the classes, {others}"
