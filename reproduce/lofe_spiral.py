"""LOFE, Figs. 3 to 7: the spiral with more and more irrelevant features, sigma and alpha."""

import time

import numpy as np

from hitmiss import LOFE, datasets
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.figures import panels
from reproduce.page import table
from reproduce.statistics import PUBLISHED

# Figs. 3 and 4, and the time of Fig. 5a; the rest has 5,000 irrelevant features.
COUNTS = (0, 50, 100, 500, 1000, 5000, 10_000, 20_000, 30_000, 1_000_000)
ALPHAS = (0.1, 0.5, 1.0, 1.5, 2.0)  # Fig. 6
SIGMAS = (0.1, 0.5, 1.0, 3.0, 5.0)  # Fig. 7
WIDTHS = (0.01, 0.05, 0.5, 1.0, 10.0, 50.0)  # Fig. 5b
LETTERS = {"alpha": "α", "sigma": "σ", "convergence": "σ"}
N_FIXED = 5000
QUICK = {"counts": (0, 50, 200), "fixed": 200}
TIMES = PUBLISHED["lofe_fig5"]["spiral"]


def tasks(plan):
    counts = QUICK["counts"] if plan.quick else COUNTS
    cases = {"irrelevant": counts, "alpha": ALPHAS, "sigma": SIGMAS, "convergence": WIDTHS}
    if plan.quick:
        cases = {name: some[:3] for name, some in cases.items()}
    return [Task(Key(case, str(value), 0)) for case, some in cases.items() for value in some]


def work(key, plan, needed):
    """Weights, residuals and time of one fit."""
    settings = {
        "irrelevant": {},
        "alpha": {"alpha": float(key.method)},
        "sigma": {"sigma": float(key.method)},
        "convergence": {"sigma": float(key.method)},
    }[key.case]
    n = QUICK["fixed"] if plan.quick else N_FIXED
    n = int(key.method) if key.case == "irrelevant" else n
    X, y = datasets.make_spiral(n_irrelevant=n, dtype=np.float32, random_state=0, return_X_y=True)
    began = time.process_time()
    lofe = LOFE(**settings, n_jobs=1).fit(X, y)
    spent = time.process_time() - began
    others = np.sort(lofe.weights_[2:])[::-1]
    return {
        "relevant": lofe.weights_[:2].round(4).tolist(),
        "others": others[others > 0][:50].round(4).tolist(),
        "n_others": int((others > 0).sum()),
        "gap": float(f"{lofe.optimality_gap_:.1e}"),
        "converged": bool(lofe.converged_),
        "residuals": [
            float(f"{row['residual']:.2e}") for row in lofe.history_ if row["start"] == lofe.init_
        ],
        "fit_seconds": round(spent, 3),
    }


def page(records):
    """Weights of the pair and of the largest other feature in every case."""
    parts = [
        "Figs. 3, 4 and 5a: weights of the pair, the two relevant features, with so many "
        "irrelevant ones, σ = 2, α = 1. The certificate is the largest violation of the conditions "
        "of an optimum, over all features and relative to α: 0 for an exact answer. CPU seconds, "
        "one thread, ours / published (Pentium 4, 2.8 GHz). The paper finds its time linear in the "
        f"number of features; {growth(records)}",
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
    """How our time grows from a few features to many."""
    found = [(value, r["fit_seconds"]) for value, r in of(records, "irrelevant") if value]
    (few, short), (many, long) = found[0], found[-1]
    return f"ours is {long / short:,.0f} times as long with {many:,.0f} as with {few:,.0f}."


def not_found(records):
    """For which widths the pair is not found."""
    widths = [value for value, r in of(records, "convergence") if not ahead(r)]
    if not widths:
        return "The pair is found for every σ."
    names = " and ".join(f"{value:g}" for value in widths)
    return (
        f"With σ of {names} the pair is not found: so wide a kernel weighs all samples of a class "
        "nearly alike, and every feature counts by itself."
    )


def ahead(record):
    """Whether the pair has the largest weights."""
    return min(record["relevant"]) > max(record["others"], default=0)


def of(records, case):
    """(value, record) in the order of the values."""
    found = [(float(key.method), r) for key, r in records.items() if key.case == case]
    return sorted(found, key=lambda pair: pair[0])


def weights_table(records, case):
    rows = []
    for value, r in of(records, case):
        theirs = TIMES.get(f"{value:.0f}") if case == "irrelevant" else None
        rows.append(
            [
                f"{value:g}" if value < 1000 else f"{value:,.0f}",
                " and ".join(f"{w:.3f}" for w in r["relevant"]),
                r["n_others"],
                f"{max(r['others'], default=0):.3f}",
                len(r["residuals"]),
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
    first, *rest = (np.array(r["relevant"]) for _, r in of(records, "irrelevant"))
    apart = max(np.abs(pair / first - 1).max() for pair in rest)
    text = "the weights do not depend on the number of irrelevant features, to 1e-3"
    yield Check(apart < 1e-3, text, f"{apart:.0e}" if apart else "no difference at all")
    for case in ("alpha", "sigma"):
        largest = [ahead(r) for _, r in of(records, case)]
        text = f"the pair has the largest weights for every {LETTERS[case]}"
        yield Check(all(largest), text, f"{sum(largest)} of {len(largest)}")
    converged = [r["converged"] for _, r in of(records, "convergence")]
    yield Check(all(converged), "converges for every σ", f"{sum(converged)} of {len(converged)}")
    n = [len(r["residuals"]) for _, r in of(records, "convergence")]
    text = "a larger σ converges sooner, or as soon"
    found = f"{', '.join(map(str, n))} iterations"
    yield Check(n == sorted(n, reverse=True), text, found)


def draw(records):
    """Weights by case, time by number of features, residuals by iteration."""
    figure, axes = panels(5, 3, 3.2)
    for ax, case in zip(axes, ("irrelevant", "alpha", "sigma"), strict=False):
        found = of(records, case)
        x = np.arange(len(found))
        for j, mark in enumerate("os"):
            ax.plot(x, [r["relevant"][j] for _, r in found], mark, label=f"feature {j}")
        ax.plot(x, [max(r["others"], default=0) for _, r in found], "k_", label="largest other")
        ax.set_xticks(x, [f"{value:g}" for value, _ in found], rotation=60)
        ax.set(xlabel=LETTERS.get(case, "irrelevant features"), ylabel="weight")
    found = [(value + 2, r["fit_seconds"]) for value, r in of(records, "irrelevant")]
    axes[3].loglog(*zip(*found, strict=True), "o-")
    axes[3].set(xlabel="features", ylabel="CPU seconds")
    for value, r in of(records, "convergence"):
        axes[4].semilogy(
            np.arange(1, len(r["residuals"]) + 1), r["residuals"], label=f"σ = {value:g}"
        )
    axes[4].set(xlabel="iteration", ylabel="‖T(w) − w‖")
    beside = axes[4].legend(loc="upper left", bbox_to_anchor=(1.05, 1))
    beside.set_in_layout(False)  # where the last panel of the row would be
    names = axes[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=len(names[0]))
    return figure


def seconds(key):
    """As measured."""
    if key.case == "irrelevant":
        return 1 + 5e-5 * int(key.method)
    return 30.0 if float(key.method) < 0.5 else 2.0


EXPERIMENT = Experiment(
    name="lofe-spiral",
    title="LOFE, Figs. 3 to 7: the spiral",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"lofe-spiral": draw},
    seconds=seconds,
    protocol={"n_fixed": N_FIXED, "cases": [COUNTS, ALPHAS, SIGMAS, WIDTHS]},
)
