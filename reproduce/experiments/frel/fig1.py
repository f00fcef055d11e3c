"""FREL, Figs. 1 and 3 to 5: stability, accuracy and their trade-off, of seven methods."""

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from hitmiss.metrics import ranking_stability
from reproduce.experiments.frel.methods import FREL_SETTINGS, OTHER_NEIGHBORS, SCALINGS, methods
from reproduce.experiments.frel.readings import LITERAL, names_of_seven
from reproduce.experiments.frel.subsampling import (
    N_MEMBERS,
    N_SAMPLES,
    SHARE,
    SIZES,
    fit_all,
    mean_ranks,
    random_rows,
    selected,
    stability_by_members,
    subsets,
)
from reproduce.experiments.steps import error_rates, seeds, splits
from reproduce.harness.experiment import Experiment, Key, Task

SETS = ("leukemia_golub", "tox_171", "prostate_singh")
N_TOP = 50  # features that are selected
N_FOLDS = 10
SCALING = "[0, 1]"
SVM_C, DEGREE = 1.0, 3  # the paper prints C of the linear SVM only
CLASSIFIERS = {
    "1NN": KNeighborsClassifier(1),
    "3NN": KNeighborsClassifier(3),
    "linear SVM": SVC(kernel="linear", C=SVM_C),
    "polynomial SVM": SVC(kernel="poly", C=SVM_C, degree=DEGREE),
}
METHODS = {
    ", ".join([name, *([solver, f"k = {k}"] if solver else [])]): method
    for (name, solver, k), method in methods().items()
}
ALONE = ("Lmba", "VR-Lmba")  # of which no ensembles are made
QUICK = {"n_genes": 300, "n_samples": 3, "n_members": 5, "n_folds": 3}


def tasks(plan):
    names, some = (SETS[:1], names_of_seven(LITERAL).values()) if plan.quick else (SETS, METHODS)
    return [Task(Key(name, method, 0)) for name in names for method in some]


def work(key, plan, needed):
    """Stability of one method, alone and as an ensemble, and its accuracy in both forms."""
    X, y = splits.dataset(key.case)
    X = np.asarray(X[:, : QUICK["n_genes"] if plan.quick else None], float)
    n_members = QUICK["n_members"] if plan.quick else N_MEMBERS
    n_members = 0 if key.method.split(", ")[0] in ALONE else n_members
    method = METHODS[key.method]
    return {
        **stability(method, SCALINGS[SCALING](X), y, n_members, plan),
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
    return {
        "alone": round(ranking_stability(single), 4),
        "ensemble": {
            by: {str(m): round(value, 4) for m, value in some.items()}
            for by, some in stability_by_members(members).items()
        },
        "selected": [selected(ranks, N_TOP).tolist() for ranks in mean_ranks(members)],
        "n_features": X.shape[1],
    }


def accuracy(method, X, y, n_members, plan):
    """Mean over the folds of the share classified right with the best features of a fold."""
    right = {form: {name: [] for name in CLASSIFIERS} for form in ("alone", "ensemble")}
    n_folds = QUICK["n_folds"] if plan.quick else N_FOLDS
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    for fold, (train, test) in enumerate(folds.split(X, y)):
        split = splits.Split(X[train], y[train], X[test], y[test], X.shape[1])
        split = splits.ranged(split)
        for form, features in best_features(method, split, fold, n_members).items():
            for name, classifier in CLASSIFIERS.items():
                error = error_rates.selected_error(features, split, classifier)
                right[form][name].append(1 - error)
    return {
        form: {name: round(float(np.mean(some)), 4) for name, some in by_name.items()}
        for form, by_name in right.items()
    }


def best_features(method, split, fold, n_members):
    """Features that the method selects alone, and as an ensemble if it has members."""
    X, y = split.train
    alone = selected(-method.weigh(X, y), N_TOP)
    if not n_members:
        return {"alone": alone, "ensemble": alone}
    rng = seeds.generator("members", fold)
    subsamples = [random_rows(np.arange(len(y)), rng) for _ in range(n_members)]
    members = np.array([method.weigh(X[rows], y[rows]) for rows in subsamples])
    return {"alone": alone, "ensemble": selected(mean_ranks(members), N_TOP)}


EXPERIMENT = Experiment(
    name="frel-fig1",
    tasks=tasks,
    work=work,
    seconds=lambda key: 20.0,
    protocol={
        "n_samples": N_SAMPLES,
        "share": SHARE,
        "n_members": N_MEMBERS,
        "sizes": SIZES,
        "scaling": SCALING,
        "frel": FREL_SETTINGS,
        "other_neighbors": OTHER_NEIGHBORS,
        "n_top": N_TOP,
        "n_folds": N_FOLDS,
        "svm": {"C": SVM_C, "degree": DEGREE},
    },
)
