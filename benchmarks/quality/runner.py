"""Every repeat of every set by every method, from where an earlier run stopped."""

import time
import warnings

import numpy as np

from benchmarks.quality.judges import balanced_errors
from benchmarks.quality.methods import METHODS, ranked
from benchmarks.quality.sets import SETS, parts
from benchmarks.truth.store import Store

REPEATS = 10


def tasks(names, methods, repeats=REPEATS):
    """(repeat, set, method) in the order of need: a run that is stopped has as many of each set."""
    return [
        (repeat, name, method)
        for repeat in range(repeats)
        for name in names
        for method in methods
        if METHODS[method].repeats is None or repeat < METHODS[method].repeats
    ]


def run(folder, names=SETS, methods=None, repeats=REPEATS, until=np.inf, report=print):
    """Do what is not yet stored, until the clock says `until`.

    Parameters
    ----------
    folder : Path
        Where results are kept.
    names : sequence of str
        Sets.
    methods : sequence of str, optional
        All that are installed by default.
    repeats : int
        Of each set.
    until : float
        When to stop.
    report : callable
        Called with a line for every result.
    """
    chosen = [m for m in methods or METHODS if METHODS[m].installed]
    store_each(folder, tasks(names, chosen, repeats), tried, until, report)


def store_each(folder, some, work, until, report):
    """Store what `work` says of every task that is not yet stored.

    Parameters
    ----------
    folder, until, report
        As in `run`.
    some : list of tuple
        The `tasks`.
    work : callable
        From a method, the splits of a set and a seed to a record with its seconds.
    """
    stores = {method: Store(method, folder) for _, _, method in some}
    for repeat, name, method in some:
        if time.time() > until:
            return
        if (name, repeat) not in stores[method]:
            record = work(METHODS[method], parts(name, repeat), repeat)
            stores[method].add(name, repeat, **record)
            report(f"{method:20} {name:20} {repeat:2d} {record['seconds']:7.2f} s", flush=True)


def tried(method, splits, seed):
    """The lists of a method and how well they do."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers, and of fits that do not converge
        lists = [ranked(method, part, seed) for part in splits]
        seconds = time.process_time() - began
        errors = balanced_errors(lists, splits)
    return {
        "errors": errors,
        "lists": [found.tolist() for found in lists],
        "seconds": round(seconds / len(splits), 3),
    }
