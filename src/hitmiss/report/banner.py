"""The verdict at the top of a report, in words and in color."""

from collections.abc import Mapping
from typing import Any

from hitmiss.report.certainty import ATTRIBUTABLE
from hitmiss.report.markup import Markup, tag

# Level -> its heading, and what it means.
MEANINGS = {
    "real": (
        "Something is there",
        "With permuted {what} the method does not find as much. A feature that is only correlated "
        "with one that matters counts as real, too.",
    ),
    "doubtful": (
        "Doubtful",
        "Not all numbers support these features: take them as a hint, not as a result.",
    ),
    "nothing": (
        "Nothing here",
        "The method finds as much when the {what} are permuted, so its list is hidden below. More "
        "samples may show what these do not.",
    ),
    "untested": (
        "Not tested",
        "Whether the method would find as much with permuted {what} was not measured; it lists "
        "features of pure noise, too.",
    ),
}


def banner(verdict: Mapping[str, Any] | None, permuted: str = "labels") -> Markup | None:
    """The verdict, if there is one.

    Parameters
    ----------
    verdict : mapping or None
        Its level and its sentence.
    permuted : str, default="labels"
        What was permuted in the test.
    """
    if verdict is None:
        return None
    heading, meaning = MEANINGS[verdict["level"]]
    sentence = verdict["sentence"].removeprefix(f"{heading}: ")
    return tag(
        "section",
        tag("h2", heading),
        tag("p", sentence[:1].upper() + sentence[1:], class_="lead"),
        tag("p", meaning.format(what=permuted)),
        _attributable(verdict["evidence"]),
        class_=f"verdict {verdict['level']}",
    )


def _attributable(evidence: Mapping[str, Any]) -> Markup | None:
    """Explanation of the word attributable, if the verdict uses it."""
    if evidence.get("n_attributable") is None or not evidence["n_significant"]:
        return None
    return tag("p", f"{ATTRIBUTABLE}.")


def says_nothing(verdict: Mapping[str, Any] | None) -> bool:
    """Whether the verdict is that nothing was found."""
    return verdict is not None and verdict["level"] == "nothing"
