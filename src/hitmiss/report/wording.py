"""Words of a report that depend on what the target is."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Wording(NamedTuple):
    """Words for the relation of features to the target, and for what a test permutes."""

    question: str  # with {n}, the number of classes, {of}, the samples, {column}, where y is from
    permuted: str


WORDING = {
    "marks": Wording("mark each of {n} classes of {of}", "labels"),
    "classes": Wording("tell {n} classes of {of} apart", "labels"),
    "numbers": Wording("explain the numbers y{column} of {of}", "numbers"),
    "survival": Wording("explain the times until the event of {of}", "times"),
}


def wording(summary: Mapping[str, Any]) -> Wording:
    """The words for a summary; one that does not say what its target is has classes."""
    asked = summary["asked"]
    return WORDING[
        "marks" if asked.get("estimator") == "Markers" else asked.get("explains", "classes")
    ]
