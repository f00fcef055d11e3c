"""Gaps kept or filled in: nested error on real data, beside scikit-learn's imputers.

What is run is stored in `results/imputation.jsonl`, a line per draw and share of gaps; stopped, it
goes on from there. Delete the file to begin again.
"""

import os
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import StratifiedKFold

from benchmarks.missing import holed
from benchmarks.timing import row
from benchmarks.truth.store import Store, sentence, timed_on
from hitmiss import LOFE, LOFECV

RESULTS = Path(__file__).parent / "results"
N_DRAWS, N_FOLDS = 10, 5  # of gaps and of folds; a draw takes two minutes
SHARES = (0.0, 0.1, 0.3)  # missing at random, besides what is missing by nature
# What fills the gaps in, fitted to the training samples; None keeps them.
FILLED = {"ours": None, "the mean filled in": SimpleImputer(), "by 5 neighbors": KNNImputer()}
# A gap is no evidence, so a fixed alpha is stronger where gaps are many, and less so where
# neighbors fill them in. Which one is best is therefore asked of every way by itself, within the
# training samples: from their noise, or from their cross-validated error.
MODELS = {
    "LOFE, alpha auto, order both": LOFE(alpha="auto", order="both", n_jobs=1),
    "LOFECV(5), alpha of 2 to 0.25": LOFECV(5.0, (2.0, 1.0, 0.5, 0.25), n_jobs=1),
    "LOFE(5), alpha 1": LOFE(5.0, 1.0, order="weight", n_jobs=1),
}
REQUIRED = list(MODELS)[:2]
N_ERRORS = 2  # more standard errors than this are worse; one is exceeded by chance in one of six


def run(quick=False):
    """A row per model and share of gaps; none without the data. `quick`: one draw, few genes."""
    path = Path(os.environ.get("HITMISS_DATA", "")) / "breast_vantveer.npz"
    if not path.exists():
        return []
    with np.load(path) as file:
        X, y = file["X"].astype(np.float32), file["y"]
    if quick:
        X = X[:, :500]
        found = {share: [wrong_by_sample(holed(X, share), y, 0)] for share in SHARES}
    else:
        found = stored_draws(X, y, Store("imputation", RESULTS))
    return [_beside(X, share, model, found[share]) for model in MODELS for share in SHARES]


def stored_with():
    """What the stored draws were made with."""
    return sentence(Store("imputation", RESULTS).records.values())


def stored_draws(X, y, store, n_draws=N_DRAWS):
    """`wrong_by_sample` of every share and draw; what is not stored is run.

    Parameters
    ----------
    X, y : ndarray
        Samples, with what is missing by nature, and their classes.
    store : Store
        Holds the samples that are wrong, by their number.
    n_draws : int
        Draws of gaps and folds.
    """
    for draw in range(n_draws):
        for share in SHARES:
            if (_scenario(share), draw) not in store:
                wrong = wrong_by_sample(holed(X, share, draw), y, draw)
                written = [
                    [*key, np.flatnonzero(one).tolist(), round(spent, 3)]
                    for key, (one, spent) in wrong.items()
                ]
                store.add(_scenario(share), draw, wrong=written)
    timed = timed_on(store.records.values())
    return {
        share: [_read(store.records[_scenario(share), k], len(y), timed) for k in range(n_draws)]
        for share in SHARES
    }


def _scenario(share):
    return f"{100 * share:.0f} % more"


def _read(record, n_samples, timed):
    """What `wrong_by_sample` said; the seconds are NaN if they are of another machine."""
    seconds = 1.0 if record["machine"] == timed else np.nan
    return {
        (model, name): (np.isin(np.arange(n_samples), wrong), seconds * spent)
        for model, name, wrong, spent in record["wrong"]
    }


def _beside(X, share, model, draws):
    """Errors of a model with gaps kept and filled in, on the same gaps and folds."""
    wrong = {name: np.array([draw[model, name][0] for draw in draws]) for name in FILLED}
    times = {name: np.nanmean([draw[model, name][1] for draw in draws]) for name in FILLED}
    more = {name: excess(wrong["ours"], wrong[name]) for name in list(FILLED)[1:]}
    note = f"wrong of {len(X)}, mean of {len(draws)} draws of gaps and folds: " + ", ".join(
        f"{name} {errors.sum(axis=1).mean():.1f}" for name, errors in wrong.items()
    )
    note += "; ours more than " + ", ".join(
        f"{name} {mean:+.1f} +- {error:.1f}" for name, (mean, error) in more.items()
    )
    needed = model in REQUIRED
    return row(
        f"{model}, breast cancer {X.shape[0]} x {X.shape[1]:,}, "
        f"{100 * np.isnan(X).mean():.1f} % missing, {100 * share:.0f} % more",
        times["ours"],
        "the mean filled in",
        times["the mean filled in"],
        required="no more wrong than either, within two standard errors" if needed else "",
        note=note + "; CPU seconds",
        met=all(mean <= N_ERRORS * error for mean, error in more.values()) if needed else None,
    )


def wrong_by_sample(X, y, seed):
    """By model and what fills the gaps: which samples are wrong if left out, seconds of a fit."""
    found = {(model, name): [np.zeros(len(y), bool), 0.0] for model in MODELS for name in FILLED}
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(X, y):
        for name, imputer in FILLED.items():
            began = time.process_time()
            filled = _filled(imputer, X, train)
            filling = time.process_time() - began
            for model, estimator in MODELS.items():
                began = time.process_time()
                fitted = clone(estimator).fit(filled[train], y[train])
                found[model, name][0][test] = fitted.predict(filled[test]) != y[test]
                found[model, name][1] += (filling + time.process_time() - began) / N_FOLDS
    return found


def _filled(imputer, X, train):
    """All samples with their gaps filled in by what the training samples say, unless kept."""
    if imputer is None:
        return X
    with warnings.catch_warnings():  # genes without any value
        warnings.simplefilter("ignore", UserWarning)
        return clone(imputer).fit(X[train]).transform(X)


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
