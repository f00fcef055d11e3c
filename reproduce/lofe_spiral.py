"""LOFE, Figs. 3 to 7: the spiral with more and more irrelevant features, sigma and alpha."""

import time

import numpy as np

from hitmiss import LOFE, datasets
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.page import table
from reproduce.statistics import PUBLISHED

# Figs. 3 and 4, and the time of Fig. 5a; the rest has 5,000 irrelevant features.
COUNTS = (0, 50, 100, 500, 1000, 5000, 10_000, 20_000, 30_000, 1_000_000)
ALPHAS = (0.1, 0.5, 1.0, 1.5, 2.0)  # Fig. 6
SIGMAS = (0.1, 0.5, 1.0, 3.0, 5.0)  # Fig. 7
WIDTHS = (0.01, 0.05, 0.5, 1.0, 10.0, 50.0)  # Fig. 5b
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
        "Figs. 3, 4 and 5a: weights of the pair with so many irrelevant features, σ = 2, α = 1; "
        "CPU seconds, one thread, ours / published (Pentium 4, 2.8 GHz).",
        weights_table(records, "irrelevant"),
        "Fig. 6: α, with 5,000 irrelevant features.",
        weights_table(records, "alpha"),
        "Fig. 7: σ, with 5,000 irrelevant features.",
        weights_table(records, "sigma"),
        "Fig. 5b: σ and iterations until convergence, with 5,000 irrelevant features.",
        weights_table(records, "convergence"),
    ]
    return "\n\n".join(parts)


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
    head = [case, "the pair", "others > 0", "largest other", "iterations", "certificate", "s"]
    return table(head, rows)


def checks(records):
    """What the paper says of these figures."""
    first, *rest = (np.array(r["relevant"]) for _, r in of(records, "irrelevant"))
    apart = max(np.abs(pair / first - 1).max() for pair in rest)
    text = "the weights do not depend on the number of irrelevant features, to 1e-3"
    yield Check(apart < 1e-3, text, f"{apart:.0e}")
    for case in ("alpha", "sigma"):
        largest = [min(r["relevant"]) > max(r["others"], default=0) for _, r in of(records, case)]
        text = f"the pair has the largest weights for every {case}"
        yield Check(all(largest), text, f"{sum(largest)} of {len(largest)}")
    converged = [r["converged"] for _, r in of(records, "convergence")]
    yield Check(all(converged), "converges for every σ", f"{sum(converged)} of {len(converged)}")


def draw(records):
    """Weights by case, time by number of features, residuals by iteration."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 5, figsize=(17, 3.2), layout="constrained")
    for ax, case in zip(axes, ("irrelevant", "alpha", "sigma"), strict=False):
        found = of(records, case)
        x = np.arange(len(found))
        for j, mark in enumerate("os"):
            ax.plot(x, [r["relevant"][j] for _, r in found], mark, label=f"feature {j}")
        ax.plot(x, [max(r["others"], default=0) for _, r in found], "k_", label="largest other")
        ax.set_xticks(x, [f"{value:g}" for value, _ in found], rotation=60)
        ax.set(xlabel=case, ylabel="weight")
    axes[0].legend(fontsize=7)
    found = [(value + 2, r["fit_seconds"]) for value, r in of(records, "irrelevant")]
    axes[3].loglog(*zip(*found, strict=True), "o-")
    axes[3].set(xlabel="features", ylabel="CPU seconds")
    for value, r in of(records, "convergence"):
        axes[4].semilogy(
            np.arange(1, len(r["residuals"]) + 1), r["residuals"], label=f"σ = {value:g}"
        )
    axes[4].set(xlabel="iteration", ylabel="‖T(w) − w‖")
    axes[4].legend(fontsize=7)
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
