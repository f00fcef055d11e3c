"""I-RELIEF, Table 2 and Figs. 5 and 6: nine sets, 50 irrelevant features, wrong labels."""

from typing import NamedTuple

import numpy as np

from hitmiss import IRelief, ReliefF, Simba
from hitmiss.metrics import recovery_auc, recovery_curve
from reproduce import irelief_table2_page, protocol
from reproduce.experiment import Experiment, Key, Task
from reproduce.irelief_table2_page import (
    CASES,
    FALSE_SHARES,
    K_GRID,
    MULTICLASS,
    NEIGHBORS_GRID,
    SIGMA_GRID,
    SIZES_OF,
)
from reproduce.nearest import growing_errors

N_IRRELEVANT = 50
SIZES = [*range(1, 21), 25, 30, 40, 50]  # numbers of features k; and all
FOLDS = 10
QUICK = {
    "cases": [("heart", 10), ("segmentation", 0)],
    "sizes": [1, 2, 5, 10],
    "n_test": 100,
    "n_folds": 3,
}


def tasks(plan):
    """The number K of KNN comes first; it is that of the original features."""
    found = []
    for name, percent in QUICK["cases"] if plan.quick else CASES:
        case = f"{name} {percent} %"
        for run in range(plan.runs):
            clean = Key(case, "knn_clean", run)
            found.append(Task(clean))
            for method in ("knn_noisy", *selectors_of(name)):
                found.append(Task(Key(case, method, run), (clean,)))
    return found


def selectors_of(name):
    third = "irelief_1" if name in MULTICLASS else "simba"
    return ("irelief", "relieff", third)


def work(key, plan, needed):
    """Errors of one method on one partition."""
    name, percent = key.case.split()[:2]
    split, clean_labels = partition(name, int(percent), key.run, plan)
    if key.method == "knn_clean":
        return clean_errors(split, clean_labels, folds(key.run, plan))
    K = needed[Key(key.case, "knn_clean", key.run)]["K"]
    if key.method == "knn_noisy":
        return {"test": protocol.percent([knn_error(K, split)])}
    return selection(key, split, K, plan)


def partition(name, percent, run, plan):
    """Partition with wrong labels in its training part, and the right ones."""
    n_train, n_test = SIZES_OF[name]
    n_test = QUICK["n_test"] if plan.quick else n_test
    split = protocol.random_split(
        irelief_table2_page.SETS[name], run, (n_train, n_test), N_IRRELEVANT
    )
    wrong = mislabeled(split.y_train, percent / 100, protocol.generator("labels", name, run))
    return protocol.ranged(split._replace(y_train=wrong)), split.y_train


def mislabeled(y, share, rng):
    """Labels of which this share, chosen at random, is changed to another class."""
    classes, codes = np.unique(y, return_inverse=True)
    chosen = rng.permutation(len(y))[: round(share * len(y))]
    steps = rng.integers(1, len(classes), len(chosen))
    codes[chosen] = (codes[chosen] + steps) % len(classes)
    return classes[codes]


def folds(run, plan):
    return protocol.folds(QUICK["n_folds"] if plan.quick else FOLDS, run)


def clean_errors(split, clean_labels, folds):
    """KNN on the original features and right labels; K by cross-validation on the given labels."""
    original = split.only(slice(split.n_original))
    inner = fold_splits(original, folds)
    K = K_GRID[int(np.argmin([np.mean([knn_error(K, s) for s in inner]) for K in K_GRID]))]
    right = original._replace(y_train=clean_labels)
    return {"K": K, "test": protocol.percent([knn_error(K, right)])}


def fold_splits(split, folds):
    """The training data of a split, as one split per fold."""
    X, y = split.train
    return [
        split._replace(X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test])
        for train, test in folds.split(X, y)
    ]


