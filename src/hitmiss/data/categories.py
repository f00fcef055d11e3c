"""Tables of words and numbers as numbers: levels of nominal columns as codes, gaps as NaN."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import warn
from hitmiss.data.sources import Source

Categories = dict[int, list[Any] | None]  # nominal feature -> its levels; None: its own numbers
NAMES = 10  # observed words, all different, from which on a column looks like one of names
# What to do about a word; a list takes the place of "auto", so this column alone is not enough.
NAME_ALL = "name all columns of words in categorical"
UNSEEN = -1.0  # code of a level that was not there before: it differs from all others


def as_numbers(X: Any, categorical: Any) -> tuple[Any, Categories]:
    """X with words as codes and missing values as NaN, and the levels of its nominal columns.

    What holds plain numbers, and what is not in memory, is returned as it is.

    Parameters
    ----------
    X : array-like, data frame or Source
        The data of a fit.
    categorical : "auto", None, or names, indices or a mask of columns
        The nominal ones. "auto" takes columns of words, which are no numbers, booleans and
        categories of pandas, and what a source declares.

    Returns
    -------
    X : array-like, data frame or Source
        The same with numbers only, a data frame if it was one.
    categories : dict
        Levels by nominal column.
    """
    X = unmasked(X)
    table = _table(X)
    if table is None:
        return X, {} if categorical is None else _declared_numbers(X, categorical)
    if categorical is None:
        try:
            return table.encoded({}), {}
        except TypeError:
            return X, {}  # which holds what NumPy has a message for
    auto = isinstance(categorical, str)
    named = np.zeros(table.width) if auto else declared(categorical, table.names, table.width)
    levels = {j: table.levels(j, nominal=bool(named[j]), auto=auto) for j in range(table.width)}
    categories: Categories = {j: found for j, found in levels.items() if found is not None}
    return table.encoded(categories), categories


def as_known_numbers(X: Any, categories: Categories) -> Any:
    """X with words as the codes of a fit; a level that was not there gets a code of its own.

    Parameters
    ----------
    X : array-like or data frame
        New samples.
    categories : dict
        As from `as_numbers`.
    """
    X = unmasked(X)
    table = _table(X)
    if table is None:
        return X
    return table.encoded({j: levels for j, levels in categories.items() if j < table.width})


def unmasked(X: Any) -> Any:
    """X with NaN where a masked array hides its value."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    wide: Any = X if X.dtype.kind in "fO" else X.astype(float)
    return wide.filled(np.nan)


def declared(given: Any, names: NDArray | None, width: int) -> NDArray:
    """A mask of the columns that are named, counted or marked.

    Parameters
    ----------
    given : array-like of str, int or bool
        The columns.
    names : ndarray or None
        Names of all columns.
    width : int
        Their number.

    Examples
    --------
    >>> declared([0, 2], None, 3)
    array([ True, False,  True])
    """
    values = np.atleast_1d(np.asarray(given))
    if values.dtype.kind == "b" and values.shape == (width,):
        return values
    mask = np.zeros(width, bool)
    if values.dtype.kind in "iu" and np.all((values >= -width) & (values < width)):
        mask[values] = True
        return mask
    known = {} if names is None else {name: j for j, name in enumerate(names)}
    for name in values.tolist():
        if name not in known:
            raise ValueError(
                f"categorical names {name!r}, which is not a column of X; use 'auto', None, or "
                f"names, indices or a mask of its {width} columns."
            )
        mask[known[name]] = True
    return mask


def _declared_numbers(X: Any, categorical: Any) -> Categories:
    """The nominal columns of data that hold numbers only."""
    names = X.names if isinstance(X, Source) else getattr(X, "columns", None)
    if isinstance(categorical, str):
        mask = getattr(X, "nominal", None)
        return {} if mask is None else dict.fromkeys(np.flatnonzero(mask).tolist())
    width = X.shape[1] if hasattr(X, "shape") and len(X.shape) == 2 else np.asarray(X).shape[-1]
    return dict.fromkeys(np.flatnonzero(declared(categorical, names, width)).tolist())


