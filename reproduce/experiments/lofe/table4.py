"""LOFE, Table 4: leave-one-out errors on microarrays, with selection inside every fold."""

import time

from sklearn.neighbors import KNeighborsClassifier

from hitmiss import LOFE, BackwardElimination, IRelief, KolmogorovSmirnov
from reproduce.experiments.steps import error_rates, seeds, shuffling, splits
from reproduce.experiments.steps.leave_one_out import fold
from reproduce.harness.experiment import Experiment, Key, Task

SETS = {  # as published -> the file, and its number of samples
    "breast_cancer": ("breast_vantveer", 97),
    "dlbcl": ("gems_dlbcl", 77),
    "prostate_cancer": ("gems_prostate_tumor", 102),
}
SIGMA, ALPHA, N_NEIGHBORS = 5.0, 1.0, 3
PUBLISHED_ONES = {
    "lofe": LOFE(SIGMA, ALPHA, order="weight", n_jobs=1),
    "irelief_bs": BackwardElimination(IRelief(SIGMA), n_jobs=1),
    "ks": KolmogorovSmirnov(n_jobs=1),
}
SELECTORS = {**PUBLISHED_ONES, "lofe_auto": LOFE(2.0, "auto", order="both", n_jobs=1)}
SIZES = list(range(1, 51))  # numbers of genes k
QUICK = {"sets": ("dlbcl",), "n_genes": 300, "n_folds": 3, "sizes": SIZES[:5]}
SECONDS = {
    "lofe": (0.6, 0.6),
    "lofe_auto": (1, 1),
    "irelief_bs": (3.5, 2.2),
    "ks": (1, 0.3),
}  # breast cancer, others


def tasks(plan):
    """A task per sample left out, for each set and method."""
    found = []
    for name in QUICK["sets"] if plan.quick else SETS:
        n_folds = QUICK["n_folds"] if plan.quick else SETS[name][1]
        found += [Task(Key(name, m, sample)) for m in SELECTORS for sample in range(n_folds)]
    return found


def work(key, plan, needed):
    """Whether 3-NN is right about the sample left out, for each number of genes."""
    n_genes, sizes = (QUICK["n_genes"], QUICK["sizes"]) if plan.quick else (None, SIZES)
    split = fold(SETS[key.case][0], key.run, n_genes)
    knn, rng = KNeighborsClassifier(N_NEIGHBORS), seeds.generator(*key)
    selector = SELECTORS[key.method]
    began = time.process_time()
    ranking = shuffling.shuffled(selector, split, rng).ranking
    spent = time.process_time() - began
    wrong = error_rates.top_errors(ranking, split, knn, sizes)
    nested = error_rates.nested_errors(
        selector, split, knn, sizes, rng, folds=splits.folds(error_rates.SIZE_FOLDS, 0)
    )
    return {
        "fit_seconds": round(spent, 3),
        "wrong": "".join(str(int(error)) for error in wrong),
        "nested": error_rates.percent(nested),
    }


EXPERIMENT = Experiment(
    name="lofe-table4",
    tasks=tasks,
    work=work,
    seconds=lambda key: SECONDS[key.method][0 if key.case == "breast_cancer" else 1],
    protocol={
        "sigma": SIGMA,
        "alpha": ALPHA,
        "n_neighbors": N_NEIGHBORS,
        "sizes": [SIZES, error_rates.SIZE_FOLDS],
        "sets": SETS,
    },
)
