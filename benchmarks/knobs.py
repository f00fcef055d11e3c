"""LOFE without knobs to turn, on the sets of its paper with 5,000 irrelevant features."""

import os
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import once, row
from benchmarks.tuning import load
from hitmiss import LOFE, LOFECV

# The sets of the LOFE paper's Table 2: training samples, as many test samples as there are left.
IDA = {
    "twonorm": 120,
    "waveform": 120,
    "banana": 468,
    "thyroid": 70,
    "diabetis": 130,
    "heart": 58,
    "splice": 110,
}
MODELS = {
    "sigma 2, alpha 1": lambda: LOFE(alpha=1.0, order="weight"),
    "LOFECV, one standard error": lambda: LOFECV(rule="one-standard-error"),
    "LOFECV": LOFECV,
    "both by themselves": lambda: LOFE("auto", "evidence"),
}


def run(quick=False):
    """A row per way to tune; `quick` means one run only."""
    if "HITMISS_DATA" not in os.environ:
        return []
    warnings.simplefilter("ignore", ConvergenceWarning)
    n_runs = 1 if quick else 5
    found = {model: np.zeros((len(IDA), n_runs, 2)) for model in MODELS}
    for k, (name, n_train) in enumerate(IDA.items()):
        for seed in range(n_runs):
            train, test = split(name, n_train, seed)
            for model, make in MODELS.items():
                found[model][k, seed] = tried(make(), train, test)
    return [tuned(model, found) for model in MODELS]


def tried(model, train, test):
    """Test error in percent, and seconds of the fit."""
    seconds = once(lambda: model.fit(*train))
    return 100 * (1 - model.score(*test)), seconds


def tuned(model, found):
    """Mean test error over the sets."""
    plain, (errors, seconds) = next(iter(found.values()))[..., 0], np.moveaxis(found[model], 2, 0)
    each = ", ".join(f"{name} {e:.1f}" for name, e in zip(IDA, errors.mean(axis=1), strict=True))
    gap = (errors - plain).mean(axis=0)  # over the sets, in every run
    spread = gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.nan
    note = f"mean error {errors.mean():.2f} %, {gap.mean():+.2f} +- {spread:.2f}; {each}"
    required = "mean error no worse than the first" if model == "LOFECV" else ""
    met = bool(gap.mean() <= 0) if required else None
    what = f"{model}: mean of {errors.shape[1]} runs on seven sets + 5,000 irrelevant"
    return row(what, seconds.mean(), required=required, note=note, met=met)


def split(name, n_train, seed):
    """Training and up to 2,000 test samples, with irrelevant features."""
    X, y = load(f"ida_{name}")
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))[: n_train + 2000]
    noise = rng.standard_normal((len(order), 5000)).astype(np.float32)
    X, y = np.hstack([X[order], noise]), y[order]
    return (X[:n_train], y[:n_train]), (X[n_train:], y[n_train:])
