"""Definition of a section of the page: text, checks, reasons and figures of an experiment."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from reproduce.harness.experiment import Experiment, Records


class Check(NamedTuple):
    """A statement of a paper, or a limit, whether it holds here, and what was found.

    Parameters
    ----------
    held : bool or None
        None as long as there are too few results to tell.
    claim : str
        The statement; one about a single set begins with its name and a colon.
    found : object
        What the records say, as printed.
    aim : str, default=None
        Name of the aim that the check belongs to.
    why : str, default=""
        A few words on why it does not hold; the reasons of the section say more.
    """

    held: bool | None
    claim: str
    found: Any
    aim: str | None = None
    why: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is known not to hold."""
        return self.held is not None and not self.held

    @property
    def subject(self) -> str:
        """What stands before the colon of the claim, mostly the set; empty without a colon."""
        before, colon, _ = self.claim.partition(": ")
        return before if colon else ""


@dataclass(frozen=True)
class Section:
    """The part of the page that is about one experiment.

    Parameters
    ----------
    experiment : Experiment
        Whose records are shown.
    title : str
        Heading on the page.
    body : callable
        From all records to Markdown.
    checks : callable, default=none for any records
        From all records to the checks, in the order of the page.
    reasons : callable, default=nothing for any records
        From all records to Markdown: why some checks do not hold. Shown where one does not.
    figures : dict
        Name of a picture -> a callable from all records to a matplotlib figure.
    """

    experiment: Experiment
    title: str
    body: Callable[[Records], str]
    checks: Callable[[Records], Iterable[Check]] = lambda records: ()
    reasons: Callable[[Records], str] = lambda records: ""
    figures: dict[str, Callable[[Records], Any]] = field(default_factory=dict)
