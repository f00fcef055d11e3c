"""Section on I-RELIEF's Figs. 10 and 11: weights and iterations by kernel width."""

import numpy as np

from reproduce.experiments.irelief.fig10 import EXPERIMENT, MAX_ITER, SETS, SIGMAS, START, START_SET
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import table
from reproduce.harness.panels import panels
from reproduce.harness.records import values
from reproduce.harness.section import Check, Section

DIVERGES = "sigma 0.05"  # as published; all others should converge
LARGE = 0.5  # what the paper calls relatively large
ALIKE = 0.95


def body(records):
    """Angles between the weights of different widths, and iterations."""
    rows = []
    for name in SETS:
        reference = np.array(records[Key(name, START, 0)]["weights"])
        for method, sigma in SIGMAS.items():
            record = records[Key(name, method, 0)]
            cosine = reference @ np.array(record["weights"])
            rows.append([name, f"{sigma:g}", f"{cosine:.4f}", iterations(record)])
    return "\n\n".join(
        [
            "Cosine between the weights and those with σ = 1, and iterations until the weights "
            "move by less than 1e-5.",
            table(["set", "σ", "cosine", "iterations"], rows),
        ]
    )


def iterations(record):
    n = len(record["steps"])
    return str(n) if record["converged"] else f"not converged after {n}"


def checks(records):
    """What the paper says of these figures."""
    for name in SETS:
        smallest = min_cosine(records, name)
        text = f"{name}: weights alike for σ of at least {LARGE}, cosine above {ALIKE}"
        yield Check(smallest > ALIKE, text, f"{smallest:.3f}")
    fits = {SIGMAS[method]: records[Key(START_SET, method, 0)] for method in SIGMAS}
    diverged = {sigma for sigma, record in fits.items() if not record["converged"]}
    text = f"{START_SET}: σ = {SIGMAS[DIVERGES]} alone does not converge"
    found = ", ".join(f"{sigma:g}" for sigma in sorted(diverged)) or "none"
    yield Check(diverged == {SIGMAS[DIVERGES]}, text, f"{found} in {MAX_ITER} iterations")
    n = [len(record["steps"]) for sigma, record in fits.items() if sigma not in diverged]
    text = f"{START_SET}: a larger σ converges sooner, or as soon"
    yield Check(n == sorted(n, reverse=True), text, f"{', '.join(map(str, n))} iterations")
    goal = np.array(fits[SIGMAS[START]]["weights"])
    apart = np.abs(np.array(values(records, "starts", "random", "weights")) - goal).max()
    text = f"{START_SET}: the same weights from any start, to 1e-3"
    yield Check(apart < 1e-3, text, f"{apart:.0e}" if apart else "none in the 5 decimals kept")


def min_cosine(records, case):
    """The smallest cosine between the weights of two large widths, all of length 1."""
    large = [method for method, sigma in SIGMAS.items() if sigma >= LARGE]
    W = np.array([records[Key(case, method, 0)]["weights"] for method in large])
    return (W @ W.T).min()


def reasons(records):
    """Of the sets with a failed check, which widths differ most, and how far starts lead apart."""
    failed = {check.subject for check in checks(records) if check.failed}
    return "\n".join(
        f"- {name}: the smallest cosine between two widths of at least {LARGE} is "
        f"{min_cosine(records, name):.3f}; iterations by σ "
        + ", ".join(f"{s:g}: {iterations(records[Key(name, m, 0)])}" for m, s in SIGMAS.items())
        + "."
        for name in SETS
        if name in failed
    )


def draw(records):
    """Weights by width; steps by width; steps from random starts."""
    figure, axes = panels(4, 2, 3)
    for ax, name in zip(axes, SETS, strict=False):
        for method, sigma in SIGMAS.items():
            weights = records[Key(name, method, 0)]["weights"]
            ax.plot(weights, lw=1, label=f"σ = {sigma:g}")
        ax.set(title=name, xlabel="feature", ylabel="weight")
        ax.legend(fontsize=8)
    for method, sigma in SIGMAS.items():
        steps = records[Key(START_SET, method, 0)]["steps"]
        axes[2].semilogy(range(1, len(steps) + 1), steps, label=f"σ = {sigma:g}")
    axes[2].set(title=f"{START_SET}, by σ", xlabel="iteration", ylabel="change of w", xlim=(0, 30))
    axes[2].legend(fontsize=8)
    for run, steps in enumerate(values(records, "starts", "random", "steps")):
        label = "random start" if run == 0 else None
        axes[3].semilogy(range(1, len(steps) + 1), steps, "C1", lw=0.8, label=label)
    uniform = records[Key(START_SET, START, 0)]["steps"]
    axes[3].semilogy(range(1, len(uniform) + 1), uniform, "C0*-", label="uniform start")
    axes[3].set(title=f"{START_SET}, by start", xlabel="iteration", ylabel="change of w")
    axes[3].xaxis.get_major_locator().set_params(integer=True)
    axes[3].legend(fontsize=8)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="I-RELIEF, Figs. 10 and 11: kernel width and convergence",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"irelief-fig10": draw},
)
