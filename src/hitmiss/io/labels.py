"""Class labels from the cells of a target column."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.io.cells import MISSING, clean_name, is_number

_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})(\.0+)?")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)?(\.\d*)?(e[-+]?\d+)?", re.IGNORECASE)  # 007 is a name


class Labels(NamedTuple):
    """Labels of the samples, and the words for those that are missing.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Whole numbers if all are, else numbers, else text. Text is not changed, so that "007" and
        "7" are two classes; missing ones are "".
    missing : tuple of str
        Words that were read as missing, each once.
    """

    y: NDArray
    missing: tuple[str, ...] = ()


def labels(values: Iterable[Any]) -> Labels:
    """Labels from the cells of a target."""
    texts = ["" if value is None else clean_name(value) for value in values]
    missing = tuple(dict.fromkeys(text for text in texts if text and text.lower() in MISSING))
    cells = ["" if text.lower() in MISSING else text for text in texts]
    if cells and all(cells):
        if all(_INTEGER.fullmatch(cell) for cell in cells):
            return Labels(np.array([int(cell.partition(".")[0]) for cell in cells]))
        if _are_decimals(cells):
            return Labels(np.array([float(cell) for cell in cells]))
    return Labels(np.array(cells, dtype=str), missing)


def _are_decimals(cells: list[str]) -> bool:
    """Whether all are numbers, and some have decimals: 2 among 1.5 and 2.5 is one of them."""
    if not all(map(is_number, cells)):
        return False
    if all("." in cell or "e" in cell.lower() for cell in cells):
        return True
    return any("." in cell for cell in cells) and all(map(_NUMBER.fullmatch, cells))
