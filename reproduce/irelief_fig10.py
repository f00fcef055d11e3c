"""I-RELIEF, Figs. 10 and 11: kernel widths, convergence, random starts."""

import numpy as np

from hitmiss import IRelief
from reproduce import irelief_table2, protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.figures import panels
from reproduce.page import table
from reproduce.statistics import values

SIGMAS = (0.05, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0)
SETS = ("twonorm", "waveform")
LARGE = 0.5  # from here on the widths should make little difference
START_SET, START_SIGMA, N_STARTS = "waveform", 1.0, 10


def tasks(plan):
    """Fig. 10 and 11a: every width; 11b: the uniform start and random ones."""
    widths = [Task(Key(name, f"sigma {s:g}", 0)) for name in SETS for s in SIGMAS]
    n_starts = 2 if plan.quick else N_STARTS
    return [*widths, *(Task(Key("starts", "random", run)) for run in range(n_starts))]


def work(key, plan, needed):
    """Weights and steps of one fit."""
    name, sigma = (
        (START_SET, START_SIGMA)
        if key.case == "starts"
        else (key.case, float(key.method.split()[1]))
    )
    split, _ = irelief_table2.partition(name, 0, 0, plan)
    X, y = split.train
    init = protocol.generator(*key).random(X.shape[1]) if key.case == "starts" else None
    irelief = IRelief(sigma, init=init, n_jobs=1).fit(X, y)
    return {
        "weights": irelief.weights_.round(5).tolist(),
        "converged": bool(irelief.converged_),
        "steps": [float(f"{row['step']:.2e}") for row in irelief.history_],
    }


def page(records):
    """Angles between the weights of different widths, and iterations."""
    rows = []
    for name in SETS:
        reference = np.array(values(records, name, "sigma 1", "weights")[0])
        for sigma in SIGMAS:
            record = records[Key(name, f"sigma {sigma:g}", 0)]
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
    large = [s for s in SIGMAS if s >= LARGE]
    for name in SETS:
        W = np.array([values(records, name, f"sigma {s:g}", "weights")[0] for s in large])
        text = f"{name}: weights alike for σ of at least {LARGE}, cosine above 0.95"
        yield Check((W @ W.T).min() > 0.95, text, f"{(W @ W.T).min():.3f}")
    n = [len(values(records, START_SET, f"sigma {s:g}", "steps")[0]) for s in large]
    found = f"{', '.join(map(str, n))} iterations"
    text = f"waveform: a larger σ converges sooner, or as soon, from {LARGE:g} on"
    yield Check(n == sorted(n, reverse=True), text, found)
    first = records[Key(START_SET, "sigma 0.05", 0)]
    text = "waveform: σ = 0.05 does not converge"
    yield Check(not first["converged"], text, f"{iterations(first)} iterations")
    goal = np.array(values(records, START_SET, f"sigma {START_SIGMA:g}", "weights")[0])
    apart = np.abs(np.array(values(records, "starts", "random", "weights")) - goal).max()
    text = "the same weights from any start, to 1e-3"
    yield Check(apart < 1e-3, text, f"{apart:.0e}" if apart else "no difference at all")


def draw(records):
    """Weights by width; steps by width; steps from random starts."""
    figure, axes = panels(4, 2, 3)
    for ax, name in zip(axes, SETS, strict=False):
        for sigma in SIGMAS:
            weights = values(records, name, f"sigma {sigma:g}", "weights")[0]
            ax.plot(weights, lw=1, label=f"σ = {sigma:g}")
        ax.set(title=name, xlabel="feature", ylabel="weight")
        ax.legend(fontsize=8)
    for sigma in SIGMAS:
        steps = values(records, START_SET, f"sigma {sigma:g}", "steps")[0]
        axes[2].semilogy(range(1, len(steps) + 1), steps, label=f"σ = {sigma:g}")
    axes[2].set(title=f"{START_SET}, by σ", xlabel="iteration", ylabel="change of w", xlim=(0, 30))
    axes[2].legend(fontsize=8)
    for run, steps in enumerate(values(records, "starts", "random", "steps")):
        label = "random start" if run == 0 else None
        axes[3].semilogy(range(1, len(steps) + 1), steps, "C1", lw=0.8, label=label)
    uniform = values(records, START_SET, f"sigma {START_SIGMA:g}", "steps")[0]
    axes[3].semilogy(range(1, len(uniform) + 1), uniform, "C0*-", label="uniform start")
    axes[3].set(title=f"{START_SET}, by start", xlabel="iteration", ylabel="change of w")
    axes[3].xaxis.get_major_locator().set_params(integer=True)
    axes[3].legend(fontsize=8)
    return figure


EXPERIMENT = Experiment(
    name="irelief-fig10",
    title="I-RELIEF, Figs. 10 and 11: kernel width and convergence",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"irelief-fig10": draw},
    seconds=lambda key: 1.0,
    protocol={"sigmas": SIGMAS, "start": [START_SET, START_SIGMA]},
)
