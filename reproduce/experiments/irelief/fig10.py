"""I-RELIEF, Figs. 10 and 11: kernel widths, convergence, random starts."""

from hitmiss import IRelief
from reproduce.experiments.irelief.partitions import N_IRRELEVANT, SIZES_OF, partition
from reproduce.experiments.steps import seeds
from reproduce.harness.experiment import Experiment, Key, Task

SIGMAS = {f"sigma {sigma:g}": sigma for sigma in (0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0)}  # by method
SETS = ("twonorm", "waveform")
START_SET, START, N_STARTS = "waveform", "sigma 1", 10
MAX_ITER = IRelief().max_iter


def tasks(plan):
    """Fig. 10 and 11a: every width; 11b: the uniform start and random ones."""
    widths = [Task(Key(name, method, 0)) for name in SETS for method in SIGMAS]
    n_starts = 2 if plan.quick else N_STARTS
    return [*widths, *(Task(Key("starts", "random", run)) for run in range(n_starts))]


def work(key, plan, needed):
    """Weights and steps of one fit."""
    name, method = (START_SET, START) if key.case == "starts" else (key.case, key.method)
    split, _ = partition(name, 0, 0, plan)
    X, y = split.train
    init = seeds.generator(*key).random(X.shape[1]) if key.case == "starts" else None
    irelief = IRelief(SIGMAS[method], init=init, n_jobs=1).fit(X, y)
    return {
        "weights": irelief.weights_.round(5).tolist(),
        "converged": bool(irelief.converged_),
        "steps": [float(f"{row['step']:.2e}") for row in irelief.history_],
    }


EXPERIMENT = Experiment(
    name="irelief-fig10",
    tasks=tasks,
    work=work,
    seconds=lambda key: 1.0,
    protocol={
        "sigmas": list(SIGMAS.values()),
        "max_iter": MAX_ITER,
        "starts": [START_SET, SIGMAS[START], N_STARTS],
        "sizes": {name: SIZES_OF[name] for name in SETS},
        "n_irrelevant": N_IRRELEVANT,
    },
)
