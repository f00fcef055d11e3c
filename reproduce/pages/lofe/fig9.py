"""Section on LOFE's Fig. 9: genes with a weight, and time by number of genes."""

import numpy as np

from reproduce.experiments.lofe.fig9 import EXPERIMENT, N_FITS, N_SHOWN, N_TOP
from reproduce.experiments.lofe.table4 import PUBLISHED_ONES
from reproduce.experiments.published import PUBLISHED
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import table
from reproduce.harness.panels import panels
from reproduce.harness.section import Check, Section
from reproduce.pages.names import shown

TIMES = {
    2000: PUBLISHED["lofe_fig5"]["breast_cancer_2000"],
    24_481: PUBLISHED["lofe_fig5"]["breast_cancer_24481"],
}


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
    return {m: records[k] for m in PUBLISHED_ONES if (k := Key("weights", m, 0)) in records}


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
    for ax, method in zip(axes, PUBLISHED_ONES, strict=False):
        ax.vlines(range(N_SHOWN), 0, padded(records[Key("weights", method, 0)]["weights"]), lw=0.8)
        ax.set(title=shown(method), xlabel="genes by p-value", ylabel="relative weight")
    axes[3].plot(*zip(*seconds_by_genes(records), strict=True), "o-", label="ours")
    axes[3].plot(TIMES.keys(), TIMES.values(), "s", label="published")
    axes[3].set(xlabel="genes", ylabel="CPU seconds of LOFE", yscale="log")
    axes[3].legend()
    return figure


def padded(weights):
    return np.pad(weights, (0, N_SHOWN - len(weights)))


SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Fig. 9: breast cancer",
    body=body,
    checks=checks,
    figures={"lofe-fig9": draw},
)
