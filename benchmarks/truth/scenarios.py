"""All scenarios by name, those that requirements need most first."""

import functools
import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.truth import microarrays as arrays
from benchmarks.truth import synthetic as made
from benchmarks.truth.synthetic import Draw

QS = (0.05, 0.1, 0.2)  # levels of the requirements
QUICK = {"n": 40, "p": 60}


class Scenario(NamedTuple):
    """How a dataset is drawn from a generator, what for, and how often."""

    make: Callable[[np.random.Generator], Draw]
    kind: str  # null, signal, permuted, true, made or donors
    size: str
    draws: int = 100
    peer_draws: int = 0  # peers are slow
    power: float | None = None  # required at q = 0.1


def synthetic(make, kind, n=200, p=1000, **settings):
    """A scenario of made-up data of n samples and p features."""
    return Scenario(functools.partial(make, n=n, p=p), kind, f"{n} x {p:,}", **settings)


SYNTHETIC = {
    "null: normal": synthetic(made.null(made.normal), "null", n=100, peer_draws=10),
    "null: heavy-tailed": synthetic(made.null(made.heavy_tailed), "null", n=100),
    "null: genotypes": synthetic(made.null(made.genotypes), "null", n=100),
    "null: classes 9:1": synthetic(made.null(made.normal, share=0.1), "null", n=100),
    "null: blocks .8": synthetic(made.null(made.blocks), "null", n=100),
    "additive": synthetic(made.sum_of_five(made.normal), "signal", peer_draws=25, power=0.9),
    "toeplitz .5": synthetic(made.sum_of_five(made.toeplitz), "signal", peer_draws=25, power=0.9),
    "xor": synthetic(made.xor, "signal", peer_draws=25, power=0.75),
    "donors": synthetic(made.donors, "donors", n=120),
    "donors ignored": synthetic(made.donors_ignored, "donors", n=120),
    "blocks .8": synthetic(made.sum_of_five(made.blocks), "signal", peer_draws=10),
    "parity": synthetic(made.parity, "signal", n=400, p=200, peer_draws=5),
    "spiral": synthetic(made.spiral, "signal", n=460, p=1002, peer_draws=5),
}


def of_microarrays(kind, make, draws):
    """A scenario for each of the ten microarrays."""

    def on(name):
        return Scenario(lambda rng: make(name, rng), kind, arrays.SIZES[name], draws)

    return {f"{kind}: {name}": on(name) for name in arrays.SIZES}


REAL = {
    **of_microarrays("permuted", arrays.permuted_labels, draws=20),
    **of_microarrays("true", arrays.true_labels, draws=3),
    **of_microarrays("made", arrays.made_labels, draws=10),
}
LATER = ("blocks .8", "parity", "spiral", *(name for name in REAL if name.startswith("made")))


def table(quick=False):
    """Scenarios by name; `quick` ones are small, two draws each, without microarrays."""
    if quick:
        return {name: smaller(scenario) for name, scenario in SYNTHETIC.items()}
    found = SYNTHETIC | REAL
    later = {name: found.pop(name) for name in LATER}
    return found | later


def smaller(scenario):
    make = functools.partial(scenario.make.func, **QUICK)
    size = f"{QUICK['n']} x {QUICK['p']}"
    return scenario._replace(make=make, size=size, draws=2, peer_draws=0)


def drawn(name, scenario, k):
    """The k-th draw of a scenario: the same for every method.

    The data of "donors ignored" are those of "donors", so that they differ in the groups alone.
    """
    source = zlib.crc32(name.removesuffix(" ignored").encode())
    return scenario.make(np.random.default_rng([source, k]))
