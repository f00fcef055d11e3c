"""Section on LOFE's Figs. 3 to 7: weights, time and convergence on the spiral."""

import itertools

import numpy as np

from reproduce.experiments.lofe.spiral import EXPERIMENT
from reproduce.experiments.published import PUBLISHED
from reproduce.harness.markdown import table
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.section import Check, Section

UNIFORM = ("soft", "ones")  # starts with the same weight for all features, as in the paper
LETTERS = {"alpha": "α", "sigma": "σ", "convergence": "σ"}
TIMES = {int(n): seconds for n, seconds in PUBLISHED["lofe_fig5"]["spiral"].items()}


def body(records):
    """Weights of the pair and of the largest other feature in every case."""
    parts = [
        "Figs. 3, 4 and 5a: weights of the pair, the two relevant features, with so many "
        "irrelevant ones, σ = 2, α = 1. The certificate is the largest violation of the conditions "
        "of an optimum, over all features and relative to α: 0 for an exact answer. The iterations "
        "are those of the start that led to the answer, with σ and α as given; in parentheses "
        "those before, with a stronger α or a smaller σ, which is how some starts begin. CPU "
        f"seconds, one thread, ours / published (Pentium 4, 2.8 GHz). {growth(records)}",
        weights_table(records, "irrelevant"),
        "Fig. 6: α, with 5,000 irrelevant features.",
        weights_table(records, "alpha"),
        "Fig. 7: σ, with 5,000 irrelevant features.",
        weights_table(records, "sigma"),
        "Fig. 5b: σ and iterations until convergence, with 5,000 irrelevant features. "
        + not_found(records),
        weights_table(records, "convergence"),
    ]
    return "\n\n".join(parts)


def growth(records):
    """How the times grow from a few features to many: the published ones, and ours."""
    few, *_, many = TIMES
    theirs = f"{TIMES[many] / TIMES[few]:,.0f}-fold from {few:,} to {many:,}"
    ours = [(value, r["fit_seconds"]) for value, r in by_value(records, "irrelevant") if value]
    (fewest, short), (most, long) = ours[0], ours[-1]
    return (
        "The paper calls its time linear in the number of features; its three numbers grow "
        f"{theirs}, less than in proportion. Ours grow {long / short:,.0f}-fold from {fewest:,.0f} "
        f"to {most:,.0f}."
    )


def not_found(records):
    """For which widths the pair is not found, and for which no uniform start leads to it."""
    found = by_value(records, "convergence")
    lost = [f"{value:g}" for value, r in found if not ahead(r)]
    late = [f"{value:g}" for value, r in found if ahead(r) and r["start"] not in UNIFORM]
    parts = []
    if lost:
        parts.append(
            f"With σ of {' and '.join(lost)} the pair is not found: so wide a kernel weighs all "
            "samples of a class nearly alike, and every feature counts by itself."
        )
    if late:
        parts.append(
            f"With σ of {' and '.join(late)} the answer comes from a start that is not uniform."
        )
    return " ".join(parts) or "The pair is found for every σ, from a uniform start."


def ahead(record):
    """Whether the pair has the largest weights."""
    return min(record["relevant"]) > max(record["others"], default=0)


def by_value(records, case):
    """(value, record) in the order of the values."""
    found = [(float(key.method), r) for key, r in records.items() if key.case == case]
    return sorted(found, key=lambda pair: pair[0])


def weights_table(records, case):
    rows = []
    for value, r in by_value(records, case):
        theirs = TIMES.get(int(value)) if case == "irrelevant" else None
        rows.append(
            [
                f"{value:g}" if value < 1000 else f"{value:,.0f}",
                " and ".join(f"{w:.3f}" for w in r["relevant"]),
                r["n_others"],
                f"{max(r['others'], default=0):.3f}",
                f"{len(r['residuals'])}" + (f" ({r['n_before']})" if r["n_before"] else ""),
                r["gap"] if r["converged"] else f"{r['gap']} (not converged)",
                f"{r['fit_seconds']:.1f}" + (f" / {theirs}" if theirs else ""),
            ]
        )
    head = [
        LETTERS.get(case, case),
        "the pair",
        "others > 0",
        "largest other",
        "iterations",
        "certificate",
        "s",
    ]
    return table(head, rows)


