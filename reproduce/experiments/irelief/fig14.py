"""I-RELIEF, Fig. 14: leave-one-out errors on six microarrays."""

from sklearn.neighbors import KNeighborsClassifier

from hitmiss import IRelief, Relief, ReliefF
from reproduce.experiments.steps import error_rates, seeds, shuffling
from reproduce.experiments.steps.leave_one_out import fold
from reproduce.harness.experiment import Experiment, Key, Task

SETS = {  # file -> number of samples
    "gems_9_tumors": 60,
    "gems_brain_tumor2": 50,
    "gems_leukemia1": 72,
    "gems_srbct": 83,
    "gems_prostate_tumor": 102,
    "gems_dlbcl": 77,
}
BINARY = ("gems_prostate_tumor", "gems_dlbcl")  # where both I-RELIEFs are the same
SIGMA, N_NEIGHBORS = 5.0, 3  # as in the LOFE paper on such data; this one prints neither
PRINTED = ("relief", "irelief_1", "irelief_2")  # those of the figure
METHODS = {
    "relief": Relief(n_jobs=1),
    "irelief_1": IRelief(SIGMA, multiclass="per-class", n_jobs=1),
    "irelief_2": IRelief(SIGMA, n_jobs=1),
    "relieff": ReliefF(n_jobs=1),
    "irelief_auto": IRelief("auto", n_jobs=1),
}
# Numbers of genes k; errors with all genes come last.
SIZES = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 500]
QUICK = {"sets": ("gems_srbct",), "n_folds": 4, "n_genes": 600}


def methods_of(name):
    return [m for m in METHODS if name not in BINARY or m != "irelief_1"]


def tasks(plan):
    """A task per sample left out."""
    names = QUICK["sets"] if plan.quick else SETS
    return [
        Task(Key(name, method, sample))
        for name in names
        for method in methods_of(name)
        for sample in range(QUICK["n_folds"] if plan.quick else SETS[name])
    ]


def work(key, plan, needed):
    """Whether 3-NN is right about the sample left out, for each number of genes."""
    split = fold(key.case, key.run, QUICK["n_genes"] if plan.quick else None)
    rng = seeds.generator(*key)
    ranking = shuffling.shuffled(METHODS[key.method], split, rng).ranking
    sizes = [*SIZES, len(ranking)]
    wrong = error_rates.top_errors(ranking, split, KNeighborsClassifier(N_NEIGHBORS), sizes)
    return {"wrong": "".join(str(int(error)) for error in wrong)}


EXPERIMENT = Experiment(
    name="irelief-fig14",
    tasks=tasks,
    work=work,
    seconds=lambda key: 2.0,
    protocol={"sigma": SIGMA, "n_neighbors": N_NEIGHBORS, "sizes": SIZES, "sets": SETS},
)
