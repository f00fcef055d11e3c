"""An experiment that takes no time: a first task, and one per run that needs its result."""

import numpy as np

from reproduce.harness.experiment import Experiment, Key, Plan, Task
from reproduce.harness.runner import run
from reproduce.harness.section import Section
from reproduce.harness.store import Store

FIRST = Key("a", "first", 0)


def tasks(plan):
    later = [Task(Key("a", "later", run), (FIRST,)) for run in range(plan.runs)]
    return [*later, Task(FIRST)]


def work(key, plan, needed):
    base = needed[FIRST]["value"] if needed else 0.0
    return {"value": base + float(np.random.default_rng(key.run + 1).random())}


def experiment(name="made-up", work=work, **options):
    return Experiment(name, tasks, work, seconds=lambda key: 30.0, **options)


def section(experiment, **options):
    return Section(experiment, "Made up: an experiment", body=str, **options)


def finished(path, experiment, jobs=1, runs=4, here=None):
    """Values of the records after so many runs."""
    store = Store(path, {"quick": False}, here)
    run(experiment, Plan(runs), store, jobs=jobs, report=lambda line: None)
    return records_of(store)


def records_of(store):
    return {key: record["value"] for key, record in store.records.items()}
