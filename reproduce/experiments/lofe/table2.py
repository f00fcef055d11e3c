"""LOFE, Tables 2 and 3: seven sets hidden among 5,000 irrelevant features, six methods."""

import time

import numpy as np
from sklearn.base import clone
from sklearn.svm import SVC

from hitmiss import LOFE
from hitmiss.metrics import false_discovery_rate
from reproduce.experiments.lofe.table2_methods import (
    AS_PRINTED,
    AUTO,
    BOTH,
    EVIDENCE,
    FIXED,
    FIXED_ALPHA,
    FIXED_SIGMA,
    MARGIN,
    METHODS,
    NEEDS_LOFE,
    ORDERED,
    SELECTORS,
    STRONGEST,
    WEIGHTED,
    TuningData,
    lofe,
)
from reproduce.experiments.published import PUBLISHED
from reproduce.experiments.steps import error_rates, seeds, shuffling, splits, tuning
from reproduce.harness.experiment import Experiment, Key, Task

TABLE2 = PUBLISHED["lofe_table2"]
SETS = {name: f"ida_{name}" for name in TABLE2["train_test"]} | {"diabetics": "ida_diabetis"}
N_RUNS = 10
N_IRRELEVANT, N_IRRELEVANT_AMS = 5000, 1000
SIZES = [*range(1, 31), 35, 40, 50, 60]  # numbers of features k
# Where the number of features is chosen on the training data as well.
NESTED = (*SELECTORS, STRONGEST, EVIDENCE, MARGIN, BOTH, AUTO)
QUICK = {"sets": ("thyroid",), "n_test": 75, "n_irrelevant": 100, "sizes": [1, 2, 3, 5, 10]}
# CPU seconds of one task, as measured: banana, and the others.
SECONDS = {
    "svm_original": (3, 2),
    "svm_all": (1, 1),
    "lofe": (130, 16),
    "irelief_bs": (15, 3),
    "ks": (5, 1),
    "ams_1000": (18, 3),
    "rfe_rbf": (25, 3),
    "simba": (40, 5),
    EVIDENCE: (14, 3),
    MARGIN: (14, 3),
    BOTH: (14, 3),
    AUTO: (14, 3),
}


def tasks(plan):
    """The SVM's parameters come first; what is tuned for LOFE serves others as well."""
    found = []
    for name in QUICK["sets"] if plan.quick else SETS:
        for run in range(plan.runs):
            svm, tuned = Key(name, "svm_original", run), Key(name, "lofe", run)
            found.append(Task(svm))
            for method in ("svm_all", *METHODS, WEIGHTED):
                needs = (svm, tuned) if method in NEEDS_LOFE else (svm,)
                found.append(Task(Key(name, method, run), needs))
    return found


def work(key, plan, needed):
    """Errors of one method on one partition."""
    n_train, n_test = TABLE2["train_test"][key.case]
    n_irrelevant, sizes = N_IRRELEVANT, SIZES
    if plan.quick:
        n_test, n_irrelevant, sizes = QUICK["n_test"], QUICK["n_irrelevant"], QUICK["sizes"]
    split = splits.standardized(
        splits.random_split(SETS[key.case], key.run, (n_train, n_test), n_irrelevant)
    )
    if key.method == "svm_original":
        return original_features(split.only(slice(split.n_original)), key.run, plan)
    svm = needed[Key(key.case, "svm_original", key.run)]["parameters"]
    if key.method == "svm_all":
        return svm_error(svm, split)
    tuned = needed.get(Key(key.case, "lofe", key.run), {})
    if key.method == WEIGHTED:
        return weighted_error(tuned["parameters"], svm, split)
    if key.method == "ams_1000":
        split = split.only(slice(split.n_original + N_IRRELEVANT_AMS))
    return selection(key, split, sizes, TuningData(split.train, key.run, plan, svm, tuned))


def original_features(split, run, plan):
    """Parameters of the SVM tuned on the original features, for all methods, and its error."""
    parameters = tuning.tuned_svm(*split.train, run, plan)
    return {"parameters": parameters, **svm_error(parameters, split)}


def svm_error(parameters, split):
    machine = SVC(**parameters).fit(*split.train)
    return {"test": error_rates.percent([1 - machine.score(*split.test)])}


def weighted_error(tuned, svm, split):
    """SVM on the features that LOFE selects by itself, times their weights."""
    selector = lofe(**tuned).fit(*split.train)
    weights = selector.feature_importances_
    weighted = split._replace(X_train=split.X_train * weights, X_test=split.X_test * weights)
    error = error_rates.selected_error(selector.get_support(indices=True), weighted, SVC(**svm))
    return {"own": error_rates.percent([error])[0]}


def selection(key, split, sizes, data):
    """SVM on the top-ranked features of a selector."""
    method, classifier = METHODS[key.method], SVC(**data.svm)
    rng = seeds.generator(*key)
    began = time.process_time()
    record = method.tune(data)
    selector = method.build(**record["parameters"])
    found = shuffling.shuffled(selector, split, rng)
    record["fit_seconds"] = round(time.process_time() - began, 3)
    ranking = found.ranking
    errors = error_rates.top_errors(ranking, split, classifier, sizes)
    record |= {"sizes": sizes, "test": error_rates.percent(errors)}
    if key.method in NESTED:
        folds = splits.folds(error_rates.SIZE_FOLDS, 0)
        nested = error_rates.nested_errors(selector, split, classifier, sizes, rng, folds=folds)
        record["nested"] = error_rates.percent(nested)
        record["widened"] = error_rates.percent(widened_errors(ranking, split, classifier, sizes))
    if isinstance(selector, LOFE):
        record |= own_selection(found, split, classifier)
    return record


def widened_errors(ranking, split, svm, sizes):
    """Test errors with a gamma per feature: what was tuned for all original ones, times p / k."""
    gammas = [svm.gamma * split.n_original / k for k in sizes]
    return [
        error_rates.selected_error(ranking[:k], split, clone(svm).set_params(gamma=gamma))
        for k, gamma in zip(sizes, gammas, strict=True)
    ]


def own_selection(found, split, classifier):
    """What LOFE selects by itself, the test error with it, and that of LOFE's own rule."""
    n_selected, n_features = len(found.selected), split.X_train.shape[1]
    selected = found.selected
    rate = false_discovery_rate(selected, np.arange(split.n_original), n_features)
    error = error_rates.selected_error(selected, split, classifier)
    return {
        "n_selected": n_selected,
        "fdr_per_1000": round(1000 * rate, 3),
        "own": error_rates.percent([error])[0],
        "rule": error_rates.percent([1 - found.score(*split.test)])[0],
    }


EXPERIMENT = Experiment(
    name="lofe-table2",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=lambda key: SECONDS.get(key.method, (2, 1))[0 if key.case == "banana" else 1],
    protocol={
        "lofe": [tuning.LOFE_GRID, tuning.LOFE_FOLDS],
        "svm": [tuning.SVM_GRID, tuning.SVM_FOLDS],
        "fixed": [FIXED_SIGMA, FIXED_ALPHA, FIXED, AS_PRINTED],
        "sizes": [SIZES, error_rates.SIZE_FOLDS, TABLE2["train_test"]],
        "irrelevant": [N_IRRELEVANT, N_IRRELEVANT_AMS],
        "nested": NESTED,
        "orders": [ORDERED, AUTO],
    },
)
