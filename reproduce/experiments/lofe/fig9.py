"""LOFE, Fig. 9: weights of three methods on breast cancer, and time by number of genes."""

import time

import numpy as np
from scipy.stats import ttest_ind
from sklearn.base import clone

from reproduce.experiments.lofe.table4 import ALPHA, PUBLISHED_ONES, SIGMA
from reproduce.experiments.steps.leave_one_out import fold
from reproduce.harness.experiment import Experiment, Key, Task

SET, FIRST = "breast_vantveer", 0  # the sample left out: the weights are those of a fold
COUNTS = (500, 1000, 2000, 5000, 10_000, 24_481)
N_SHOWN = 200  # genes of smallest p-value in the picture
N_TOP = 10  # genes of each method whose correlation is measured
N_FITS = 5  # whose median time is given
QUICK_GENES = 300


def tasks(plan):
    counts = (QUICK_GENES,) if plan.quick else COUNTS
    weights = [Task(Key("weights", method, 0)) for method in PUBLISHED_ONES]
    return weights + [Task(Key("time", str(n), 0)) for n in counts]


def work(key, plan, needed):
    """Relative weights of the genes with the smallest p-values, or the time of a fit."""
    X, y = fold(SET, FIRST, QUICK_GENES if plan.quick else None).train
    order = np.argsort(p_values(X, y), kind="stable")
    method, n = (key.method, len(order)) if key.case == "weights" else ("lofe", int(key.method))
    X = X[:, order[:n]]
    spent = []
    for _ in range(N_FITS):
        began = time.process_time()
        w = clone(PUBLISHED_ONES[method]).fit(X, y).feature_importances_
        spent.append(time.process_time() - began)
    return {
        "weights": w[:N_SHOWN].round(4).tolist(),
        "n": int((w > 0.01).sum()),
        "alike": round(alike(X[:, np.argsort(-w, kind="stable")[:N_TOP]]), 4),
        "fit_seconds": round(float(np.median(spent)), 3),
    }


def alike(X):
    """Mean absolute correlation between two features."""
    correlations = np.abs(np.corrcoef(X.T))
    return float(correlations[np.triu_indices_from(correlations, k=1)].mean())


def p_values(X, y):
    """p of a t-test between the classes for every gene; 1 for a constant one."""
    first = y == y[0]
    varies = np.ptp(X, axis=0) > 0
    found = np.ones(X.shape[1])
    found[varies] = ttest_ind(X[first][:, varies], X[~first][:, varies]).pvalue
    return found


EXPERIMENT = Experiment(
    name="lofe-fig9",
    tasks=tasks,
    work=work,
    seconds=lambda key: 4.0,
    protocol={
        "left_out": [SET, FIRST],
        "lofe": [SIGMA, ALPHA],
        "counts": COUNTS,
        "n_top": N_TOP,
        "n_fits": N_FITS,
    },
)
