"""LOFE, Fig. 9: weights of three methods on breast cancer, and time by number of genes."""

import time

import numpy as np
from scipy.stats import ttest_ind
from sklearn.base import clone

from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.figures import panels
from reproduce.lofe_table4 import SELECTORS, fold
from reproduce.page import table
from reproduce.statistics import PUBLISHED

SET, FIRST = "breast_vantveer", 0  # the sample left out: the weights are those of a fold
COUNTS = (500, 1000, 2000, 5000, 10_000, 24_481)
SHOWN = 200  # genes of smallest p-value in the picture
QUICK_GENES = 300
TIMES = {
    2000: PUBLISHED["lofe_fig5"]["breast_cancer_2000"],
    24_481: PUBLISHED["lofe_fig5"]["breast_cancer_24481"],
}


def tasks(plan):
    counts = (QUICK_GENES,) if plan.quick else COUNTS
    weights = [Task(Key("weights", method, 0)) for method in SELECTORS]
    return weights + [Task(Key("time", str(n), 0)) for n in counts]


def work(key, plan, needed):
    """Relative weights of the genes with the smallest p-values, or the time of a fit."""
    X, y = fold(SET, FIRST, QUICK_GENES if plan.quick else None).train
    order = np.argsort(p_values(X, y), kind="stable")
    method, n = (key.method, len(order)) if key.case == "weights" else ("lofe", int(key.method))
    X = X[:, order[:n]]
    began = time.process_time()
    w = clone(SELECTORS[method]).fit(X, y).feature_importances_
    spent = round(time.process_time() - began, 3)
    return {
        "weights": w[:SHOWN].round(4).tolist(),
        "n": int((w > 0.01).sum()),
        "fit_seconds": spent,
    }


def p_values(X, y):
    """Of a t-test between the classes; 1 for a constant gene."""
    first = y == y[0]
    varies = np.ptp(X, axis=0) > 0
    found = np.ones(X.shape[1])
    found[varies] = ttest_ind(X[first][:, varies], X[~first][:, varies]).pvalue
    return found


def page(records):
    """How many genes each method gives a weight, and the time of LOFE."""
    weights = [[m, records[k]["n"]] for m in SELECTORS if (k := Key("weights", m, 0)) in records]
    times = sorted(
        (int(key.method), f"{record['fit_seconds']:.2f}", TIMES.get(int(key.method), ""))
        for key, record in records.items()
        if key.case == "time"
    )
    return "\n\n".join(
        [
            "All samples but the first, so one fold of Table 4: genes from 0 to 1, missing values "
            "at the mean of the gene. Genes with more than 1 % of the largest weight; the paper: "
            "LOFE leaves out genes that say what others say already.",
            table(["method", "genes"], weights),
            "CPU seconds of one fit, one thread, genes of smallest p-value first: ours, and as "
            "published on a Pentium 4 with 2.8 GHz.",
            table(["genes", "ours", "published"], times),
        ]
    )


def checks(records):
    """Published: LOFE alone leaves out what is redundant."""
    n = {method: records[Key("weights", method, 0)]["n"] for method in SELECTORS}
    text = "LOFE gives a weight to fewer genes than the others"
    found = ", ".join(f"{method} {count:,}" for method, count in n.items())
    yield Check(n["lofe"] < min(n["irelief_bs"], n["ks"]), text, found)


def draw(records):
    """Weights of the genes with the smallest p-values; time by number of genes."""
    figure, axes = panels(4, 2, 2.8)
    for ax, method in zip(axes, SELECTORS, strict=False):
        ax.vlines(range(SHOWN), 0, padded(records[Key("weights", method, 0)]["weights"]), lw=0.8)
        ax.set(title=method, xlabel="genes by p-value", ylabel="relative weight")
    times = sorted(
        (int(k.method), r["fit_seconds"]) for k, r in records.items() if k.case == "time"
    )
    axes[3].plot(*zip(*times, strict=True), "o-")
    axes[3].set(xlabel="genes", ylabel="CPU seconds of LOFE")
    return figure


def padded(weights):
    return np.pad(weights, (0, SHOWN - len(weights)))


EXPERIMENT = Experiment(
    name="lofe-fig9",
    title="LOFE, Fig. 9: breast cancer",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"lofe-fig9": draw},
    seconds=lambda key: 4.0,
    protocol={"left_out": FIRST},
)
