"""I-RELIEF, Table 2 and Figs. 5 and 6: nine sets, 50 irrelevant features, wrong labels."""

from typing import NamedTuple

import numpy as np

from hitmiss import IRelief, ReliefF, Simba
from hitmiss.metrics import recovery_auc, recovery_curve
from reproduce import irelief_table2_page
from reproduce.experiments.steps import error_rates, seeds, shuffling, splits
from reproduce.experiments.steps.knn import growing_errors
from reproduce.harness.experiment import Experiment, Key, Task
from reproduce.harness.section import Section
from reproduce.irelief_table2_page import (
    CASES,
    FALSE_SHARES,
    GRIDS,
    K_GRID,
    MULTICLASS,
    SIZES_OF,
)

N_IRRELEVANT = 50
SIZES = [*range(1, 21), 25, 30, 40, 50]  # numbers of features k; and all
FOLDS = 10
MAX_ITER = 50  # of I-RELIEF; with a small sigma it need not converge
QUICK = {
    "cases": [("heart", 10), ("segmentation", 0)],
    "sizes": [1, 2, 5, 10],
    "n_test": 100,
    "n_folds": 3,
}


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


def partition(name, percent, run, plan):
    """Partition with wrong labels in its training part, and the right ones."""
    n_train, n_test = SIZES_OF[name]
    n_test = QUICK["n_test"] if plan.quick else n_test
    split = splits.random_split(
        irelief_table2_page.SETS[name], run, (n_train, n_test), N_IRRELEVANT
    )
    wrong = mislabeled(split.y_train, percent / 100, seeds.generator("labels", name, run))
    return splits.ranged(split._replace(y_train=wrong)), split.y_train


def mislabeled(y, share, rng):
    """Labels of which this share, chosen at random, is changed to another class."""
    classes, codes = np.unique(y, return_inverse=True)
    chosen = rng.permutation(len(y))[: round(share * len(y))]
    steps = rng.integers(1, len(classes), len(chosen))
    codes[chosen] = (codes[chosen] + steps) % len(classes)
    return classes[codes]


def folds(run, plan):
    return splits.folds(QUICK["n_folds"] if plan.quick else FOLDS, run)


def tuned_knn(split, folds):
    """K by cross-validation, and the test error with it."""
    inner = fold_splits(split, folds)
    K = K_GRID[int(np.argmin([np.mean([knn_error(K, s) for s in inner]) for K in K_GRID]))]
    return {"K": K, "test": error_rates.percent([knn_error(K, split)])}


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
    """Errors of KNN with what a selector says in every fold."""
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
    """As measured."""
    return {"relieff": 2.0, "knn_clean": 0.2, "knn_noisy": 0.2}.get(key.method, 4.0)


EXPERIMENT = Experiment(
    name="irelief-table2",
    tasks=tasks,
    work=work,
    runs=irelief_table2_page.N_RUNS,
    seconds=seconds,
    protocol={
        "grids": [K_GRID, GRIDS],
        "folds": FOLDS,
        "sizes": [SIZES, SIZES_OF],
        "n_irrelevant": N_IRRELEVANT,
        "max_iter": MAX_ITER,
    },
)

SECTION = Section(
    experiment=EXPERIMENT,
    title="I-RELIEF, Table 2 and Figs. 5 and 6: nine sets with 50 irrelevant features",
    body=irelief_table2_page.body,
    checks=irelief_table2_page.checks,
    reasons=irelief_table2_page.reasons,
    figures={
        "irelief-fig5": irelief_table2_page.draw_errors,
        "irelief-fig6": irelief_table2_page.draw_recovery,
    },
)
