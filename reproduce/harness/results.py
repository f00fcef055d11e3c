"""Stored results of the sections, and how much of their experiments is done."""

from collections import Counter
from typing import NamedTuple

from reproduce.harness.experiment import Plan
from reproduce.harness.runner import duration
from reproduce.harness.section import Check, Section
from reproduce.harness.store import Store, stored


class Results(NamedTuple):
    """A section with its stored records, None if they are outdated, and its checks."""

    section: Section
    store: Store | None
    checks: list[Check]

    @property
    def has_run(self):
        """Whether there are records, though perhaps outdated ones."""
        return self.store is None or bool(self.store.records)

    @property
    def plan(self):
        """The plan of the full experiment, or of its quick trial."""
        quick = self.store.protocol["quick"]
        return Plan(1 if quick else self.section.experiment.runs, quick)

    @property
    def missing_runs(self):
        """Runs of the tasks that are not stored."""
        tasks = self.section.experiment.tasks(self.plan)
        return [task.key.run for task in tasks if task.key not in self.store.records]


def results_in(folder, sections):
    """Results of the sections in a folder; those that have not run have no records."""
    found = []
    for section in sections:
        name = section.experiment.name
        store = stored(section.experiment, folder / "results" / f"{name}.json")
        checks = list(section.checks(store.records)) if store and store.records else []
        found.append(Results(section, store, checks))
    return found


def conditions_of_most(results):
    """Date, machine and versions that most of the experiments were run with."""
    counts = Counter(" ".join(w.store.made) for w in results if w.store and w.store.records)
    return counts.most_common(1)[0][0] if counts else ""


def amount_done(what):
    """How many of the tasks, and of the runs, are done."""
    plan, left = what.plan, what.missing_runs
    n_tasks = len(what.section.experiment.tasks(plan))
    done = f"{n_tasks - len(left)} of {n_tasks} tasks"
    if plan.runs > 1:
        done += f", {plan.runs - len(set(left))} of {plan.runs} runs whole"
    return done


def cpu_time(*results):
    """CPU time of all records."""
    records = [r for what in results if what.store for r in what.store.records.values()]
    return duration(sum(record["seconds"] for record in records))
