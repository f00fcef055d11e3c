"""LOFE, Table 1S: its classifier with 0 to 10,000 irrelevant features."""

import numpy as np

from hitmiss import LOFE
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.lofe_table2_page import SETS, TABLE2, sets_in
from reproduce.page import table
from reproduce.statistics import mean_of, values

COUNTS = (0, 100, 1000, 5000, 10_000)
SIGMA, ALPHAS = 2.0, (2.0, 0.5)  # a strong penalty, and one that lets irrelevant features in
N_RUNS = 10
LARGEST = 2.0
QUICK = {"sets": ("heart",), "counts": (0, 100)}


def tasks(plan):
    names, counts = (QUICK["sets"], QUICK["counts"]) if plan.quick else (SETS, COUNTS)
    return [
        Task(Key(name, method_of(alpha, n), run))
        for name in names
        for alpha in ALPHAS
        for n in counts
        for run in range(plan.runs)
    ]


def method_of(alpha, n):
    return f"{alpha:g} {n}"


def work(key, plan, needed):
    """Test error of LOFE's own rule; the irrelevant features of more include those of fewer."""
    alpha, n = key.method.split()
    sizes, most = TABLE2["train_test"][key.case], max(QUICK["counts"] if plan.quick else COUNTS)
    split = protocol.random_split(SETS[key.case], key.run, sizes, most)
    split = split.only(slice(split.n_original + int(n)))
    lofe = LOFE(SIGMA, float(alpha), n_jobs=1).fit(*split.train)
    support = lofe.get_support()
    return {
        "test": protocol.percent([1 - lofe.score(*split.test)])[0],
        "n_selected": int(support.sum()),
        "n_irrelevant": int(support[split.n_original :].sum()),
    }


def counts_in(records):
    return sorted({int(key.method.split()[1]) for key in records})


def page(records):
    """Error by number of irrelevant features, and how much it moves."""
    counts, rows = counts_in(records), []
    for name in sets_in(records):
        for alpha in ALPHAS:
            methods = [method_of(alpha, n) for n in counts]
            means = [mean_of(values(records, name, m, "test")) for m in methods]
            entered = np.mean(values(records, name, methods[-1], "n_irrelevant"))
            moved = f"{means[-1].mean - means[0].mean:+.1f}"
            rows.append([name, f"{alpha:g}", *means, moved, f"{entered:.1f}"])
    head = ["set", "α", *(f"{n:,}" for n in counts), "most − none", "irrelevant selected"]
    return "\n\n".join(
        [
            "Test error in percent of LOFE as a classifier, σ = 2, mean(sd) over the runs; last "
            "how many of the most irrelevant features it selects. Where it selects none, the "
            "answer is the same to the last digit. The supplement that holds the published table "
            "is not at hand, nor are its σ and α.",
            table(head, rows),
        ]
    )


def checks(records):
    """Published: insensitive to the number of irrelevant features."""
    counts = counts_in(records)
    for name in sets_in(records):
        for alpha in ALPHAS:
            first, last = (
                np.mean(values(records, name, method_of(alpha, n), "test"))
                for n in (counts[0], counts[-1])
            )
            most = f"{counts[-1]:,} irrelevant features"
            text = f"{name}, α = {alpha:g}: with {most} at most {LARGEST:g} points worse"
            yield Check(last - first <= LARGEST, text, f"{first:.1f} and {last:.1f}")


def draw(records):
    """Error against the number of irrelevant features."""
    import matplotlib.pyplot as plt

    counts = counts_in(records)
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharey=True)
    for ax, alpha in zip(axes, ALPHAS, strict=True):
        for name in sets_in(records):
            errors = [np.mean(values(records, name, method_of(alpha, n), "test")) for n in counts]
            ax.plot(np.array(counts) + 1, errors, "o-", label=name)
        ax.set(title=f"α = {alpha:g}", xscale="log", xlabel="irrelevant features + 1")
    axes[0].set(ylabel="test error, %")
    axes[0].legend(fontsize=7)
    return figure


EXPERIMENT = Experiment(
    name="lofe-table1s",
    title="LOFE, Table 1S: the classifier with more and more irrelevant features",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"lofe-table1s": draw},
    runs=N_RUNS,
    seconds=lambda key: 0.6,
    protocol={"sigma": SIGMA, "alphas": ALPHAS, "counts": COUNTS},
)
