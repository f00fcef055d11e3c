"""Every draw of every scenario by every method, from where an earlier run stopped."""

import importlib.util
import time
import warnings

import numpy as np

from benchmarks.truth.measures import RELATED
from benchmarks.truth.methods import METHODS, OURS, PEERS, draws_of
from benchmarks.truth.scenarios import drawn
from benchmarks.truth.store import Store
from benchmarks.truth.synthetic import explained, kin_of

LARGEST = 0.5  # q-values above it are not kept
ROUND = 20  # draws of a scenario before the next one's turn


def tasks(scenarios, methods):
    """(method, scenario, draw) in the order of need.

    Ours comes first and takes the scenarios in turn, `ROUND` draws of each; peers, which are slow,
    take a draw of each. So a run that is stopped has about as many of each.
    """
    names = list(scenarios)

    def turn(task):
        method, name, k = task
        peer = method != OURS
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
    stores = {method: Store(method, folder) for method in methods}
    for method, name, k in tasks(scenarios, methods):
        if time.time() > until:
            return
        if (name, k) not in stores[method]:
            record = tried(METHODS[method], drawn(name, scenarios[name], k), k)
            stores[method].add(name, k, **record)
            report(f"{method:8} {name:28} {k:3d} {record['seconds']:7.1f} s", flush=True)


def tried(method, draw, seed):
    """What a method found: levels of features by their index, and what is true of them."""
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers, and that nothing was found
        levels = method.levels(draw.X, draw.y, seed, draw.groups)
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


def runnable(methods=()):
    """The methods named, or all, as far as they can run here."""
    return [method for method in methods or (OURS, *PEERS) if installed(method)]
