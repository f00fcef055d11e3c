"""Run the missing tasks of an experiment in processes, and store each result at once."""

import time
import warnings

import sklearn
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

# Warnings that are part of a result: a grid has an edge, a class may have few samples, and a batch
# may hold one class only.
EXPECTED = ("All weights are zero", "The least populated class in y has only", "Stratum '")


def run(experiment, plan, store, *, jobs=1, report=print):
    """Do every task of the plan that the store does not hold yet, run by run.

    Parameters
    ----------
    experiment : Experiment
        What to do.
    plan : Plan
        How much of it.
    store : Store
        Where results are, and go.
    jobs : int, default=1
        Number of processes. The results do not depend on it.
    report : callable, default=print
        Called with one line of progress at a time.
    """
    tasks = experiment.tasks(plan)
    left = [task for task in tasks if task.key not in store.records]
    report(estimate(experiment, tasks, left, jobs))
    began, n_left = time.monotonic(), len(left)
    expected = sum(experiment.seconds(task.key) for task in left)
    while left:
        first = min(task.key.run for task in left)
        ready = [t for t in left if t.key.run == first and all(k in store.records for k in t.needs)]
        if not ready:
            raise ValueError(f"{experiment.name}: run {first} needs results that no task gives.")
        for key, record in results(experiment, plan, ready, store.records, jobs):
            store.add(key, record)
            left = [task for task in left if task.key != key]
            rest = sum(experiment.seconds(task.key) for task in left)
            elapsed = time.monotonic() - began
            remaining = elapsed * rest / (expected - rest)
            report(progress(key, record, f"{n_left - len(left)}/{n_left}", remaining))


def results(experiment, plan, tasks, records, jobs):
    """(key, record) of each task, as they come; the longest begin first."""
    calls = (
        (experiment.work, plan, task.key, {k: records[k] for k in task.needs})
        for task in sorted(tasks, key=lambda task: -experiment.seconds(task.key))
    )
    if jobs == 1:  # in this process, where an interruption is an interruption
        return (record_of(*call) for call in calls)
    return Parallel(jobs, return_as="generator_unordered")(
        delayed(record_of)(*call) for call in calls
    )


def record_of(work, plan, key, needed):
    """Key and record of one task, with the seconds of CPU time it took."""
    began = time.process_time()
    with (
        warnings.catch_warnings(),
        threadpool_limits(1),
        sklearn.config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        warnings.simplefilter("ignore", ConvergenceWarning)
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message, UserWarning)
        record = work(key, plan, needed)
    return key, {**record, "seconds": round(time.process_time() - began, 3)}


def estimate(experiment, tasks, left, jobs):
    """One line: how much there is to do, and how long that takes."""
    all_of_it, rest = (
        duration(sum(experiment.seconds(task.key) for task in some) / jobs)
        for some in (tasks, left)
    )
    return (
        f"{experiment.name}: {len(tasks)} tasks, about {all_of_it} with {jobs} jobs; "
        f"{len(left)} to do, about {rest}."
    )


def progress(key, record, done, remaining):
    """One line about the task just done."""
    name = " ".join(map(str, key))
    return f"{done} {name}: {record['seconds']:.1f} s; about {duration(remaining)} left"


def duration(seconds):
    """Seconds as printed: in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
