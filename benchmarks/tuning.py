"""Does LOFE without knobs keep up with the best knobs, and what does tuning cost?"""

import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import once, row, seconds
from hitmiss import LOFE, LOFECV, datasets
from hitmiss._util.workers import Workers
from hitmiss.estimators.validation import scaled_features
from hitmiss.lofe import STARTS, FixedPoints, Problem
from hitmiss.online.evidence import by_evidence
from hitmiss.targets.classes import Classes

GRID = (5.0, 3.0, 2.0, 1.4, 1.0, 0.7, 0.5, 0.35, 0.25, 0.1)
BEGINS = (0.03, 0.3, 3.0, 30.0, 300.0)


def run(quick=False):
    """All rows; `quick` leaves out what takes minutes."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    n_runs = 3 if quick else 10
    rows = [any_begin()]
    rows += [against_grid(make, n_runs) for make in (datasets.make_twonorm, datasets.make_waveform)]
    if "HITMISS_DATA" in os.environ:
        rows.append(cross_validation(n_folds=2 if quick else 10))
    return rows


def any_begin():
    """The tuned alpha from starts over four decades."""
    X, y = datasets.make_waveform(400, n_irrelevant=500, random_state=0, return_X_y=True)
    alphas = []

    def tune():
        workers = Workers()
        features = scaled_features(X, "range", workers)
        starts = [features.n_features**-0.5, 1.0]
        settings = {"more_starts": STARTS, "tol": 1e-5, "max_iter": 200, "record": lambda **_: None}
        fits = FixedPoints(features, Problem(Classes(y), 2.0, 1.0), starts, **settings)
        alphas[:] = [by_evidence(fits, 2.0, begin)[0].alpha for begin in BEGINS]

    time = once(tune)
    spread = max(alphas) / min(alphas) - 1
    return row(
        "alpha by evidence, waveform + 500, from 0.03 to 300",
        time / len(BEGINS),
        required="the same within 5 %",
        note=f"alpha {np.mean(alphas):.3f}, spread {100 * spread:.2f} %",
        met=spread <= 0.05,
    )


def against_grid(make, n_runs):
    """Test error with the tuned alpha beside that of the best of a grid, chosen with hindsight."""
    tuned, fixed = np.empty(n_runs), np.empty((n_runs, len(GRID)))
    for seed in range(n_runs):
        X, y = make(400, n_irrelevant=500, random_state=seed, return_X_y=True)
        test = make(3000, n_irrelevant=500, random_state=1000 + seed, return_X_y=True)
        tuned[seed] = 1 - LOFE(alpha="evidence").fit(X, y).score(*test)
        fixed[seed] = [1 - LOFE(alpha=alpha).fit(X, y).score(*test) for alpha in GRID]
    best = fixed.mean(axis=0).argmin()
    error = fixed[:, best].std(ddof=1) / np.sqrt(n_runs)
    excess = tuned.mean() - fixed[:, best].mean()
    note = (
        f"test error {100 * tuned.mean():.2f} %, best fixed alpha ({GRID[best]:g}) "
        f"{100 * fixed[:, best].mean():.2f} +- {100 * error:.2f} %, {n_runs} runs"
    )
    return row(
        f"alpha by evidence, {make.__name__[5:]} + 500",
        None,
        required="within one standard error of the best of a grid",
        note=note,
        met=bool(excess <= error),
    )


def load(name):
    with np.load(Path(os.environ["HITMISS_DATA"]) / f"{name}.npz", allow_pickle=False) as file:
        return file["X"].astype(np.float32), file["y"]


def cross_validation(n_folds):
    """The price of cross-validating a grid, in single fits."""
    X, y = load("breast_vantveer")
    X = X[:, ~np.isnan(X).any(axis=0)]
    single = seconds(lambda: LOFE(alpha=1.0, order="weight").fit(X, y), repeat=5)
    sigmas = (0.5, 1.0, 2.0, 4.0, 8.0)
    model = LOFECV(sigmas, 20, cv=n_folds)
    time = once(lambda: model.fit(X, y))
    n_models = len(sigmas) * 20 * n_folds
    note = (
        f"breast cancer, {n_models:,} models; error {100 * (1 - model.best_score_):.1f} % "
        f"at sigma {model.sigma_:g}, alpha {model.alpha_:.2g}"
    )
    result = row(
        f"LOFECV, {n_folds} folds, 20 alphas, 5 sigmas, {X.shape[0]} x {X.shape[1]:,}",
        time,
        "one LOFE fit",
        single,
        "at most 200, and under 180 s",
        note,
    )
    result["met"] = bool(time <= 200 * single and time < 180)
    return result