def knn_error(K, split, weights=1.0):
    """Test error of KNN in a weighted space."""
    scaled = split._replace(X_train=split.X_train * weights, X_test=split.X_test * weights)
    return growing_errors(scaled, K, [split.X_train.shape[1]])[0]


class Weighed(NamedTuple):
    """What a selector says of the features: their weights, and all of them, best first."""

    weights: np.ndarray
    ranking: np.ndarray


def weighed(selector, split, rng):
    fitted, ranking = protocol.fitted(selector, *split.train, rng)
    weights = np.empty(len(ranking))
    weights[ranking] = fitted.weights_[fitted.ranking_]
    return Weighed(weights, ranking)


def selection(key, split, K, plan):
    """KNN on the top-ranked features, and the recovery of the original ones."""
    sizes = [*(QUICK["sizes"] if plan.quick else SIZES), split.X_train.shape[1]]
    rng = protocol.generator(*key)
    inner = fold_splits(split, folds(key.run, plan))
    tuned, in_folds = tuning(key, inner, K, rng)
    found = weighed(build(key, tuned), split, rng)
    record = {
        "parameters": tuned,
        "sizes": sizes,
        "test": protocol.percent(growing_errors(split.only(found.ranking), K, sizes)),
        **recovery(found.weights, split.n_original),
    }
    if in_folds:
        nested = [
            growing_errors(s.only(f.ranking), K, sizes)
            for f, s in zip(in_folds, inner, strict=True)
        ]
        record["nested"] = protocol.percent(np.mean(nested, axis=0))
    return record


def tuning(key, inner, K, rng):
    """Sigma, or the number of neighbors, by KNN in the weighted space; and what the folds say."""
    if key.method == "simba":  # not in the table, and slow
        return {}, []
    name, grid = (
        ("n_neighbors", NEIGHBORS_GRID) if key.method == "relieff" else ("sigma", SIGMA_GRID)
    )
    found = [[weighed(build(key, {name: value}), s, rng) for s in inner] for value in grid]
    errors = [
        np.mean(
            [knn_error(K, s, np.maximum(f.weights, 0)) for f, s in zip(some, inner, strict=True)]
        )
        for some in found
    ]
    best = int(np.argmin(errors))
    return {name: grid[best]}, found[best]


def build(key, tuned):
    """The selector, not fitted."""
    if key.method == "relieff":
        return ReliefF(**tuned, n_jobs=1)
    if key.method == "simba":
        return Simba("sigmoid", n_jobs=1, random_state=key.run)
    multiclass = "per-class" if key.method == "irelief_1" else "pooled"
    return IRelief(**tuned, multiclass=multiclass, n_jobs=1)


def recovery(weights, n_original):
    """Area under the ROC curve of original against added features, and the curve itself."""
    relevant = np.arange(n_original)
    curve = recovery_curve(weights, relevant)
    shares = np.interp(FALSE_SHARES, curve.irrelevant, curve.relevant)
    return {"auc": round(recovery_auc(weights, relevant), 4), "roc": shares.round(3).tolist()}


def seconds(key):
    """As measured."""
    return {"relieff": 0.5, "knn_clean": 0.2, "knn_noisy": 0.1}.get(key.method, 2.0)


EXPERIMENT = Experiment(
    name="irelief-table2",
    title="I-RELIEF, Table 2 and Figs. 5 and 6: nine sets with 50 irrelevant features",
    tasks=tasks,
    work=work,
    page=irelief_table2_page.page,
    checks=irelief_table2_page.checks,
    reasons=irelief_table2_page.reasons,
    figures={
        "irelief-fig5": irelief_table2_page.draw_errors,
        "irelief-fig6": irelief_table2_page.draw_recovery,
    },
    runs=irelief_table2_page.N_RUNS,
    seconds=seconds,
    protocol={
        "grids": [K_GRID, SIGMA_GRID, NEIGHBORS_GRID],
        "folds": FOLDS,
        "sizes": SIZES,
        "n_irrelevant": N_IRRELEVANT,
    },
)
