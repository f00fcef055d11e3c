"""Online LOFE, Fig. 2: the tuned penalty against fixed ones, and from different starts."""

import numpy as np

from hitmiss import OnlineLOFE
from reproduce.experiments.online.table2 import (
    N_IRRELEVANT,
    N_PASSES,
    SETS,
    SIGMA,
    SMALLEST,
    tuned_error,
)
from reproduce.experiments.steps import splits, tuning
from reproduce.harness.experiment import Experiment, Key, Task

COMPARED = ("twonorm", "waveform")
ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0)
STARTS = (0.1, 1.0, 10.0)  # on waveform
N_RUNS, N_POINTS = 10, 60
QUICK = {"sizes": (100, 300), "n_irrelevant": 50, "alphas": ALPHAS[2:3], "n_passes": 3}


def tasks(plan):
    alphas = [*(QUICK["alphas"] if plan.quick else ALPHAS), "evidence"]
    fits = [
        Task(Key(name, str(alpha), run))
        for name in COMPARED
        for alpha in alphas
        for run in range(plan.runs)
    ]
    return fits + [Task(Key("starts", str(start), 0)) for start in STARTS]


def work(key, plan, needed):
    """Test error with one penalty, or the path of the tuned one from one start."""
    name = COMPARED[1] if key.case == "starts" else key.case
    sizes, n_irrelevant = SETS[name], N_IRRELEVANT
    options = {"n_jobs": 1, "random_state": key.run, "n_passes": N_PASSES}
    if plan.quick:
        sizes, n_irrelevant = QUICK["sizes"], QUICK["n_irrelevant"]
        options["n_passes"] = QUICK["n_passes"]
    split = splits.standardized(splits.random_split(f"ida_{name}", key.run, sizes, n_irrelevant))
    if key.case == "starts":
        online = OnlineLOFE(SIGMA, alpha_start=float(key.method), **options).fit(*split.train)
        return {"path": thinned(online.alpha_path_)}
    alpha = key.method if key.method == "evidence" else float(key.method)
    online = OnlineLOFE(SIGMA, alpha, **options).fit(*split.train)
    used = np.flatnonzero(online.weights_ > SMALLEST)
    error = tuned_error(split, used, key.run, plan)
    return {**error, "n_used": len(used), "alpha": round(float(online.alpha_), 4)}


def thinned(path):
    """About N_POINTS rows of a path, the last among them."""
    rows = np.unique(np.linspace(0, len(path) - 1, N_POINTS).round().astype(int))
    return [[int(n), float(f"{alpha:.4g}")] for n, alpha in np.asarray(path)[rows]]


EXPERIMENT = Experiment(
    name="online-fig2",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=lambda key: 40.0,
    protocol={
        "sigma": SIGMA,
        "alphas": ALPHAS,
        "starts": STARTS,
        "n_passes": N_PASSES,
        "smallest": SMALLEST,
        "n_irrelevant": N_IRRELEVANT,
        "sizes": {name: SETS[name] for name in COMPARED},
        "svm": [tuning.SVM_GRID, tuning.SVM_FOLDS],
    },
)