def checks(records):
    """What the paper says of these figures."""
    first, *rest = (np.array(r["relevant"]) for _, r in by_value(records, "irrelevant"))
    apart = max(np.abs(pair / first - 1).max() for pair in rest)
    text = "the weights do not depend on the number of irrelevant features, to 1e-3"
    yield Check(apart < 1e-3, text, f"{apart:.0e}" if apart else "none in the 4 decimals kept")
    for case, figure in (("alpha", 6), ("sigma", 7)):
        largest = [ahead(r) for _, r in by_value(records, case)]
        text = f"the pair has the largest weights for every {LETTERS[case]} of Fig. {figure}"
        yield Check(all(largest), text, f"{sum(largest)} of {len(largest)}")
    widths = by_value(records, "convergence")
    converged = [r["converged"] for _, r in widths]
    text = "converges for every σ of Fig. 5b"
    yield Check(all(converged), text, f"{sum(converged)} of {len(converged)}")
    n = {f"{value:g}": len(r["residuals"]) for value, r in widths if comparable(r)}
    text = "a larger σ converges sooner, or as soon, where a uniform start leads to the pair"
    found = f"{', '.join(map(str, n.values()))} iterations with σ = {', '.join(n)}"
    counts = list(n.values())
    yield Check(counts == sorted(counts, reverse=True) if n else None, text, found)


def comparable(record):
    """Whether a uniform start led to the pair, so that its iterations say how fast."""
    return record["start"] in UNIFORM and ahead(record)


def reasons(records):
    """The widths whose number of iterations is larger than that of the one before."""
    found = [(value, r) for value, r in by_value(records, "convergence") if comparable(r)]
    n = [(f"σ = {value:g}", len(r["residuals"])) for value, r in found]
    slower = [
        f"{second} takes {b} iterations, {first} {a}"
        for (first, a), (second, b) in itertools.pairwise(n)
        if b > a
    ]
    return f"{'; '.join(slower)}." if slower else ""


def draw_weights(records):
    """Figs. 3 and 4: weights of the pair and of the largest others, by number of features."""
    found = by_value(records, "irrelevant")
    figure, axes = panels(len(found), 5, 1.9, sharey=True)
    for ax, (value, r) in zip(axes, found, strict=True):
        ax.vlines([1, 2], 0, r["relevant"], color="C3", lw=3, label="the pair")
        rest = np.zeros(min(int(value), 30))
        rest[: len(r["others"])] = r["others"][: len(rest)]
        ax.plot(3 + np.arange(len(rest)), rest, "C0.", ms=4, label="the largest 30 others")
        ax.set_title(f"{value:,.0f} irrelevant", fontsize=9)
        ax.set(xlim=(-1, 34), xticks=[1, 10, 20, 30])
    figure.supxlabel("feature, the largest first after the pair")
    figure.supylabel("weight")
    shared_legend(figure)
    return figure


def draw(records):
    """Weights by case, time by number of features, residuals by iteration."""
    figure, axes = panels(5, 3, 3.2)
    for ax, case in zip(axes, ("irrelevant", "alpha", "sigma"), strict=False):
        found = by_value(records, case)
        x = np.arange(len(found))
        for j, mark in enumerate("os"):
            ax.plot(x, [r["relevant"][j] for _, r in found], mark, label=f"feature {j}")
        ax.plot(x, [max(r["others"], default=0) for _, r in found], "k_", label="largest other")
        ax.set_xticks(x, [f"{value:g}" for value, _ in found], rotation=60)
        ax.set(xlabel=LETTERS.get(case, "irrelevant features"), ylabel="weight")
    found = [(value + 2, r["fit_seconds"]) for value, r in by_value(records, "irrelevant")]
    axes[3].loglog(*zip(*found, strict=True), "o-", label="ours")
    axes[3].loglog(TIMES.keys(), TIMES.values(), "C1s", label="published")
    axes[3].set(xlabel="features", ylabel="CPU seconds")
    axes[3].legend()
    for value, r in by_value(records, "convergence"):
        axes[4].semilogy(
            np.arange(1, len(r["residuals"]) + 1), r["residuals"], label=f"σ = {value:g}"
        )
    axes[4].set(xlabel="iteration", ylabel="‖T(w) − w‖")
    beside = axes[4].legend(loc="upper left", bbox_to_anchor=(1.05, 1))
    beside.set_in_layout(False)  # where the last panel of the row would be
    names = axes[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=len(names[0]))
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Figs. 3 to 7: the spiral",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"lofe-fig3": draw_weights, "lofe-spiral": draw},
)
