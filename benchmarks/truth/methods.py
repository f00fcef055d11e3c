"""All methods by name: ours, what goes on from it, and its peers."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.truth import peers
from hitmiss import LOFE, FDRSelector
from hitmiss.inference import attribution
from hitmiss.inference.q_values import attributed

OURS, ATTRIBUTABLE = "hitmiss", "attributable"
TOLD_APART = {"made": 10, "signal": 10}  # draws, by the kind of the scenario: some seconds each


class Method(NamedTuple):
    """A function (X, y, seed, groups) -> level of every feature, and how often a peer is run."""

    levels: Callable
    title: str
    package: str | None = None  # that must be installed
    draws: int | None = None  # at most; None for as many as a scenario has
    after: str | None = None  # method from whose levels it goes on; these come last, not groups


def hitmiss(X, y, seed, groups=None):
    """q-values of permuted labels; one test serves every level."""
    return FDRSelector(LOFE(), random_state=seed).fit(X, y, groups=groups).q_values_


def attributable(X, y, seed, levels):
    """What ``FDRSelector(LOFE(alpha=1), attributable=True)`` makes of q-values that are stored."""
    found = np.flatnonzero(levels < 1)
    shares = np.zeros(len(levels))
    if len(found):
        shares[found] = attribution(LOFE(alpha=1.0).fit(X, y), X, y, found, random_state=seed)
    return attributed(levels, shares)


def without_groups(peer):
    """A peer as a method; none of them knows of samples that belong together."""

    def levels(X, y, seed, groups=None):
        if groups is not None:
            raise ValueError(f"{peer.__name__} cannot keep groups of samples together.")
        return peer(np.ascontiguousarray(X), y, seed)

    return levels


METHODS = {
    OURS: Method(hitmiss, "FDRSelector(LOFE())"),
    ATTRIBUTABLE: Method(attributable, "FDRSelector(LOFE(alpha=1), attributable=True)", after=OURS),
    "ipss": Method(without_groups(peers.ipss), "IPSS 1.1", "ipss", 25),
    "knockpy": Method(without_groups(peers.knockpy), "knockpy 1.3", "knockpy", 3),
    "stabl": Method(without_groups(peers.stabl), "Stabl's rule", "sklearn", 5),
    "boruta": Method(without_groups(peers.boruta), "BorutaPy 0.4", "boruta", 1),
}
PEERS = tuple(name for name in METHODS if name not in (OURS, ATTRIBUTABLE))


def draws_of(scenario, method):
    """How many draws of a scenario a method is given."""
    if method == OURS:
        return scenario.draws
    if method == ATTRIBUTABLE:
        return min(scenario.draws, TOLD_APART.get(scenario.kind, 0))
    return min(scenario.peer_draws, METHODS[method].draws)
