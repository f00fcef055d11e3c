"""LOFE, Tables 2 and 3: seven sets hidden among 5,000 irrelevant features, six methods."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.svm import SVC

from hitmiss import LOFE, BackwardElimination, IRelief, KolmogorovSmirnov, Simba
from hitmiss.metrics import false_discovery_rate
from reproduce import lofe_table2_checks, lofe_table2_page, lofe_table2_reasons
from reproduce.experiments.baselines.ams import AMS
from reproduce.experiments.baselines.rfe import KernelRFE
from reproduce.experiments.steps import error_rates, seeds, shuffling, splits, tuning
from reproduce.harness.experiment import Experiment, Key, Plan, Record, Task
from reproduce.harness.section import Section
from reproduce.lofe_table2_page import (
    EVIDENCE,
    FIXED,
    LITERAL,
    MARGIN,
    N_IRRELEVANT,
    NESTED,
    SETS,
    STRONGEST,
    TABLE2,
    WEIGHTED,
)

N_IRRELEVANT_AMS = 1000
SIZES = [*range(1, 31), 35, 40, 50, 60]  # numbers of features k
NEEDS_LOFE = (STRONGEST, MARGIN, WEIGHTED, "irelief_bs")
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
    "simba": (40, 5),
    EVIDENCE: (14, 3),
    MARGIN: (14, 3),
}


class MarginOrder(BaseEstimator):
    """All features by their mean margin under the neighbors that LOFE finds.

    That is one step of I-RELIEF, every sample counting alike, from the weights of LOFE.
    """

    def __init__(self, sigma=2.0, alpha=1.0):
        self.sigma = sigma
        self.alpha = alpha

    def fit(self, X, y):
        weights = LOFE(self.sigma, self.alpha, n_jobs=1).fit(X, y).weights_
        step = IRelief(self.sigma, outliers=False, init=weights, max_iter=1, n_jobs=1)
        self.ranking_ = step.fit(X, y).ranking_
        return self


class Told(NamedTuple):
    """What the tuning of a method may look at; `lofe` is the record of LOFE, if it is needed."""

    train: tuple[np.ndarray, np.ndarray]
    run: int
    plan: Plan
    svm: dict[str, float]
    lofe: Record


class Method(NamedTuple):
    """How a method is tuned, to "parameters" and what else is kept, and built from them."""

    tune: Callable[[Told], Record]
    build: Callable[..., Any]


def cross_validated(told):
    best, strongest = tuning.tuned_lofe(*told.train, told.run, told.plan)
    return {"parameters": best, "strongest": strongest}


def largest_evidence(told):
    found = LOFE(FIXED_SIGMA, "evidence", n_jobs=1).fit(*told.train)
    return {"parameters": {"sigma": FIXED_SIGMA, "alpha": round(found.alpha_, 4)}}


def given(**parameters):
    return lambda told: {"parameters": parameters}


def irelief_bs(sigma):
    return BackwardElimination(IRelief(sigma), n_jobs=1)


lofe = partial(LOFE, n_jobs=1)
METHODS = {
    "lofe": Method(cross_validated, lofe),
    STRONGEST: Method(lambda told: {"parameters": told.lofe["strongest"]}, lofe),
    EVIDENCE: Method(largest_evidence, lofe),
    LITERAL: Method(given(sigma=FIXED_SIGMA, alpha=FIXED_ALPHA, **AS_PRINTED), lofe),
    **{name: Method(given(sigma=s, alpha=a), lofe) for name, (s, a) in FIXED.items()},
    MARGIN: Method(lambda told: {"parameters": told.lofe["parameters"]}, MarginOrder),
    "irelief_bs": Method(
        lambda told: {"parameters": {"sigma": told.lofe["parameters"]["sigma"]}}, irelief_bs
    ),
    "ks": Method(given(), partial(KolmogorovSmirnov, n_jobs=1)),
    "ams_1000": Method(lambda told: {"parameters": {"C": told.svm["C"]}}, AMS),
    "rfe_rbf": Method(lambda told: {"parameters": told.svm}, KernelRFE),
    "simba": Method(
        lambda told: {"parameters": {"random_state": told.run}},
        partial(Simba, "sigmoid", n_jobs=1),
    ),
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
    return selection(key, split, sizes, Told(split.train, key.run, plan, svm, tuned))


def original_features(split, run, plan):
    """What an SVM could do if it knew the original features; it is tuned here once for all."""
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


def selection(key, split, sizes, told):
    """SVM on the top-ranked features of a selector."""
    method, classifier = METHODS[key.method], SVC(**told.svm)
    rng = seeds.generator(*key)
    began = time.process_time()
    record = method.tune(told)
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
    selected = found.ranking[:n_selected]
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
    runs=lofe_table2_page.N_RUNS,
    seconds=lambda key: SECONDS.get(key.method, (2, 1))[0 if key.case == "banana" else 1],
    protocol={
        "lofe": [tuning.LOFE_GRID, tuning.LOFE_FOLDS],
        "svm": [tuning.SVM_GRID, tuning.SVM_FOLDS],
        "fixed": [FIXED_SIGMA, FIXED_ALPHA, FIXED, AS_PRINTED],
        "sizes": [SIZES, error_rates.SIZE_FOLDS, TABLE2["train_test"]],
        "irrelevant": [N_IRRELEVANT, N_IRRELEVANT_AMS],
        "nested": NESTED,
    },
)

SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Tables 2 and 3: seven sets with 5,000 irrelevant features",
    body=lofe_table2_page.body,
    checks=lofe_table2_checks.checks,
    reasons=lofe_table2_reasons.reasons,
    figures={"lofe-table2": lofe_table2_page.draw},
)
