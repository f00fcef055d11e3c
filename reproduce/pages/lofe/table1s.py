"""Section on LOFE's Table 1S: error by number of irrelevant features."""

import numpy as np

from reproduce.experiments.lofe.table1s import ALPHAS, EXPERIMENT, FITS
from reproduce.experiments.lofe.table2 import SETS
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.records import cases_in, values
from reproduce.harness.section import Check, Section
from reproduce.harness.statistics import mean_of, signed

LARGEST = 2.0  # points


def method_of(alpha, n):
    """The method of one penalty and one number of irrelevant features."""
    return next(method for method, fit in FITS.items() if fit == (alpha, n))


def counts_in(records):
    return sorted({FITS[key.method][1] for key in records})


def body(records):
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
            f"{counts[-1]:,}; last how many of these {counts[-1]:,} it selects, w > 0.01 max w. "
            f"{unchanged(records)} The supplement that holds the published table is not at hand, "
            "nor are its σ and α.",
            table(head, rows),
        ]
    )


def unchanged(records):
    """How often the error stays the same where no irrelevant feature is selected."""
    same = [
        record["test"] == records[alone]["test"]
        for key, record in records.items()
        if FITS[key.method][1] > 0 and record["n_irrelevant"] == 0
        if (alone := key._replace(method=method_of(FITS[key.method][0], 0))) in records
    ]
    return (
        f"In {sum(same)} of {len(same)} fits with irrelevant features of which none is selected, "
        "the error is that without them, to 0.01 points."
    )


def growth(records, case, alpha):
    """Points of error from no irrelevant features to the most; NaN as long as one is missing."""
    first, *_, last = (
        mean_of(values(records, case, method_of(alpha, n), "test")).mean for n in counts_in(records)
    )
    return last - first


def growth_cell(records, case, alpha):
    grown = growth(records, case, alpha)
    return "–" if np.isnan(grown) else signed(grown)


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
    """What is selected in the runs whose error grows, and whether another α helps."""
    grown = [
        f"{name}, α = {alpha:g}: {runs_that_grow(records, name, alpha)}"
        for name in cases_in(records, SETS)
        for alpha in ALPHAS
        if growth(records, name, alpha) > LARGEST
    ]
    head = (
        "Where the error grows, run by run; whether the published table had a stronger α, or one "
        "tuned for each number of irrelevant features, is not known."
    )
    return "\n\n".join([head, bullets(grown)]) if grown else ""


def runs_that_grow(records, case, alpha):
    """How many runs grow and how far, what they select, and the growth with the other α."""
    methods = [method_of(alpha, n) for n in (0, counts_in(records)[-1])]
    before, after = (np.array(values(records, case, m, "test")) for m in methods)
    grow = after - before > LARGEST
    n_before, n_after = (n_originals(records, case, method) for method in methods)
    added = np.array(values(records, case, methods[1], "n_irrelevant"))
    others = ", ".join(
        f"{growth_cell(records, case, other)} with α = {other:g}"
        for other in ALPHAS
        if other != alpha
    )
    return (
        f"{grow.sum()} of {len(grow)} runs grow by more than {LARGEST:g} points, the worst to "
        f"{after[grow].max():.1f}; {np.sum(after == before)} are unchanged. In those that grow "
        f"{added[grow].mean():.1f} irrelevant features are selected, and "
        f"{n_after[grow].mean():.1f} original ones, without the irrelevant "
        f"{n_before[grow].mean():.1f}. The mean grows by {others}."
    )


def n_originals(records, case, method):
    """Number of original features that LOFE selects in every run."""
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


SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Table 1S: the classifier with more and more irrelevant features",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"lofe-table1s": draw},
)
