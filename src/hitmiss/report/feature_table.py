"""The table of features, limited to the rows and columns that fit into a small file."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from numpy.typing import NDArray

from hitmiss._util.text import clean
from hitmiss.report.explained import Explained
from hitmiss.report.feature_columns import Column, Measured, known_columns
from hitmiss.report.fitted import Fitted
from hitmiss.report.json_values import rounded
from hitmiss.report.markup import script_json

MAX_BYTES = 1_700_000  # of all rows together, which keeps a report below 2 MB
ROW_BYTES = 30  # of a row apart from its name and its class: weight, score, flag, separators
Q_BYTES = 8  # of a q-value
ATTRIBUTION_BYTES = 2 + 8 + 8  # of a flag, a probability and a q-value
MAX_ROWS = 25_000  # which a browser sorts at once, and which take 1.3 MB with names of 20 letters
NOTHING_MORE = Measured()
SCORE_NOTE = "The score ranks features of equal weight."
Q_NOTE = "The q-value is the expected share of false ones among the features up to this one."
ATTRIBUTION_NOTE = (
    "Attribution is the probability that a discovery, or kin of it, is among the features that "
    "explain the target; the q-value beside it also counts bystanders as false."
)


def feature_table(
    fitted: Fitted, names: list[str], explained: Explained, measured: Measured = NOTHING_MORE
) -> dict[str, Any]:
    """Columns of the table, rows best first.

    Parameters
    ----------
    fitted : Fitted
        Weights, ranking and selection.
    names : list of str
        Names of all features.
    explained : Explained
        The target, which has columns of its own.
    measured : Measured
        What was measured of each feature besides its weight.

    Returns
    -------
    dict
        `n_features`; `columns`, each with a label, a kind ("text", "number" or "flag") and
        values, where those of the target may be given for fewer rows; and `notes` for the reader.
    """
    row_bytes = ROW_BYTES + (0 if measured.q_values is None else Q_BYTES)
    row_bytes += 0 if measured.attribution is None else ATTRIBUTION_BYTES
    shown, room = _rows(fitted.ranking, names, row_bytes)
    rows = fitted.ranking[: len(shown)]
    by_target = [_shown(column) for column in explained.columns(rows)]
    cells = zip(*(column["values"] for column in by_target), strict=True)
    n_known = _n_fitting((len(script_json(row).encode()) for row in cells), room)
    found = [
        {"label": "Feature", "kind": "text", "values": shown},
        *(_shown(column) for column in known_columns(fitted, measured, rows)),
        *({**column, "values": column["values"][:n_known]} for column in by_target),
    ]
    notes = [SCORE_NOTE] if fitted.scores is not None else []
    if measured.q_values is not None:
        notes.append(Q_NOTE)
    if measured.attribution is not None:
        notes.append(ATTRIBUTION_NOTE)
    notes.extend(explained.notes)
    return {"n_features": len(fitted.ranking), "columns": found, "notes": notes}


def _shown(column: Column) -> dict[str, Any]:
    values = column.values.tolist()
    if column.kind == "number":
        values = rounded(values, column.digits)
    return {"label": column.label, "kind": column.kind, "values": values}


def _rows(ranking: NDArray, names: list[str], row_bytes: int) -> tuple[list[str], int]:
    """Names of the best features that fit into the file, and the bytes they leave."""
    shown = [clean(names[j]) for j in ranking[:MAX_ROWS]]
    sizes = [row_bytes + len(script_json(name).encode()) for name in shown]
    n = _n_fitting(sizes, MAX_BYTES)
    return shown[:n], MAX_BYTES - sum(sizes[:n])


def _n_fitting(sizes: Iterable[int], room: int) -> int:
    """Number of sizes, from the first on, that together fit into `room`."""
    return sum(total <= room for total in accumulate(sizes))
