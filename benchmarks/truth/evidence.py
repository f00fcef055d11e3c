"""What is known so far: the records of all methods, by scenario."""

import json

from benchmarks.truth.methods import METHODS, OURS, draws_of
from benchmarks.truth.scenarios import table
from benchmarks.truth.store import RESULTS, Store

COSTS = "costs.json"
AGAIN = "again"  # folder of draws that were run again with later code


class Evidence:
    """Records of all methods, and the scenarios they belong to.

    Parameters
    ----------
    scenarios : dict
        Scenarios by name.
    records : dict
        Method -> (scenario, draw) -> record.
    costs : list of dict
        Times, as from `benchmarks.truth.costs`.
    again : dict or None
        As `records`, of draws that were run again with later code.
    """

    def __init__(self, scenarios, records, costs=(), again=None):
        self.scenarios, self.records, self.costs = scenarios, records, list(costs)
        self.again = again or {}

    def names(self, kind):
        return [name for name, scenario in self.scenarios.items() if scenario.kind == kind]

    def of(self, *names, method=OURS, draws=None):
        """Records of scenarios, or of some of their draws."""
        return [
            record
            for (name, k), record in sorted(self.records.get(method, {}).items())
            if name in names and (draws is None or k in draws)
        ]

    def common(self, name, other):
        """Our records and those of another method, of the draws of a scenario that both have."""
        draws = [{r["draw"] for r in self.of(name, method=m)} for m in (OURS, other)]
        both = draws[0] & draws[1]
        return self.of(name, draws=both), self.of(name, method=other, draws=both)

    def planned(self, *names, method=OURS):
        """Draws that there will be; none of scenarios that are left out."""
        return sum(draws_of(self.scenarios[n], method) for n in names if n in self.scenarios)


def stored(folder=RESULTS, quick=False):
    """The evidence in a folder of results."""
    records = {method: Store(method, folder).records for method in METHODS}
    again = {method: Store(method, folder / AGAIN).records for method in METHODS}
    path = folder / COSTS
    costs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return Evidence(table(quick), records, costs, again)
