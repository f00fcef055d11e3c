"""Nominal features: columns of words, as positions among their levels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss.io.cells import clean_name, is_missing, is_number, is_number_like


def coded(
    cells: Sequence[Any] | NDArray, name: str, *, not_names: bool = False
) -> tuple[NDArray, tuple[str, ...]]:
    """Positions of the words among their levels, NaN for missing ones, and the levels.

    Parameters
    ----------
    cells : sequence
        Words; what is missing is no level.
    name : str
        Name of the column, for errors.
    not_names : bool, default=False
        Whether words that are all different are an error, since they look like names.

    Returns
    -------
    codes : ndarray of shape (n_cells,)
        From 0, in the order of the levels.
    levels : tuple of str
        The different words, sorted.

    Examples
    --------
    >>> coded(["b", "a", "", "b"], "kind")
    (array([ 1.,  0., nan,  1.]), ('a', 'b'))
    """
    texts = ["" if is_missing(cell) else clean_name(cell) for cell in cells]
    known = [text for text in texts if text]
    levels = tuple(sorted(set(known)))
    if not_names and len(known) > 2 and len(levels) == len(known):
        raise InputError(
            f"Column {name!r} holds {len(levels):,} different words in {len(known):,} samples, "
            "which are unique names rather than categories; exclude it with --drop, or use it as "
            "sample names with --samples."
        )
    place: dict[str, float] = {level: float(k) for k, level in enumerate(levels)}
    return np.array([place.get(text, np.nan) for text in texts]), levels


def check_words(cells: Sequence[Any], name: str) -> None:
    """Raise an error if a column of words also holds numbers; it quotes one of the rarer kind."""
    known = [(n, cell) for n, cell in enumerate(cells, 1) if not is_missing(cell)]
    parts: dict[bool, list[tuple[int, Any]]] = {True: [], False: []}
    for n, cell in known:
        parts[is_number(cell) or is_number_like(cell)].append((n, cell))
    numbers, words = parts[True], parts[False]
    if not numbers:
        return
    many, kind, (n, cell) = (
        ("numbers", "word", words[0])
        if words and len(words) < len(numbers)
        else ("words", "number", numbers[0])
    )
    raise InputError(
        f"Column {name!r} holds {many} and, in sample {n}, the {kind} {clean_name(cell)!r}; "
        "correct it, exclude the column with --drop, or treat it as nominal with --nominal."
    )
