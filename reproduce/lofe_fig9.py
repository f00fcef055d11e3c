"""LOFE, Fig. 9: weights of three methods on breast cancer, and time by number of genes."""

import time

import numpy as np
from scipy.stats import ttest_ind
from sklearn.base import clone

from reproduce.experiments.published import PUBLISHED
from reproduce.experiments.steps.leave_one_out import fold
from reproduce.harness.experiment import Experiment, Key, Task
from reproduce.harness.markdown import table
from reproduce.harness.panels import panels
from reproduce.harness.section import Check, Section
from reproduce.lofe_table4 import ALPHA, SELECTORS, SIGMA
from reproduce.pages.names import shown

SET, FIRST = "breast_vantveer", 0  # the sample left out: the weights are those of a fold
COUNTS = (500, 1000, 2000, 5000, 10_000, 24_481)
SHOWN = 200  # genes of smallest p-value in the picture
N_TOP = 10  # genes of each method that are asked whether they say the same
N_FITS = 5  # whose median time is given
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
    spent = []
    for _ in range(N_FITS):
        began = time.process_time()
        w = clone(SELECTORS[method]).fit(X, y).feature_importances_
        spent.append(time.process_time() - began)
    return {
        "weights": w[:SHOWN].round(4).tolist(),
        "n": int((w > 0.01).sum()),
        "alike": round(alike(X[:, np.argsort(-w, kind="stable")[:N_TOP]]), 4),
        "fit_seconds": round(float(np.median(spent)), 3),
    }


def alike(X):
    """Mean absolute correlation between two features."""
    correlations = np.abs(np.corrcoef(X.T))
    return float(correlations[np.triu_indices_from(correlations, k=1)].mean())


def p_values(X, y):
    """Of a t-test between the classes; 1 for a constant gene."""
    first = y == y[0]
    varies = np.ptp(X, axis=0) > 0
    found = np.ones(X.shape[1])
    found[varies] = ttest_ind(X[first][:, varies], X[~first][:, varies]).pvalue
    return found


def body(records):
    """How many genes each method gives a weight, how alike they are, and the time of LOFE."""
    weights = [
        [shown(method), f"{r['n']:,}", f"{r['alike']:.2f}"]
        for method, r in by_method(records).items()
    ]
    times = [
        [f"{n:,}", f"{seconds:.2f}", TIMES.get(n, "")] for n, seconds in seconds_by_genes(records)
    ]
    return "\n\n".join(
        [
            "All samples but the first, so one fold of Table 4: genes from 0 to 1, missing values "
            "at the mean of the gene. Genes with more than 1 % of the largest weight, of which "
            "I-RELIEF/BS keeps 30 by construction; and the mean absolute correlation between two "
            f"of the {N_TOP} best. The paper: LOFE leaves out genes that say what others say.",
            table(["method", "genes", "correlation"], weights),
            f"CPU seconds of one fit, one thread, median of {N_FITS}, genes of smallest p-value "
            "first: ours, and as published on a Pentium 4 with 2.8 GHz. LOFE works on a part of "
            "the genes and looks at the others now and then, so its time need not grow with them.",
            table(["genes", "ours", "published"], times),
        ]
    )


def by_method(records):
    """Method -> its record of weights."""
    return {m: records[k] for m in SELECTORS if (k := Key("weights", m, 0)) in records}


def seconds_by_genes(records):
    """(number of genes, seconds of LOFE), by number."""
    return sorted((int(k.method), r["fit_seconds"]) for k, r in records.items() if k.case == "time")


def checks(records):
    """Published: LOFE alone leaves out what is redundant."""
    n = {method: r["n"] for method, r in by_method(records).items()}
    found = ", ".join(f"{shown(method)} {count:,}" for method, count in n.items())
    yield Check(n["lofe"] < n["ks"], "LOFE gives a weight to fewer genes than KS", found)
    alike = {method: r["alike"] for method, r in by_method(records).items()}
    text = f"the {N_TOP} best genes of LOFE are less correlated than those of the others"
    found = ", ".join(f"{shown(method)} {value:.2f}" for method, value in alike.items())
    yield Check(alike["lofe"] < min(alike["irelief_bs"], alike["ks"]), text, found)


def draw(records):
    """Weights of the genes with the smallest p-values; time by number of genes."""
    figure, axes = panels(4, 2, 2.8)
    for ax, method in zip(axes, SELECTORS, strict=False):
        ax.vlines(range(SHOWN), 0, padded(records[Key("weights", method, 0)]["weights"]), lw=0.8)
        ax.set(title=shown(method), xlabel="genes by p-value", ylabel="relative weight")
    axes[3].plot(*zip(*seconds_by_genes(records), strict=True), "o-", label="ours")
    axes[3].plot(TIMES.keys(), TIMES.values(), "s", label="published")
    axes[3].set(xlabel="genes", ylabel="CPU seconds of LOFE", yscale="log")
    axes[3].legend()
    return figure


def padded(weights):
    return np.pad(weights, (0, SHOWN - len(weights)))


EXPERIMENT = Experiment(
    name="lofe-fig9",
    tasks=tasks,
    work=work,
    seconds=lambda key: 4.0,
    protocol={
        "left_out": [SET, FIRST],
        "lofe": [SIGMA, ALPHA],
        "counts": COUNTS,
        "n_top": N_TOP,
        "n_fits": N_FITS,
    },
)

SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Fig. 9: breast cancer",
    body=body,
    checks=checks,
    figures={"lofe-fig9": draw},
)
