"""Every draw of every scenario by every method, from where an earlier run stopped."""

import importlib.util
import time
import warnings

import numpy as np

from benchmarks.truth.measures import RELATED
from benchmarks.truth.methods import ATTRIBUTABLE, METHODS, OURS, PEERS, draws_of
from benchmarks.truth.scenarios import drawn
from benchmarks.truth.store import Store
from benchmarks.truth.synthetic import explained, kin_of

LARGEST = 0.5  # q-values above it are not kept
ROUND = 20  # draws of a scenario before the next one's turn


def tasks(scenarios, methods):
    """(method, scenario, draw) in the order of need.

    Ours, and what goes on from it, comes first and takes the scenarios in turn, `ROUND` draws of
    each; peers, which are slow, take a draw of each. So a run that is stopped has about as many of
    each.
    """
    names = list(scenarios)

    def turn(task):
        method, name, k = task
        peer = method in PEERS
        return peer, k if peer else k // ROUND, methods.index(method), names.index(name), k

    everything = (
        (method, name, k)
        for method in methods
        for name in names
        for k in range(draws_of(scenarios[name], method))
    )
    return sorted(everything, key=turn)


def installed(method):
    package = METHODS[method].package
    return package is None or importlib.util.find_spec(package) is not None


def run(scenarios, methods, folder, until=np.inf, report=print):
    """Do what is not yet stored, until the clock says `until`."""
    stores = {method: Store(method, folder) for method in {*methods, OURS}}
    for method, name, k in tasks(scenarios, methods):
        if time.time() > until:
            return
        after = METHODS[method].after
        ready = after is None or (name, k) in stores[after]
        if ready and (name, k) not in stores[method]:
            before = stores[after].records[name, k]["q"] if after else None
            record = tried(METHODS[method], drawn(name, scenarios[name], k), k, before)
            stores[method].add(name, k, **record)
            report(f"{method:8} {name:28} {k:3d} {record['seconds']:7.1f} s", flush=True)


def tried(method, draw, seed, before=None):
    """What a method found: levels of features by their index, and what is true of them.

    Parameters
    ----------
    method : Method
        What is tried.
    draw : Draw
        The data.
    seed : int
        Of the method.
    before : dict or None
        Levels that another method found, of those features that it found.
    """
    beside = draw.groups if before is None else all_levels(before, draw.X.shape[1])
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers, and that nothing was found
        levels = method.levels(draw.X, draw.y, seed, beside)
    seconds = time.perf_counter() - began
    found = np.flatnonzero(levels <= LARGEST)
    found = found[np.argsort(levels[found], kind="stable")]
    kin, shares = kin_of(draw), explained(draw)
    return {
        "q": {int(j): round(float(levels[j]), 6) for j in found},
        "relevant": draw.relevant.tolist(),
        "kin": {int(j): draw.relevant[kin[j]].tolist() for j in found if kin[j].any()},
        "explained": {int(j): round(float(shares[j]), 3) for j in found},
        "unrelated": round(float(np.mean(shares < RELATED)), 4),
        "seconds": round(seconds, 2),
    }


def all_levels(stored, n_features):
    """Levels of all features; 1 for those that are not stored."""
    levels = np.ones(n_features)
    levels[[int(j) for j in stored]] = list(stored.values())
    return levels


def runnable(methods=()):
    """The methods named, or all, as far as they can run here."""
    return [method for method in methods or (OURS, ATTRIBUTABLE, *PEERS) if installed(method)]
