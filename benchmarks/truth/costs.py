"""What a test costs, in times of what a user pays anyway: both in one run, in turn."""

import json
import os
import time

import numpy as np

from benchmarks.truth.evidence import COSTS
from benchmarks.truth.microarrays import FLOOR
from benchmarks.truth.store import made_with
from hitmiss import LOFE, ReliefF, datasets
from hitmiss.inference import permutation_test
from hitmiss.inference.permutation import AREA_STRIDE, CALIBRATIONS

SAMPLES, FEATURES = 102, 12_600  # those of the prostate data
LOFE_PERMUTATIONS, RELIEF_PERMUTATIONS = 20, 1_000
UNITS = 20  # runs of the unit for each of the test
MANY = 30  # strengths, more than any test goes through


def measure(folder, repeat=3):
    """Write both costs into a folder of results, each the best of several runs."""
    X, y = data()
    found = [lofe(X, y, repeat), relieff(X, y, repeat)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / COSTS).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def data():
    """The prostate data, or noise of their size where no folder of data is named."""
    if "HITMISS_DATA" in os.environ:
        X, y = datasets.load("prostate_singh", return_X_y=True)
        return np.log2(np.maximum(X[:SAMPLES], FLOOR)).astype(np.float32), y[:SAMPLES]
    rng = np.random.default_rng(0)
    X = rng.standard_normal((SAMPLES, FEATURES)).astype(np.float32)
    return X, np.arange(SAMPLES) % 2


def lofe(X, y, repeat):
    """The whole test over one path of the same grid."""

    def test():
        permutation_test(LOFE(), X, y, n_permutations=LOFE_PERMUTATIONS, random_state=0)

    alphas = grid(X, y)
    what = f"permutation_test(LOFE()), {LOFE_PERMUTATIONS} permutations"
    unit = f"LOFE().path of {len(alphas)} strengths"
    return in_turn(what, test, unit, lambda: LOFE().path(X, y, alphas), 25, repeat)


def grid(X, y):
    """The strengths of the penalty that the test goes through with the true labels."""
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(y)) for _ in range(CALIBRATIONS)]
    weakest = LOFE().opened(X, y).shared(orders)
    path = LOFE().path(X, y, weakest * AREA_STRIDE ** np.arange(MANY))
    n_steps = path.weights.any(axis=1).sum() + 1  # the last one leaves no weight
    return path.alphas[-n_steps:]


def relieff(X, y, repeat):
    """The whole test over one warm fit."""

    def test():
        permutation_test(ReliefF(), X, y, n_permutations=RELIEF_PERMUTATIONS, random_state=0)

    what = f"permutation_test(ReliefF()), {RELIEF_PERMUTATIONS:,} permutations"
    return in_turn(what, test, "a warm fit", lambda: ReliefF().fit(X, y), 400, repeat)


def in_turn(what, test, unit, single, most, repeat):
    """Times of a test and of its unit, and processor times, which other programs do not lengthen.

    After each test the unit is run several times: a mean, so that both meet the same load.
    """
    single()
    tests, units = [], []
    for _ in range(repeat):
        tests.append(times(test))
        units += [times(single) for _ in range(UNITS)]
    (seconds, processor), (one, unit_processor) = np.mean(tests, axis=0), np.mean(units, axis=0)
    return {
        "what": f"{what}, {SAMPLES} x {FEATURES:,}",
        "seconds": round(seconds, 3),
        "processor": round(processor, 3),
        "unit": unit,
        "unit_seconds": round(one, 5),
        "unit_processor": round(unit_processor, 5),
        "most": most,
        **made_with(),
    }


def times(function):
    """Seconds of a run on the clock and of the processors."""
    began, used = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - began, time.process_time() - used
