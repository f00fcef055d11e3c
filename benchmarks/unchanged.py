"""``python -m benchmarks.unchanged record FILE``, then ``compare FILE`` after a change of the code.

All that fits learn - weights, rankings, strengths, q-values, history - on ten real data sets, on
thousands of samples and from every kind of storage, to the last bit. To be recorded and compared
on one machine, where the same code gives the same bits: before a change that should alter nothing,
and after it.
"""

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import hitmiss as h
from benchmarks.lofe import noisy_xor
from benchmarks.markers import simulated
from benchmarks.tuning import load
from hitmiss import datasets

SETS = (
    *("ida_heart", "ida_diabetis", "ida_splice", "ida_ringnorm", "uci_segmentation"),
    *("gems_srbct", "gems_dlbcl", "leukemia_golub", "lymphoma_discrete", "tox_171"),
)
N_SAMPLES = 300  # of each set
CLOSE = 1e-6  # relative, of weights and objectives that count as the same

FITS = {
    "LOFE": h.LOFE,
    "LOFE alpha=1": lambda: h.LOFE(alpha=1.0, order="weight"),
    "LOFE sigma=1": lambda: h.LOFE(1.0),
    "LOFE sigma=auto": lambda: h.LOFE("auto"),
    "LOFE auto, alpha=1": lambda: h.LOFE("auto", 1.0),
    "LOFECV": lambda: h.LOFECV(cv=3),
    "FDRSelector": lambda: h.FDRSelector(h.LOFE(), n_permutations=20, random_state=0),
    "FDRSelector attributable": lambda: h.FDRSelector(
        h.LOFE(), n_permutations=20, attributable=True, random_state=0
    ),
    "Markers": h.Markers,
    "OnlineLOFE": lambda: h.OnlineLOFE(random_state=0),
    "IRelief": h.IRelief,
    "FREL": h.FREL,
    "ReliefF": h.ReliefF,
    "MultiSURF": h.MultiSURF,
}
LARGE = ("LOFE", "LOFE alpha=1", "Markers", "IRelief", "ReliefF", "MultiSURF")
STORED = ("LOFE", "LOFE alpha=1", "IRelief", "FREL", "ReliefF", "MultiSURF")


def cases():
    """Name -> function of no argument, which returns a fitted estimator."""
    found = {}
    for place in SETS:
        X, y = some_samples(place)
        for name, make in FITS.items():
            found[f"{name} on {place}"] = lambda make=make, X=X, y=y: make().fit(X, y)
        numbers = X[:, 0].astype(float) + np.unique(y, return_inverse=True)[1]
        found[f"LOFERegressor on {place}"] = lambda X=X, y=numbers: h.LOFERegressor().fit(X, y)
    for name, make in (("product", datasets.make_product), ("ring", datasets.make_ring)):
        X, y = make(300, n_irrelevant=1000, random_state=0, return_X_y=True)
        found[f"LOFERegressor on {name}"] = lambda X=X, y=y: h.LOFERegressor().fit(X, y)
    X, y = datasets.make_survival(150, n_irrelevant=500, random_state=0, return_X_y=True)
    found["LOFESurvival"] = lambda: h.LOFESurvival().fit(X, y)
    types, xor = simulated(3000, 2000)[:2], noisy_xor(1)
    for place, data in (("3,000 x 2,000", types), ("1,500 x 2,000", xor)):
        for name in LARGE:
            found[f"{name} on {place}"] = lambda make=FITS[name], data=data: make().fit(*data)
    wide = datasets.make_spiral(n_irrelevant=3000, random_state=0, return_X_y=True)
    for name in STORED:
        found |= {f"{name}, {kind}": fit for kind, fit in stored(name, *wide)}
    return found


def stored(name, X, y):
    """The same data from a file, in row tiles and from Dask, where an estimator takes them."""
    import dask.array

    def from_file():
        with tempfile.TemporaryDirectory() as folder:
            np.save(Path(folder) / "X.npy", X)
            mapped = np.load(Path(folder) / "X.npy", mmap_mode="r")
            return fitted(name, mapped, y, memory="120MB")

    yield "memmap", from_file
    yield "dask", lambda: fitted(name, dask.array.from_array(X, chunks=(-1, 500)), y)
    many = datasets.make_waveform(3000, n_irrelevant=40, random_state=0, return_X_y=True)
    yield "row tiles", lambda: fitted(name, *many, memory="60MB")


