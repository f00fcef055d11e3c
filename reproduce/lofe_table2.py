"""LOFE, Tables 2 and 3: seven sets hidden among 5,000 irrelevant features, six methods."""

import time

import numpy as np
from sklearn.base import clone
from sklearn.svm import SVC

from hitmiss import LOFE, BackwardElimination, IRelief, KolmogorovSmirnov, Simba
from hitmiss.metrics import false_discovery_rate
from reproduce import lofe_table2_page, lofe_table2_reasons, protocol
from reproduce.baselines.ams import AMS
from reproduce.baselines.rfe import KernelRFE
from reproduce.experiment import Experiment, Key, Task
from reproduce.lofe_table2_page import (
    EVIDENCE,
    FIXED,
    LITERAL,
    N_IRRELEVANT,
    RULES,
    SELECTORS,
    SETS,
    STRONGEST,
    TABLE2,
)

N_IRRELEVANT_AMS = 1000
SIZES = [*range(1, 31), 35, 40, 50, 60]  # numbers of features k
# Where the number of features is chosen on the training data as well; Simba is too slow.
NESTED = (*RULES, "irelief_bs", "ks", "ams_1000", "rfe_rbf")
NEEDS_LOFE = (STRONGEST, "irelief_bs")
FIXED_SIGMA, FIXED_ALPHA = 2.0, 1.0
AS_PRINTED = {"solver": "paper", "tol": 0.01, "max_iter": 10}  # Algorithm 1, which may cycle
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
    "simba": (90, 4),
    EVIDENCE: (14, 3),
}


def tasks(plan):
    """The SVM's parameters come first; what is tuned for LOFE serves others as well."""
    found = []
    for name in QUICK["sets"] if plan.quick else SETS:
        for run in range(plan.runs):
            svm, lofe = Key(name, "svm_original", run), Key(name, "lofe", run)
            found.append(Task(svm))
            for method in ("svm_all", *SELECTORS, STRONGEST, EVIDENCE, *FIXED, LITERAL):
                needs = (svm, lofe) if method in NEEDS_LOFE else (svm,)
                found.append(Task(Key(name, method, run), needs))
    return found


def work(key, plan, needed):
    """Errors of one method on one partition."""
    n_train, n_test = TABLE2["train_test"][key.case]
    n_irrelevant, sizes = N_IRRELEVANT, SIZES
    if plan.quick:
        n_test, n_irrelevant, sizes = QUICK["n_test"], QUICK["n_irrelevant"], QUICK["sizes"]
    split = protocol.standardized(
        protocol.random_split(SETS[key.case], key.run, (n_train, n_test), n_irrelevant)
    )
    if key.method == "svm_original":
        return original_features(split.only(slice(split.n_original)), key.run, plan)
    parameters = needed[Key(key.case, "svm_original", key.run)]["parameters"]
    if key.method == "svm_all":
        return svm_error(parameters, split)
    if key.method == "ams_1000":
        split = split.only(slice(split.n_original + N_IRRELEVANT_AMS))
    began = time.process_time()
    tuned, also = tuning(key, split, parameters, needed, plan)
    spent = time.process_time() - began
    record = selection(key, split, sizes, SVC(**parameters), tuned)
    return {**record, **also, "fit_seconds": round(spent + record["fit_seconds"], 3)}


def original_features(split, run, plan):
    """What an SVM could do if it knew the original features; it is tuned here once for all."""
    parameters = protocol.tuned_svm(*split.train, run, plan)
    return {"parameters": parameters, **svm_error(parameters, split)}


def svm_error(parameters, split):
    machine = SVC(**parameters).fit(*split.train)
    return {"test": protocol.percent([1 - machine.score(*split.test)])}


def selection(key, split, sizes, classifier, tuned):
    """SVM on the top-ranked features of a selector."""
    rng = protocol.generator(*key)
    began = time.process_time()
    selector, ranking = protocol.fitted(build(key, tuned), *split.train, rng)
    record = {"fit_seconds": time.process_time() - began, "parameters": tuned}
    errors = protocol.test_errors(ranking, split, classifier, sizes)
    record |= {"sizes": sizes, "test": protocol.percent(errors)}
    if key.method in NESTED:
        nested = protocol.nested_errors(
            build(key, tuned),
            split,
            classifier,
            sizes,
            rng,
            folds=protocol.folds(protocol.SIZE_FOLDS, 0),
        )
        record["nested"] = protocol.percent(nested)
        record["widened"] = protocol.percent(widened_errors(ranking, split, classifier, sizes))
    if key.method.startswith("lofe"):
        record |= own_selection(selector, ranking, split, classifier)
    return record


