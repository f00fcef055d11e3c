"""What the stored results say: errors, ranks, standard errors and stability."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from benchmarks.quality.judges import JUDGES, LENGTHS
from benchmarks.quality.methods import METHODS
from benchmarks.quality.sets import SETS, share
from benchmarks.truth.store import Store, of_all, timed_on

STABLE = 20  # features of the lists whose stability is measured
DIGITS = 4  # of errors that are compared


class Evidence(NamedTuple):
    """Results of the methods on the sets and repeats that all of them have."""

    methods: list[str]
    sets: list[str]
    errors: np.ndarray  # of shape (method, set, judge, length): mean over the repeats
    standard_errors: np.ndarray  # of shape (method, set): of the mean over judges and lengths
    stability: np.ndarray  # of shape (method, set)
    seconds: np.ndarray  # of shape (method, set), NaN of runs on other machines
    repeats: dict[str, int]  # by set

    @property
    def shares(self):
        weights = np.array([share(name) for name in self.sets])
        return weights / weights.sum()

    @property
    def mean_stability(self):
        """Of every method over the sets of which all have several repeats; NaN if there are none.

        Methods that are run less often do not count for that.
        """
        usual = [METHODS[m].repeats is None for m in self.methods]
        known = ~np.isnan(self.stability[usual]).any(axis=0)
        return self.stability[:, known].mean(axis=1) if known.any() else np.full(len(usual), np.nan)

    @property
    def mean_ranks(self):
        """Of every method over sets, judges and lengths; 1 is the best."""
        ranks = rankdata(self.errors.round(DIGITS), axis=0)
        return np.einsum("mskl,s->m", ranks, self.shares) / (len(JUDGES) * len(LENGTHS))


def stored(folder, methods=None):
    """The evidence in a folder.

    Parameters
    ----------
    folder : Path
        Where results are kept.
    methods : sequence of str, optional
        By default all that have results of as many sets as any other.
    """
    found = {m: Store(m, folder).records for m in methods or METHODS}
    of_sets = {m: {name for name, _ in records} for m, records in found.items()}
    most = max(map(len, of_sets.values()), default=0)
    chosen = [m for m in found if most and len(of_sets[m]) == most]
    names = [name for name in SETS if all(name in of_sets[m] for m in chosen)] if chosen else []
    common = {n: _common(found, chosen, n) for n in names}
    timed = timed_on(of_all(folder))
    return Evidence(
        methods=chosen,
        sets=names,
        errors=np.array([[_errors(found[m], n, common[n]).mean(0) for n in names] for m in chosen]),
        standard_errors=np.array(
            [[_standard_error(_errors(found[m], n, common[n])) for n in names] for m in chosen]
        ),
        stability=np.array([[_stability(found[m], n) for n in names] for m in chosen]),
        seconds=np.array([[_seconds(found[m], n, timed) for n in names] for m in chosen]),
        repeats={n: len(common[n]) for n in names},
    )


def _common(found, methods, name):
    """The repeats of a set that all methods have, but for methods that are run less often."""
    usual = [m for m in methods if METHODS[m].repeats is None] or methods
    return sorted(set.intersection(*({r for n, r in found[m] if n == name} for m in usual)))


def _errors(records, name, repeats):
    """Of shape (repeat, judge, length)."""
    there = [r for r in repeats if (name, r) in records]
    return np.array([[records[name, r]["errors"][judge] for judge in JUDGES] for r in there])


def _standard_error(errors):
    if len(errors) < 2:
        return np.nan
    return errors.mean(axis=(1, 2)).std(ddof=1) / np.sqrt(len(errors))


def _stability(records, name):
    """Mean overlap (Jaccard) of the best features of two splits, those of different repeats."""
    lists = [
        (r, set(found[:STABLE]))
        for (n, r), record in records.items()
        if n == name
        for found in record["lists"]
    ]
    overlaps = [
        len(a & b) / len(a | b) for (r, a), (s, b) in combinations(lists, 2) if r != s and a | b
    ]
    return float(np.mean(overlaps)) if overlaps else np.nan


def _seconds(records, name, machine):
    spent = [
        record["seconds"]
        for (n, _), record in records.items()
        if n == name and record["machine"] == machine
    ]
    return float(np.mean(spent)) if spent else np.nan