def fitted(name, X, y, **options):
    estimator = FITS[name]()
    if "memory" in options and "memory" not in estimator.get_params():
        del options["memory"]
    return estimator.set_params(**options).fit(X, y)


def some_samples(place):
    X, y = load(place)
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:N_SAMPLES])
    return X[rows], y[rows]


def learned(estimator):
    """All numbers that a fit learned: attribute -> array."""
    found = {}
    known = vars(estimator) | {"ranking_": estimator.ranking_}
    for name, value in known.items():
        if not name.endswith("_") or name.startswith("_"):
            continue
        if name == "history_":
            for key in sorted({key for row in value for key in row}):
                found[f"history_.{key}"] = np.array([row.get(key, np.nan) for row in value])
        elif np.ndim(value) == 0 or all(np.ndim(item) == 0 for item in value):
            found[name] = np.asarray(value)
    return {name: value for name, value in found.items() if value.dtype.kind in "biuf"}


def measured(chosen):
    """(case, what was learned, seconds) of one case after the other."""
    warnings.simplefilter("ignore")
    for name, fit in cases().items():
        if not chosen or any(word in name for word in chosen):
            began = time.perf_counter()
            found = learned(fit())
            yield name, found, time.perf_counter() - began


def record(file, chosen):
    arrays = {}
    for name, found, took in measured(chosen):
        print(f"{took:7.2f} s  {name}", flush=True)
        arrays |= {f"{name}|{key}": value for key, value in found.items()}
        arrays[f"{name}|seconds"] = np.array(took)
    np.savez_compressed(file, **arrays)


def compare(file, chosen):
    """Print every case that is not the same; 1 if one differs by more than rounding."""
    with np.load(file) as stored_arrays:
        known = dict(stored_arrays)
    n_same = n_close = n_other = 0
    for name, found, took in measured(chosen):
        before = {k.split("|")[1]: v for k, v in known.items() if k.split("|")[0] == name}
        was = float(before.pop("seconds"))
        differ = [key for key in before if not same(before[key], found.get(key))]
        if not differ:
            n_same += 1
            continue
        close = is_close(before, found)
        n_close, n_other = n_close + close, n_other + (not close)
        word = "close" if close else "OTHER"
        print(f"{word}  {name} ({took / was:.2f} x): {said(before, found, differ)}", flush=True)
    print(f"{n_same} the same to the last bit, {n_close} close, {n_other} others")
    return 1 if n_other else 0


def same(a, b):
    floats = a.dtype.kind == "f"
    return b is not None and a.shape == b.shape and np.array_equal(a, b, equal_nan=floats)


def is_close(before, found):
    """Whether the same features have a weight, and weights and objective agree."""
    for key in ("weights_", "objective_", "q_values_", "feature_importances_"):
        if key in before:
            a, b = before[key], found.get(key)
            if b is None or a.shape != b.shape or not np.array_equal(a != 0, b != 0):
                return False
            if np.abs(a - b).max(initial=0) > CLOSE * np.abs(a).max(initial=0):
                return False
    return bool(before)


def said(before, found, differ):
    """What differs, and how the objectives and the lists compare."""
    words = [", ".join(differ[:6]) + (" ..." if len(differ) > 6 else "")]
    if "objective_" in differ:
        words.append(f"objective {float(found['objective_'] / before['objective_'] - 1):+.1e}")
    if "weights_" in differ and before["weights_"].shape == found["weights_"].shape:
        a, b = before["weights_"], found["weights_"]
        off = np.abs(a - b).max() / (np.abs(a).max() or 1)
        words.append(f"weights off by {off:.1e}, {(a != 0).sum()} -> {(b != 0).sum()} features")
    return "; ".join(words)


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unchanged", description=__doc__)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file")
    parser.add_argument("chosen", nargs="*", help="words, one of which a case must contain")
    arguments = parser.parse_args()
    chosen = {"record": record, "compare": compare}[arguments.what]
    sys.exit(chosen(arguments.file, arguments.chosen))


if __name__ == "__main__":
    main()
