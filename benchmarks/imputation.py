"""Gaps kept or filled in: nested error on real data, beside scikit-learn's imputers."""

import os
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from benchmarks.missing import holed
from benchmarks.timing import once, row
from hitmiss import LOFE

N_DRAWS, N_FOLDS = 6, 5  # of gaps and of folds
SHARES = (0.0, 0.1, 0.3)  # missing at random, besides what is missing by nature
MODELS = {
    "ours": LOFE(5.0),
    "the mean filled in": make_pipeline(SimpleImputer(), LOFE(5.0)),
    "by 5 neighbors": make_pipeline(KNNImputer(), LOFE(5.0)),
}


def run(quick=False):
    """A row per share of gaps; none without the data. `quick` draws once, with few genes."""
    path = Path(os.environ.get("HITMISS_DATA", "")) / "breast_vantveer.npz"
    if not path.exists():
        return []
    with np.load(path) as file:
        X, y = file["X"].astype(np.float32), file["y"]
    X, n_draws = (X[:, :500], 1) if quick else (X, N_DRAWS)
    return [_beside(X, y, share, n_draws) for share in SHARES]


def _beside(X, y, share, n_draws):
    """Errors of all models on the same gaps and folds."""
    draws = [wrong_by_sample(holed(X, share, seed), y, seed) for seed in range(n_draws)]
    wrong = {name: np.array([draw[name][0] for draw in draws]) for name in MODELS}
    times = {name: np.mean([draw[name][1] for draw in draws]) for name in MODELS}
    more = {name: excess(wrong["ours"], wrong[name]) for name in list(MODELS)[1:]}
    note = f"wrong of {len(y)}, mean of {n_draws} draws of gaps and folds: " + ", ".join(
        f"{name} {errors.sum(axis=1).mean():.1f}" for name, errors in wrong.items()
    )
    note += "; ours more than " + ", ".join(
        f"{name} {mean:+.1f} +- {error:.1f}" for name, (mean, error) in more.items()
    )
    size = f"{X.shape[0]} x {X.shape[1]:,}"
    return row(
        f"LOFE(5), breast cancer {size}, {100 * np.isnan(X).mean():.1f} % missing, "
        f"{100 * share:.0f} % more",
        times["ours"],
        "the mean filled in",
        times["the mean filled in"],
        required="no more wrong than either, within one standard error",
        note=note,
        met=all(mean <= error for mean, error in more.values()),
    )


def wrong_by_sample(X, y, seed):
    """Of every model, which samples it gets wrong when they are left out, and seconds of a fit."""
    wrong = {name: np.zeros(len(y), bool) for name in MODELS}
    times = dict.fromkeys(MODELS, 0.0)
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(X, y):
        for name, model in MODELS.items():
            fitted = clone(model)
            with warnings.catch_warnings():  # genes without any value
                warnings.simplefilter("ignore", UserWarning)
                times[name] += once(partial(fitted.fit, X[train], y[train])) / N_FOLDS
                wrong[name][test] = fitted.predict(X[test]) != y[test]
    return {name: (wrong[name], times[name]) for name in MODELS}


def excess(ours, theirs):
    """How many samples more are wrong, and its standard error over the samples.

    Draws of one set of samples are not independent, so the samples are what is averaged over.

    Parameters
    ----------
    ours, theirs : ndarray of shape (n_draws, n_samples)
        Which samples are wrong.

    Examples
    --------
    >>> excess(np.array([[1, 1, 0, 0], [1, 0, 0, 0]]), np.zeros((2, 4)))
    (1.5, 0.957...)
    """
    more = np.mean(ours.astype(float) - theirs.astype(float), axis=0)
    return float(more.sum()), float(more.std(ddof=1) * np.sqrt(len(more)))
