"""What an experiment is: a list of tasks, the work of one, and what is shown of their results."""

from collections.abc import Callable
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
    """One piece of work, and the tasks whose results it needs."""

    key: Key
    needs: tuple[Key, ...] = ()


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
    figures: dict[str, Callable[[Records], Any]] = field(default_factory=dict)
    runs: int = 1
    seconds: Callable[[Key], float] = lambda key: 1.0
    protocol: dict[str, Any] = field(default_factory=dict)
