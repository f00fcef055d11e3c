"""I-RELIEF, Figs. 7 to 9: weights of three methods, with right and with wrong labels."""

import numpy as np
from sklearn.base import clone

from reproduce.experiments.irelief import table2
from reproduce.experiments.irelief.partitions import (
    FOLDS,
    N_IRRELEVANT,
    SIZES_OF,
    fold_splits,
    folds,
    partition,
)
from reproduce.experiments.steps import seeds, shuffling
from reproduce.harness.experiment import Experiment, Key, Task

SETS = ("ringnorm", "waveform", "diabetics")
METHODS = ("irelief", "relieff", "simba")
N_NEIGHBORS = 9  # of the KNN that tunes sigma and the neighbors of RELIEF-F


def tasks(plan):
    names = SETS[2:] if plan.quick else SETS
    return [Task(Key(f"{n} {p} %", m, 0)) for n in names for p in (0, 10) for m in METHODS]


def work(key, plan, needed):
    """Weights on the first partition of Table 2, relative to the largest."""
    name, percent = key.case.split()[:2]
    split, _ = partition(name, int(percent), key.run, plan)
    tuned = parameters(key, split, plan) if key.method in table2.GRIDS else {}
    selector = clone(table2.build(key, tuned)).fit(*split.train)
    return {
        "weights": selector.feature_importances_.round(4).tolist(),
        "n_original": split.n_original,
        "parameters": tuned,
    }


def parameters(key, split, plan):
    """What cross-validation of KNN in the weighted space chooses."""
    name, grid = table2.GRIDS[key.method]
    inner = fold_splits(split, folds(key.run, plan))
    rng, errors = seeds.generator(*key), []
    for value in grid:
        selector = table2.build(key, {name: value})
        weights = [np.maximum(shuffling.shuffled(selector, s, rng).weights, 0) for s in inner]
        pairs = zip(inner, weights, strict=True)
        errors.append(np.mean([table2.knn_error(N_NEIGHBORS, s, w) for s, w in pairs]))
    return {name: grid[int(np.argmin(errors))]}


EXPERIMENT = Experiment(
    name="irelief-fig7",
    tasks=tasks,
    work=work,
    seconds=lambda key: 3.0,
    protocol={
        "n_neighbors": N_NEIGHBORS,
        "sizes": {name: SIZES_OF[name] for name in SETS},
        "n_irrelevant": N_IRRELEVANT,
        "grids": [table2.GRIDS, FOLDS],
        "max_iter": table2.MAX_ITER,
    },
)
