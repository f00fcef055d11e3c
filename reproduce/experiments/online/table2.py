"""Online LOFE, Table 2: batch and online LOFE on sets with 5,000 irrelevant features."""

import time

import numpy as np
from sklearn.base import clone
from sklearn.svm import SVC

from hitmiss import LOFE, OnlineLOFE
from hitmiss.metrics import false_discovery_rate
from reproduce.experiments.steps import error_rates, splits, tuning
from reproduce.harness.experiment import Experiment, Key, Task

# The named ones of the eight sets; the paper's sizes are lost, these are those of the IDA ones.
SETS = {
    "twonorm": (400, 7000),
    "waveform": (400, 4600),
    "splice": (1000, 2175),
    "flare_solar": (666, 400),
    "breast_cancer": (200, 77),
}
SIGMA, ALPHA, N_PASSES = 2.0, 1.0, 20  # alpha of batch, passes of online
TOL = 0.1  # change of the weights by a pass at which sparse passes stop
SELECTORS = {
    "batch": LOFE(SIGMA, ALPHA, order="weight", n_jobs=1),
    "online": OnlineLOFE(SIGMA, n_passes=N_PASSES, passes="all", n_jobs=1, random_state=0),
    "online_sparse": OnlineLOFE(
        SIGMA, n_passes=N_PASSES, passes="sparse", tol=TOL, n_jobs=1, random_state=0
    ),
}
METHODS = ("svm_original", "svm_all", *SELECTORS)
SMALLEST = 1e-4  # weights above it are used
N_IRRELEVANT, N_RUNS = 5000, 10
QUICK = {"sets": ("breast_cancer",), "n_irrelevant": 50}
SECONDS = {"svm_original": 15, "svm_all": 5, "batch": 10, "online": 15, "online_sparse": 8}


def tasks(plan):
    """The SVM's parameters for all features are those for the original ones."""
    found = []
    for name in QUICK["sets"] if plan.quick else SETS:
        for run in range(plan.runs):
            svm = Key(name, "svm_original", run)
            found += [Task(Key(name, m, run), (svm,) * (m == "svm_all")) for m in METHODS]
    return found


def work(key, plan, needed):
    """Test error of an SVM with the features of one method."""
    n_irrelevant = QUICK["n_irrelevant"] if plan.quick else N_IRRELEVANT
    name = f"ida_{key.case}"
    split = splits.random_split(name, key.run, SETS[key.case], n_irrelevant)
    split = splits.standardized(split)
    if key.method == "svm_original":
        return tuned_error(split, np.arange(split.n_original), key.run, plan)
    if key.method == "svm_all":
        parameters = needed[Key(key.case, "svm_original", key.run)]["parameters"]
        return error_with(split, np.arange(split.X_train.shape[1]), parameters)
    began = time.process_time()
    w = clone(SELECTORS[key.method]).fit(*split.train).weights_
    spent = time.process_time() - began
    used = np.flatnonzero(w > SMALLEST)
    rate = false_discovery_rate(used, np.arange(split.n_original), len(w))
    return {
        **tuned_error(split, used, key.run, plan),
        "n_used": len(used),
        "fdr_per_1000": round(1000 * rate, 2),
        "fit_seconds": round(spent, 2),
    }


def tuned_error(split, features, run, plan):
    """Test error of an SVM with these features, tuned on them."""
    parameters = {}
    if len(features):
        parameters = tuning.tuned_svm(*split.only(features).train, run, plan)
    return error_with(split, features, parameters)


def error_with(split, features, parameters):
    """Test error of an SVM with these features and parameters."""
    error = error_rates.selected_error(features, split, SVC(**parameters))
    return {"parameters": parameters, "test": error_rates.percent([error])[0]}


EXPERIMENT = Experiment(
    name="online-table2",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=lambda key: SECONDS[key.method],
    protocol={
        "lofe": [SIGMA, ALPHA, N_PASSES, TOL],
        "smallest": SMALLEST,
        "n_irrelevant": N_IRRELEVANT,
        "sizes": SETS,
        "svm": [tuning.SVM_GRID, tuning.SVM_FOLDS],
    },
)
