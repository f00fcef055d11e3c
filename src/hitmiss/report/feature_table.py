"""The table of features, limited to the rows and class means that fit into a small file."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.text import clean
from hitmiss.report.fitted import Fitted, Names, class_means
from hitmiss.report.json_values import rounded
from hitmiss.report.markup import script_json

MAX_BYTES = 1_700_000  # of all rows together, which keeps a report below 2 MB
ROW_BYTES = 30  # of a row apart from its name and its means: weight, score, flag, separators
MAX_ROWS = 25_000  # which a browser sorts at once, and which take 1.3 MB with names of 20 letters
SCORE_NOTE = "The score ranks features of equal weight."


def feature_table(
    fitted: Fitted,
    names: Names,
    data: tuple[Any, NDArray],
    frequency: NDArray | None = None,
) -> dict[str, Any]:
    """Columns of the table, rows best first.

    Parameters
    ----------
    fitted : Fitted
        Weights, ranking and selection.
    names : Names
        Names of features and classes.
    data : tuple of (X, codes)
        Samples, and the class of each as an integer from 0.
    frequency : ndarray of shape (n_features,), optional
        How often each feature was selected from subsamples.

    Returns
    -------
    dict
        `n_features`; `columns`, each with a label, a kind ("text", "number" or "flag") and
        values, where class means may be given for fewer rows; and `notes` for the reader.
    """
    shown, room = _rows(fitted.ranking, names.features)
    rows = fitted.ranking[: len(shown)]
    found = [
        _column("Feature", "text", shown),
        _column("Weight", "number", rounded(fitted.weights[rows], 6)),
        _column("Selected", "flag", fitted.support[rows].astype(int).tolist()),
    ]
    if fitted.scores is not None:
        found.append(_column("Score", "number", rounded(np.asarray(fitted.scores)[rows], 4)))
    if frequency is not None:
        found.append(_column("Selection frequency", "number", rounded(frequency[rows], 3)))
    means = [rounded(row, 4) for row in class_means(*data, rows)]
    known = _n_fitting((len(script_json(row)) for row in zip(*means, strict=True)), room)
    for label, values in zip(names.classes, means, strict=True):
        found.append(_column(f"Mean, class {label}", "number", values[:known]))
    notes = [SCORE_NOTE] if fitted.scores is not None else []
    return {"n_features": len(fitted.ranking), "columns": found, "notes": notes}


def _column(label: str, kind: str, values: list[Any]) -> dict[str, Any]:
    return {"label": label, "kind": kind, "values": values}


def _rows(ranking: NDArray, names: list[str]) -> tuple[list[str], int]:
    """Names of the best features that fit into the file, and the bytes they leave."""
    shown = [clean(names[j]) for j in ranking[:MAX_ROWS]]
    sizes = [ROW_BYTES + len(script_json(name).encode()) for name in shown]
    n = _n_fitting(sizes, MAX_BYTES)
    return shown[:n], MAX_BYTES - sum(sizes[:n])


def _n_fitting(sizes: Iterable[int], room: int) -> int:
    """How many of the sizes, starting with the first, add up to at most `room`."""
    return sum(total <= room for total in accumulate(sizes))
