"""LOFE, Table 1S: its classifier with 0 to 10,000 irrelevant features."""

import numpy as np

from hitmiss import LOFE
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.figures import panels, shared_legend
from reproduce.lofe_table2_page import SETS, TABLE2
from reproduce.page import table
from reproduce.statistics import cases_in, mean_of, values

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
    for name in cases_in(records, SETS):
        for alpha in ALPHAS:
            methods = [method_of(alpha, n) for n in counts]
            means = [mean_of(values(records, name, m, "test")) for m in methods]
            entered = mean_of(values(records, name, methods[-1], "n_irrelevant"))
            rows.append([name, f"{alpha:g}", *means, growth_cell(records, name, alpha), entered])
    head = ["set", "α", *(f"{n:,}" for n in counts), "growth", "irrelevant selected"]
    return "\n\n".join(
        [
            "Test error in percent of LOFE as a classifier, by number of irrelevant features, "
            "σ = 2, mean(sd) over the runs; then how much the error grows from none to "
            f"{counts[-1]:,}; last how many of these {counts[-1]:,} it selects. Where it selects "
            "none, the answer is the same to the last digit. The supplement that holds the "
            "published table is not at hand, nor are its σ and α.",
            table(head, rows),
        ]
    )


def growth(records, case, alpha):
    """Points of error from no irrelevant features to the most; NaN as long as one is missing."""
    first, *_, last = (
        mean_of(values(records, case, method_of(alpha, n), "test")).mean for n in counts_in(records)
    )
    return last - first


def growth_cell(records, case, alpha):
    grown = growth(records, case, alpha)
    return "–" if np.isnan(grown) else f"{grown:+.1f}"


def checks(records):
    """Published: insensitive to the number of irrelevant features."""
    most = f"{counts_in(records)[-1]:,} irrelevant features"
    for name in cases_in(records, SETS):
        for alpha in ALPHAS:
            grown = growth(records, name, alpha)
            text = f"{name}, α = {alpha:g}: with {most} at most {LARGEST:g} points worse"
            held = None if np.isnan(grown) else grown <= LARGEST
            yield Check(held, text, growth_cell(records, name, alpha))


def reasons(records):
    """How many irrelevant features enter where the error grows, and whether another α helps."""
    lines, most = [], counts_in(records)[-1]
    for name in cases_in(records, SETS):
        for alpha in ALPHAS:
            if growth(records, name, alpha) > LARGEST:
                n = mean_of(values(records, name, method_of(alpha, most), "n_irrelevant"))
                lost = sum(kept(records, name, alpha, most) < kept(records, name, alpha, 0))
                others = ", ".join(
                    f"{growth_cell(records, name, other)} with α = {other:g}"
                    for other in ALPHAS
                    if other != alpha
                )
                lines.append(
                    f"- {name}, α = {alpha:g}: {n} irrelevant features get a weight in "
                    f"{TABLE2['train_test'][name][0]} samples, and in {lost} runs fewer original "
                    f"ones than without them; the error grows by {others}."
                )
    head = (
        "An error grows where irrelevant features enter, which a small α lets in, or where among "
        "so many no start leads to features that tell the classes apart together only; the α of "
        "the published table, tuned or not, is not known."
    )
    return "\n\n".join([head, "\n".join(lines)]) if lines else ""


def kept(records, case, alpha, n_irrelevant):
    """Number of original features that LOFE selects in every run."""
    method = method_of(alpha, n_irrelevant)
    n_all, n_added = (
        np.array(values(records, case, method, field)) for field in ("n_selected", "n_irrelevant")
    )
    return n_all - n_added


def draw(records):
    """Error against the number of irrelevant features."""
    counts = counts_in(records)
    figure, axes = panels(len(ALPHAS), 2, 3.6, sharey=True)
    for ax, alpha in zip(axes, ALPHAS, strict=True):
        for name in cases_in(records, SETS):
            methods = [method_of(alpha, n) for n in counts]
            errors = [mean_of(values(records, name, m, "test")).mean for m in methods]
            ax.plot(np.array(counts) + 1, errors, "o-", label=name)
        ax.set(title=f"α = {alpha:g}", xscale="log", xlabel="irrelevant features + 1")
    axes[0].set(ylabel="test error, %")
    shared_legend(figure)
    return figure


EXPERIMENT = Experiment(
    name="lofe-table1s",
    title="LOFE, Table 1S: the classifier with more and more irrelevant features",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    reasons=reasons,
    figures={"lofe-table1s": draw},
    runs=N_RUNS,
    seconds=lambda key: 0.6,
    protocol={"sigma": SIGMA, "alphas": ALPHAS, "counts": COUNTS},
)
