"""LOFE, Table 1S: its classifier with 0 to 10,000 irrelevant features."""

from hitmiss import LOFE
from reproduce.experiments.lofe.table2 import SETS, TABLE2
from reproduce.experiments.steps import error_rates, splits
from reproduce.harness.experiment import Experiment, Key, Task

COUNTS = (0, 100, 1000, 5000, 10_000)
SIGMA, ALPHAS = 2.0, (2.0, 0.5)  # a strong penalty, and one that lets irrelevant features in
FITS = {f"{alpha:g} {n}": (alpha, n) for alpha in ALPHAS for n in COUNTS}  # by method
N_RUNS = 10
QUICK = {"sets": ("heart",), "counts": (0, 100)}


def tasks(plan):
    names, counts = (QUICK["sets"], QUICK["counts"]) if plan.quick else (SETS, COUNTS)
    return [
        Task(Key(name, method, run))
        for name in names
        for method, (_, n) in FITS.items()
        if n in counts
        for run in range(plan.runs)
    ]


def work(key, plan, needed):
    """Test error of LOFE's own rule; the irrelevant features of more include those of fewer."""
    alpha, n = FITS[key.method]
    sizes, most = TABLE2["train_test"][key.case], max(QUICK["counts"] if plan.quick else COUNTS)
    split = splits.random_split(SETS[key.case], key.run, sizes, most)
    split = split.only(slice(split.n_original + n))
    lofe = LOFE(SIGMA, alpha, order="weight", n_jobs=1).fit(*split.train)
    support = lofe.get_support()
    return {
        "test": error_rates.percent([1 - lofe.score(*split.test)])[0],
        "n_selected": int(support.sum()),
        "n_irrelevant": int(support[split.n_original :].sum()),
    }


EXPERIMENT = Experiment(
    name="lofe-table1s",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=lambda key: 0.6,
    protocol={
        "sigma": SIGMA,
        "alphas": ALPHAS,
        "counts": COUNTS,
        "sizes": TABLE2["train_test"],
    },
)
