"""``python -m tests.bits COMMIT``: record the weights of the library that is imported."""

import sys
from pathlib import Path

import numpy as np

from tests.bits import cases

FILE = Path(__file__).parent / "weights.npz"


def record(commit):
    """Digests and some weights of every fit, and what made them."""
    data, pairs = cases.data_sets(), cases.pairs()
    found = [cases.weights(name, data[place]) for name, place in pairs]
    np.savez_compressed(
        FILE,
        commit=commit,
        kind=cases.machine_kind(),
        names=[f"{name} / {place}" for name, place in pairs],
        digests=[cases.digest(w) for w in found],
        kept=[cases.kept(w) for w in found],
    )


if __name__ == "__main__":
    record(sys.argv[1])
