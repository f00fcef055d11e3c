"""Groups, strata and covariates from the cells of their columns."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.io.cells import is_missing, is_number
from hitmiss.io.joining import name_of


def kinds(cells: Sequence[Any]) -> NDArray:
    """Group of each sample as text; empty where it is missing.

    Examples
    --------
    >>> kinds([1.0, "1", "b ", None])
    array(['1', '1', 'b', ''], dtype='<U1')
    """
    return np.array([name_of(cell) for cell in cells], dtype=str)


def measurements(columns: Mapping[str, Sequence[Any]]) -> NDArray:
    """Covariates as numbers, NaN where one is missing.

    A column of words becomes a column per word but the first, which is 1 where the word is and 0
    elsewhere.

    Parameters
    ----------
    columns : mapping of str to sequence
        Cells of each covariate.

    Returns
    -------
    ndarray of shape (n_samples, n_columns)

    Examples
    --------
    >>> measurements({"age": ["40", "51", ""], "sex": ["f", "m", "f"]})
    array([[40.,  0.],
           [51.,  1.],
           [nan,  0.]])
    """
    return np.column_stack([_numbers(cells) for cells in columns.values()])


def _numbers(cells: Sequence[Any]) -> NDArray:
    known = [cell for cell in cells if not is_missing(cell)]
    if known and all(is_number(cell) for cell in known):
        return np.array([[np.nan if is_missing(cell) else float(cell)] for cell in cells])
    names = kinds(cells)
    levels = np.unique(names[names != ""])[1:]
    found = (names[:, None] == levels).astype(float)
    found[names == ""] = np.nan
    return found
