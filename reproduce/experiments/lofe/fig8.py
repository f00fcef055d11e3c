"""LOFE, Fig. 8: weights with and without 5,000 irrelevant features."""

import numpy as np

from hitmiss import LOFE
from reproduce.experiments.lofe.table2 import N_IRRELEVANT, SETS, TABLE2
from reproduce.experiments.steps import splits
from reproduce.harness.experiment import Experiment, Key, Task

SIGMA, ALPHA = 2.0, 1.0
QUICK = {"sets": ("thyroid",), "n_irrelevant": 100}


def tasks(plan):
    names = QUICK["sets"] if plan.quick else SETS
    return [Task(Key(name, which, 0)) for name in names for which in ("original", "all")]


def work(key, plan, needed):
    """Weights on the first partition of Table 2, relative to the largest."""
    n_irrelevant = QUICK["n_irrelevant"] if plan.quick else N_IRRELEVANT
    sizes = TABLE2["train_test"][key.case]
    split = splits.random_split(SETS[key.case], 0, sizes, n_irrelevant)
    if key.method == "original":
        split = split.only(slice(split.n_original))
    lofe = LOFE(SIGMA, ALPHA, order="weight", n_jobs=1).fit(*split.train)
    w = lofe.feature_importances_
    added = np.flatnonzero(w[split.n_original :]) + split.n_original
    return {
        "weights": w[: split.n_original].round(4).tolist(),
        "others": {int(j): round(float(w[j]), 4) for j in added},
    }


EXPERIMENT = Experiment(
    name="lofe-fig8",
    tasks=tasks,
    work=work,
    seconds=lambda key: 3.0,
    protocol={
        "n_irrelevant": N_IRRELEVANT,
        "sigma": SIGMA,
        "alpha": ALPHA,
        "sizes": TABLE2["train_test"],
    },
)