class _Table:
    """Columns of an array of objects or of words, some of which may be numbers or missing."""

    names: NDArray | None = None

    def __init__(self, X: Any):
        self.X, self.width = X.astype(object, copy=False), X.shape[1]

    def column(self, j: int) -> NDArray:
        """The values of a column, of type object if some may be words."""
        return self.X[:, j]

    def is_nominal(self, j: int) -> bool:
        """Whether the type of the column says that it is nominal."""
        return False

    def encoded(self, categories: Categories) -> Any:
        """The table with codes for levels."""
        columns = [self._codes(j, categories.get(j)) for j in range(self.width)]
        X = np.empty((len(columns[0]), self.width), np.result_type(np.float32, *columns))
        for j, column in enumerate(columns):
            X[:, j] = column
        return X

    def levels(self, j: int, *, nominal: bool, auto: bool) -> list[Any] | None:
        """The levels of a column; None if it is one of numbers.

        Parameters
        ----------
        j : int
            The column.
        nominal : bool
            Whether it is declared to be nominal.
        auto : bool
            Whether words, categories and booleans are.
        """
        values = self.column(j)
        if values.dtype == bool:
            return [False, True] if nominal or auto else None
        if not nominal and (values.dtype != object or not auto):
            return None
        observed = [value for value in values.tolist() if not _is_missing(value)]
        if auto and observed and all(isinstance(value, bool | np.bool_) for value in observed):
            return [False, True]
        if not nominal and not self.is_nominal(j) and _are_numbers(observed):
            return None
        if not nominal and not self.is_nominal(j):
            self._check_words(j, observed)
        found = list(dict.fromkeys(observed))
        try:
            found.sort()
        except TypeError:  # of several types
            found.sort(key=str)
        if auto and len(found) == len(observed) >= NAMES:
            warn(
                f"Every value of {self._called(j)} is another word, as if it held names of "
                "samples; leave the column out if it does."
            )
        return found

    def _check_words(self, j: int, observed: list[Any]) -> None:
        """An error if some values are words and others numbers, such as <0.1 beside 1.5."""
        number = next((v for v in observed if _is_finite_number(v)), None)
        if number is not None:
            word = next(v for v in observed if not _are_numbers([v]))
            raise ValueError(
                f"In X, {self._called(j)} holds words and numbers, such as {word!r} and "
                f"{number!r}; correct it, {NAME_ALL}, or make this one a category of pandas."
            )

    def _codes(self, j: int, levels: list[Any] | None) -> NDArray:
        values = self.column(j)
        if levels is not None:
            code = {level: float(k) for k, level in enumerate(levels)}
            found = [np.nan if _is_missing(v) else code.get(v, UNSEEN) for v in values.tolist()]
            return np.array(found, np.float32)
        if values.dtype != object:
            return values
        numbers = np.array([np.nan if _is_missing(v) else v for v in values], object)
        try:
            return numbers.astype(float)
        except ValueError as error:
            word = next((v for v in numbers.tolist() if not _are_numbers([v])), None)
            if word is None:
                raise
            raise ValueError(
                f"In X, {self._called(j)} holds {word!r}, which is not a number; {NAME_ALL}, or "
                "leave it out."
            ) from error

    def _called(self, j: int) -> str:
        """The name of a column in a message."""
        return f"column {j}" if self.names is None else f"column {self.names[j]!r}"


class _Frame(_Table):
    """A data frame of pandas."""

    def __init__(self, X: Any):
        self.X, self.width = X, X.shape[1]
        self.names = np.asarray(X.columns, dtype=object)

    def column(self, j: int) -> NDArray:
        series = self.X.iloc[:, j]
        if isinstance(series.dtype, np.dtype) and series.dtype != object:
            return series.to_numpy()
        if getattr(series.dtype, "kind", "O") in "iuf":  # pandas' own, which may be missing
            return series.to_numpy(float, na_value=np.nan)
        return np.array(series.tolist() or [], object)

    def is_nominal(self, j: int) -> bool:
        return type(self.X.dtypes.iloc[j]).__name__ == "CategoricalDtype"

    def encoded(self, categories: Categories) -> Any:
        """The frame with codes for levels."""
        return type(self.X)(super().encoded(categories), index=self.X.index, columns=self.X.columns)


def _table(X: Any) -> _Table | None:
    """X as a table of words; None if all of it is numbers."""
    if isinstance(X, Source):
        return None
    if hasattr(X, "iloc") and hasattr(X, "dtypes") and getattr(X, "ndim", 0) == 2:
        plain = all(isinstance(t, np.dtype) and t.kind in "iufc" for t in X.dtypes)
        return None if plain or not X.shape[1] else _Frame(X)
    array = X if hasattr(X, "dtype") else _listed(X)
    words = isinstance(array, np.ndarray) and array.ndim == 2 and array.dtype.kind in "OU"
    return _Table(array) if words and array.size else None


def _listed(X: Any) -> Any:
    """A list of rows as an array; X itself if it is none."""
    if not isinstance(X, list | tuple) or not X or not isinstance(X[0], list | tuple):
        return X
    words = any(isinstance(v, str) or _is_missing(v) for row in X for v in row)
    try:
        return np.array(X, dtype=object) if words else X
    except ValueError:  # rows of several lengths, which scikit-learn has a message for
        return X


def _are_numbers(observed: list[Any]) -> bool:
    """Whether all values are numbers or words for numbers.

    What is neither a number nor a word is left to NumPy, which has a message for it.
    """
    try:
        for value in observed:
            float(value)
    except ValueError:
        return False
    except TypeError:
        return True
    return True


def _is_finite_number(value: Any) -> bool:
    """Whether a value among words is a number, which a boolean is not."""
    if isinstance(value, bool | np.bool_):
        return False
    return _are_numbers([value]) and bool(np.isfinite(float(value)))


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or pandas' NA."""
    if value is None:
        return True
    if isinstance(value, float):
        return value != value
    return type(value).__name__ in ("NAType", "NaTType")
