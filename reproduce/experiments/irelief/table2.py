"""I-RELIEF, Table 2 and Figs. 5 and 6: nine sets, 50 irrelevant features, wrong labels."""

from typing import NamedTuple

import numpy as np

from hitmiss import IRelief, ReliefF, Simba
from hitmiss.metrics import recovery_auc, recovery_curve
from reproduce.experiments.irelief.partitions import (
    FOLDS,
    N_IRRELEVANT,
    SIZES_OF,
    fold_splits,
    folds,
    partition,
)
from reproduce.experiments.published import PUBLISHED
from reproduce.experiments.steps import error_rates, seeds, shuffling
from reproduce.experiments.steps.knn import growing_errors
from reproduce.harness.experiment import Experiment, Key, Task

TABLE = PUBLISHED["irelief_table2"]
CASES = [(row[0], row[2]) for row in TABLE["rows"]]
MULTICLASS = ("segmentation", "yeast")
N_RUNS = 20
K_GRID = [1, 3, 5, 7, 9, 13, 17, 25, 35, 49]
GRIDS = {
    "irelief": ("sigma", [5.0, 2.0, 1.0, 0.5, 0.3, 0.2, 0.1]),
    "relieff": ("n_neighbors", [10, 1, 3, 5, 20, 40, 80]),
}
SIZES = [*range(1, 21), 25, 30, 40, 50]  # numbers of features k; and all
MAX_ITER = 50  # of I-RELIEF; with a small sigma it need not converge
FALSE_SHARES = np.linspace(0, 1, 21)  # where the ROC curves are kept
QUICK = {"cases": [("heart", 10), ("segmentation", 0)], "sizes": [1, 2, 5, 10]}


def tasks(plan):
    """KNN on all features comes first; the selectors use its K."""
    found = []
    for name, percent in QUICK["cases"] if plan.quick else CASES:
        case = f"{name} {percent} %"
        for run in range(plan.runs):
            noisy = Key(case, "knn_noisy", run)
            found += [Task(noisy), Task(Key(case, "knn_clean", run))]
            found += [Task(Key(case, method, run), (noisy,)) for method in selectors_of(name)]
    return found


def selectors_of(name):
    third = "irelief_1" if name in MULTICLASS else "simba"
    return ("irelief", "relieff", third)


def work(key, plan, needed):
    """Errors of one method on one partition."""
    name, percent = key.case.split()[:2]
    split, clean_labels = partition(name, int(percent), key.run, plan)
    inner = folds(key.run, plan)
    if key.method == "knn_noisy":
        return tuned_knn(split, inner)
    if key.method == "knn_clean":
        return tuned_knn(split.only(slice(split.n_original))._replace(y_train=clean_labels), inner)
    K = needed[Key(key.case, "knn_noisy", key.run)]["K"]
    sizes = [*(QUICK["sizes"] if plan.quick else SIZES), split.X_train.shape[1]]
    rng = seeds.generator(*key)
    if key.method == "simba":  # no parameter; not in the table, and too slow for the folds
        found = shuffling.shuffled(build(key, {}), split, rng)
        return {"sizes": sizes, **tested(found, split, K, sizes)}
    return {"sizes": sizes, **selection(key, split, fold_splits(split, inner), K, sizes, rng)}


def tuned_knn(split, folds):
    """K by cross-validation, and the test error with it."""
    inner = fold_splits(split, folds)
    K = K_GRID[int(np.argmin([np.mean([knn_error(K, s) for s in inner]) for K in K_GRID]))]
    return {"K": K, "test": error_rates.percent([knn_error(K, split)])}


def knn_error(K, split, weights=1.0):
    """Test error of KNN in a weighted space."""
    scaled = split._replace(X_train=split.X_train * weights, X_test=split.X_test * weights)
    return growing_errors(scaled, K, [split.X_train.shape[1]])[0]


def selection(key, split, inner, K, sizes, rng):
    """Errors with the parameter that is best for KNN in the weighted space; and with each value."""
    name, grid = GRIDS["relieff" if key.method == "relieff" else "irelief"]
    tried = [in_folds(build(key, {name: value}), inner, K, sizes, rng) for value in grid]
    found = [shuffling.shuffled(build(key, {name: value}), split, rng) for value in grid]
    fixed = [
        growing_errors(split.only(one.ranking), K, [sizes[int(np.argmin(errors.ranked))]])[0]
        for one, errors in zip(found, tried, strict=True)
    ]
    best = int(np.argmin([errors.weighted for errors in tried]))
    return {
        "parameters": {name: grid[best]},
        "fixed": error_rates.percent(fixed),
        "nested": error_rates.percent(tried[best].ranked),
        **tested(found[best], split, K, sizes),
    }


class FoldErrors(NamedTuple):
    """Mean errors of KNN over the folds."""

    weighted: float  # in the weighted space
    ranked: np.ndarray  # with the top-ranked features, for each number of them


def in_folds(selector, inner, K, sizes, rng):
    """Errors of KNN with the weights and the ranking that a selector finds in every fold."""
    found = [(shuffling.shuffled(selector, s, rng), s) for s in inner]
    weighted = [knn_error(K, s, np.maximum(one.weights, 0)) for one, s in found]
    ranked = [growing_errors(s.only(one.ranking), K, sizes) for one, s in found]
    return FoldErrors(np.mean(weighted), np.mean(ranked, axis=0))


def tested(found, split, K, sizes):
    """Test errors of KNN on the top-ranked features, and the recovery of the original ones."""
    errors = growing_errors(split.only(found.ranking), K, sizes)
    return {"test": error_rates.percent(errors), **recovery(found.weights, split.n_original)}


def build(key, tuned):
    """The selector, not fitted."""
    if key.method == "relieff":
        return ReliefF(**tuned, n_jobs=1)
    if key.method == "simba":
        return Simba("sigmoid", n_jobs=1, random_state=key.run)
    multiclass = "per-class" if key.method == "irelief_1" else "pooled"
    return IRelief(**tuned, multiclass=multiclass, max_iter=MAX_ITER, n_jobs=1)


def recovery(weights, n_original):
    """Area under the ROC curve of original against added features, and the curve itself."""
    relevant = np.arange(n_original)
    curve = recovery_curve(weights, relevant)
    shares = np.interp(FALSE_SHARES, curve.irrelevant, curve.relevant)
    return {"auc": round(recovery_auc(weights, relevant), 4), "roc": shares.round(3).tolist()}


def seconds(key):
    """CPU seconds of one task, as measured."""
    return {"relieff": 2.0, "knn_clean": 0.2, "knn_noisy": 0.2}.get(key.method, 4.0)


EXPERIMENT = Experiment(
    name="irelief-table2",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=seconds,
    protocol={
        "grids": [K_GRID, GRIDS],
        "folds": FOLDS,
        "sizes": [SIZES, SIZES_OF],
        "n_irrelevant": N_IRRELEVANT,
        "max_iter": MAX_ITER,
    },
)
