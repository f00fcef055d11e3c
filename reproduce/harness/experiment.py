"""What an experiment is: a list of tasks, the work of one, and what is shown of their results."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Key(NamedTuple):
    """Names one task: which data, which method, which run."""

    case: str
    method: str
    run: int


class Plan(NamedTuple):
    """How much to do."""

    runs: int
    quick: bool = False


class Task(NamedTuple):
    """One piece of work, and the tasks of the same or an earlier run whose results it needs."""

    key: Key
    needs: tuple[Key, ...] = ()


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
        Name in `reproduce.aims.AIMS` of the point of this project that the check belongs to.
    why : str, default=""
        A few words on why it does not hold; the reasons of the experiment say more.
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


Record = dict[str, Any]  # plain numbers, strings and lists: what JSON can hold
Records = dict[Key, Record]


@dataclass(frozen=True)
class Experiment:
    """One or more tables and figures that come from the same runs.

    Parameters
    ----------
    name : str
        As on the command line.
    title : str
        Heading on the page.
    tasks : callable
        From a plan to its tasks.
    work : callable
        From a key, a plan and the records needed to the record of one task. It depends on nothing
        else, so that a task gives the same record whenever it is run.
    page : callable
        From all records to Markdown.
    checks : callable, default=none for any records
        From all records to the checks, in the order of the page.
    reasons : callable, default=nothing for any records
        From all records to Markdown: why some checks do not hold. Shown where one does not.
    figures : dict
        Name of a picture -> a callable from all records to a matplotlib figure.
    runs : int, default=1
        Number of runs as published.
    seconds : callable, default=1 for every key
        From a key to the seconds that one task takes, as measured once: for the estimate.
    protocol : dict
        Every setting that the records depend on; kept with them.
    """

    name: str
    title: str
    tasks: Callable[[Plan], list[Task]]
    work: Callable[[Key, Plan, Records], Record]
    page: Callable[[Records], str]
    checks: Callable[[Records], Iterable[Check]] = lambda records: ()
    reasons: Callable[[Records], str] = lambda records: ""
    figures: dict[str, Callable[[Records], Any]] = field(default_factory=dict)
    runs: int = 1
    seconds: Callable[[Key], float] = lambda key: 1.0
    protocol: dict[str, Any] = field(default_factory=dict)
