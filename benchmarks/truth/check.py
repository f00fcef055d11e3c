"""Some stored draws run again with the code as it is: whether the same features are selected."""

from benchmarks.truth import runner
from benchmarks.truth.evidence import AGAIN
from benchmarks.truth.measures import selected
from benchmarks.truth.scenarios import QS


def run_again(scenarios, methods, folder, n, until=float("inf")):
    """The first n draws of each scenario, into a folder beside the stored ones.

    Parameters
    ----------
    scenarios : dict
        Scenarios by name.
    methods : list of str
        Names of methods.
    folder : Path
        Where results are kept.
    n : int
        Number of draws.
    until : float
        When to stop.
    """
    few = {name: each._replace(draws=min(n, each.draws)) for name, each in scenarios.items()}
    runner.run(few, methods, folder / AGAIN, until)


def pairs(evidence, method):
    """(stored, again): the records of every draw that was run again."""
    stored = evidence.records.get(method, {})
    again = evidence.again.get(method, {})
    return [(stored[key], again[key]) for key in sorted(again) if key in stored]


def same(pair, levels=QS):
    """Whether two records of a draw select the same features at all the levels."""
    then, now = pair
    return all(selected(then, q) == selected(now, q) for q in levels)
