"""LOFE, Table 1S: its classifier with 0 to 10,000 irrelevant features."""

import numpy as np

from hitmiss import LOFE
from reproduce import protocol
from reproduce.experiment import Experiment, Key, Task
from reproduce.lofe_table2_page import SETS, TABLE2, sets_in
from reproduce.page import table
from reproduce.statistics import mean_of, values

COUNTS = (0, 100, 1000, 5000, 10_000)
SIGMA, ALPHA = 2.0, 2.0
N_RUNS = 10
QUICK = {"sets": ("heart",), "counts": (0, 100)}


def tasks(plan):
    names, counts = (QUICK["sets"], QUICK["counts"]) if plan.quick else (SETS, COUNTS)
    return [
        Task(Key(name, str(n), run)) for name in names for n in counts for run in range(plan.runs)
    ]


def work(key, plan, needed):
    """Test error of LOFE's own rule; the irrelevant features of more include those of fewer."""
    sizes, most = TABLE2["train_test"][key.case], max(QUICK["counts"] if plan.quick else COUNTS)
    split = protocol.random_split(SETS[key.case], key.run, sizes, most)
    split = split.only(slice(split.n_original + int(key.method)))
    lofe = LOFE(SIGMA, ALPHA, n_jobs=1).fit(*split.train)
    return {
        "test": protocol.percent([1 - lofe.score(*split.test)])[0],
        "n_selected": int(lofe.get_support().sum()),
    }


def page(records):
    """Error by number of irrelevant features, and how much it moves."""
    counts = sorted({int(key.method) for key in records})
    rows = []
    for name in sets_in(records):
        means = [mean_of(values(records, name, str(n), "test")) for n in counts]
        rows.append([name, *means, f"{means[-1].mean - means[0].mean:+.1f}"])
    return "\n\n".join(
        [
            "Test error in percent of LOFE as a classifier, σ = 2, α = 2 throughout, mean(sd) over "
            "the runs. The supplement that holds the published table is not at hand.",
            table(["set", *(f"{n:,}" for n in counts), "most − none"], rows),
        ]
    )


def draw(records):
    """Error against the number of irrelevant features."""
    import matplotlib.pyplot as plt

    counts = sorted({int(key.method) for key in records})
    figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for name in sets_in(records):
        errors = [np.mean(values(records, name, str(n), "test")) for n in counts]
        ax.plot(np.array(counts) + 1, errors, "o-", label=name)
    ax.set(xscale="log", xlabel="irrelevant features + 1", ylabel="test error, %")
    ax.legend(fontsize=7)
    return figure


EXPERIMENT = Experiment(
    name="lofe-table1s",
    title="LOFE, Table 1S: the classifier with more and more irrelevant features",
    tasks=tasks,
    work=work,
    page=page,
    figures={"lofe-table1s": draw},
    runs=N_RUNS,
    seconds=lambda key: 2.0,
    protocol={"sigma": SIGMA, "alpha": ALPHA, "counts": COUNTS},
)
