"""FREL, Figs. 1 and 3 to 5: stability, accuracy and their trade-off, of seven methods."""

import numpy as np
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from benchmarks.stability_table import SCALINGS, fit_all, methods, stabilities, subsets, weigh
from hitmiss.metrics import nogueira_stability
from reproduce import frel_fig1_page, protocol
from reproduce.experiment import Experiment, Key, Task
from reproduce.frel_fig1_page import N_TOP, SETS

N_MEMBERS, SHARE, N_FOLDS = 20, 0.9, 10
CLASSIFIERS = {
    "1NN": KNeighborsClassifier(1),
    "3NN": KNeighborsClassifier(3),
    "linear SVM": SVC(kernel="linear", C=1.0),
    "polynomial SVM": SVC(kernel="poly", C=1.0),
}
METHODS = {
    ", ".join([name, *([solver, f"k = {k}"] if solver else [])]): method
    for (name, solver, k), method in methods().items()
}
ALONE = ("Lmba", "VR-Lmba")  # of which no ensembles are made
QUICK = {
    "methods": ["Relief", "Fisher", "Log+L1, paper, k = 1", "Log+L2, paper, k = 1"],
    "n_genes": 300,
    "n_samples": 3,
    "n_members": 5,
    "n_folds": 3,
}


def tasks(plan):
    names, some = (SETS[:1], QUICK["methods"]) if plan.quick else (SETS, METHODS)
    return [Task(Key(name, method, 0)) for name in names for method in some]


def work(key, plan, needed):
    """Stability of one method, alone and as an ensemble, and its accuracy in both forms."""
    X, y = protocol.dataset(key.case)
    X = np.asarray(X[:, : QUICK["n_genes"] if plan.quick else None], float)
    n_members = QUICK["n_members"] if plan.quick else N_MEMBERS
    n_members = 0 if key.method.split(", ")[0] in ALONE else n_members
    method = METHODS[key.method]
    return {
        **stability(method, SCALINGS["[0, 1]"](X), y, n_members, plan),
        "accuracy": accuracy(method, X, y, n_members, plan),
    }


def stability(method, X, y, n_members, plan):
    """Every reading of stability; labels are used, but nothing is predicted.

    Without members the ensemble is the method by itself.
    """
    draws = subsets(len(y), n_members=n_members)
    draws = draws[: QUICK["n_samples"]] if plan.quick else draws
    single, members = fit_all(method, X, y, draws)
    members = members if n_members else single[:, None]
    found = stabilities(single, members)
    return {
        "alone": round(found["single"], 4),
        "ranks, Spearman": round(found["ranks"], 4),
        "ranks, eq. 22": round(found["eq. 22"], 4),
        "growth": {str(m): round(value, 4) for m, value in found["growth"].items()},
        "selection": selection_stability(-mean_ranks(members)),
    }


def mean_ranks(members):
    """Mean over the members of the ranks of their features, 1 for the largest weight."""
    return rankdata(-members, axis=-1).mean(axis=-2)


def selection_stability(scores):
    """Nogueira's measure of the best features of every subsample, with its interval."""
    supports = np.zeros(scores.shape, bool)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :N_TOP]
    np.put_along_axis(supports, best, True, axis=1)
    found = nogueira_stability(supports)
    return [round(float(v), 4) for v in (found.stability, found.lower, found.upper)]


def accuracy(method, X, y, n_members, plan):
    """Share classified right with the best features, by cross-validation around everything."""
    right = {form: {name: [] for name in CLASSIFIERS} for form in ("alone", "ensemble")}
    n_folds = QUICK["n_folds"] if plan.quick else N_FOLDS
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    for fold, (train, test) in enumerate(folds.split(X, y)):
        split = protocol.Split(X[train], y[train], X[test], y[test], X.shape[1])
        split = protocol.ranged(split)
        for form, ranking in rankings(method, split, fold, n_members).items():
            top = split.only(ranking[:N_TOP])
            for name, classifier in CLASSIFIERS.items():
                right[form][name].extend(classifier.fit(*top.train).predict(top.X_test) == y[test])
    return {
        form: {name: round(float(np.mean(some)), 4) for name, some in by_name.items()}
        for form, by_name in right.items()
    }


def rankings(method, split, fold, n_members):
    """Features, best first, by the method alone and by its ensemble, if it has members."""
    (estimator, options), (X, y) = method, split.train
    rng = protocol.generator("members", fold)
    size = int(np.ceil(SHARE * len(y)))
    members = []
    for _ in range(n_members):
        rows = rng.permutation(len(y))[:size]
        members.append(weigh(estimator, X[rows], y[rows], **options))
    alone = np.argsort(-weigh(estimator, X, y, **options), kind="stable")
    if not members:
        return {"alone": alone, "ensemble": alone}
    return {"alone": alone, "ensemble": np.argsort(mean_ranks(np.array(members)), kind="stable")}


EXPERIMENT = Experiment(
    name="frel-fig1",
    title="FREL, Figs. 1 and 3 to 5: stability and accuracy",
    tasks=tasks,
    work=work,
    page=frel_fig1_page.page,
    checks=frel_fig1_page.checks,
    reasons=frel_fig1_page.reasons,
    figures={"frel-fig1": frel_fig1_page.draw},
    seconds=lambda key: 20.0,
    protocol={"n_members": N_MEMBERS, "n_top": N_TOP, "n_folds": N_FOLDS},
)
