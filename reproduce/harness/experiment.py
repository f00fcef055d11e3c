"""Definition of an experiment: its tasks, and the work of one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Key(NamedTuple):
    """Names one task: which data, which method, which run."""

    case: str
    method: str
    run: int


class Plan(NamedTuple):
    """Number of runs, and whether it is a quick trial on little data."""

    runs: int
    quick: bool = False


class Task(NamedTuple):
    """One piece of work, and the tasks of the same or an earlier run whose results it needs."""

    key: Key
    needs: tuple[Key, ...] = ()


Record = dict[str, Any]  # plain numbers, strings and lists: what JSON can hold
Records = dict[Key, Record]


@dataclass(frozen=True)
class Experiment:
    """Runs that one or more tables and figures are made of.

    Parameters
    ----------
    name : str
        As on the command line.
    tasks : callable
        From a plan to its tasks.
    work : callable
        From a key, a plan and the records needed to the record of one task. It depends on nothing
        else, so that a task gives the same record whenever it is run.
    runs : int, default=1
        Number of runs as published.
    seconds : callable, default=1 for every key
        From a key to the seconds that one task takes, as measured once: for the estimate.
    protocol : dict
        Every setting that the records depend on; kept with them.
    obstacle : callable, default=none
        Why it cannot be run here, such as a program that is missing; empty if it can. It may fetch
        what the experiment needs.
    """

    name: str
    tasks: Callable[[Plan], list[Task]]
    work: Callable[[Key, Plan, Records], Record]
    runs: int = 1
    seconds: Callable[[Key], float] = lambda key: 1.0
    protocol: dict[str, Any] = field(default_factory=dict)
    obstacle: Callable[[], str] = lambda: ""