def widened_errors(ranking, split, svm, sizes):
    """Test errors with a gamma per feature: what was tuned for all original ones, times p / k."""
    gammas = [svm.gamma * split.n_original / k for k in sizes]
    return [
        protocol.selected_error(ranking[:k], split, clone(svm).set_params(gamma=gamma))
        for k, gamma in zip(sizes, gammas, strict=True)
    ]


def tuning(key, split, parameters, needed, plan):
    """What a selector is told (widths, penalties, costs), and what else the record keeps."""
    if key.method == "lofe":
        best, strongest = protocol.tuned_lofe(*split.train, key.run, plan)
        return best, {"strongest": strongest}
    if key.method == EVIDENCE:
        found = LOFE(FIXED_SIGMA, "evidence", n_jobs=1).fit(*split.train)
        return {"sigma": FIXED_SIGMA, "alpha": round(found.alpha_, 4)}, {}
    if key.method == LITERAL:
        return {"sigma": FIXED_SIGMA, "alpha": FIXED_ALPHA, **AS_PRINTED}, {}
    if key.method in FIXED:
        sigma, alpha = FIXED[key.method]
        return {"sigma": sigma, "alpha": alpha}, {}
    if key.method in NEEDS_LOFE:
        lofe = needed[Key(key.case, "lofe", key.run)]
        strongest = key.method == STRONGEST
        return lofe["strongest"] if strongest else {"sigma": lofe["parameters"]["sigma"]}, {}
    if key.method == "ams_1000":
        return {"C": parameters["C"]}, {}
    return parameters if key.method == "rfe_rbf" else {}, {}


def build(key, tuned):
    """The selector, not fitted."""
    if key.method.startswith("lofe"):
        return LOFE(**tuned, n_jobs=1)
    if key.method == "irelief_bs":
        return BackwardElimination(IRelief(**tuned), n_jobs=1)
    if key.method == "ks":
        return KolmogorovSmirnov(n_jobs=1)
    if key.method == "simba":
        return Simba("sigmoid", n_jobs=1, random_state=key.run)
    return AMS(**tuned) if key.method == "ams_1000" else KernelRFE(**tuned)


def own_selection(lofe, ranking, split, classifier):
    """What LOFE selects by itself, the test error with it, and that of LOFE's own rule."""
    order = np.empty_like(ranking)  # in which LOFE saw the features
    order[lofe.ranking_] = ranking
    rule = 1 - lofe.score(split.X_test[:, order], split.y_test)
    n_selected = int(lofe.get_support().sum())
    selected, n_features = ranking[:n_selected], len(ranking)
    rate = false_discovery_rate(selected, np.arange(split.n_original), n_features)
    error = protocol.selected_error(selected, split, classifier)
    return {
        "n_selected": n_selected,
        "fdr_per_1000": round(1000 * rate, 3),
        "own": protocol.percent([error])[0],
        "rule": protocol.percent([rule])[0],
    }


EXPERIMENT = Experiment(
    name="lofe-table2",
    title="LOFE, Tables 2 and 3: seven sets with 5,000 irrelevant features",
    tasks=tasks,
    work=work,
    page=lofe_table2_page.page,
    checks=lofe_table2_page.checks,
    reasons=lofe_table2_reasons.reasons,
    figures={"lofe-table2": lofe_table2_page.draw},
    runs=lofe_table2_page.N_RUNS,
    seconds=lambda key: SECONDS.get(key.method, (2, 1))[0 if key.case == "banana" else 1],
    protocol={
        "lofe": [protocol.LOFE_GRID, protocol.LOFE_FOLDS],
        "svm": [protocol.SVM_GRID, protocol.SVM_FOLDS],
        "fixed": [FIXED_SIGMA, FIXED, AS_PRINTED],
        "sizes": [SIZES, protocol.SIZE_FOLDS, TABLE2["train_test"]],
        "irrelevant": [N_IRRELEVANT, N_IRRELEVANT_AMS],
        "nested": NESTED,
    },
)
