"""Section on I-RELIEF's Figs. 12 and 13: distance of online to batch I-RELIEF."""

import numpy as np

from reproduce.experiments.irelief.fig12 import EXPERIMENT, PASSES, SETS
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels
from reproduce.harness.records import cases_in, values
from reproduce.harness.section import Check, Section
from reproduce.pages.names import shown

CLOSE, CONVERGED = 0.2, 0.02  # of the distance at the start, for the slowest rate


def body(records):
    """Mean distances."""
    found = mean_distances(records)
    rows = [
        [*names, f"{at_start(records, names[0]):.3f}", *(f"{d:.4f}" for d in distances)]
        for names, distances in found.items()
    ]
    n = len(next(iter(found.values())))
    return "\n\n".join(
        [
            "‖w − w*‖, where w* is the answer of I-RELIEF: of equal weights (the start, first "
            "run), and after so many passes over the 400 training samples, mean over the runs. The "
            "step of sample t is 1/(a t).",
            table(["set", "rate", "start", *PASSES[:n]], rows),
        ]
    )


def at_start(records, case):
    """Distance of equal weights to the batch answer, both of length 1, in the first run."""
    goal = np.array(next(r["batch"] for k, r in records.items() if k.case == case and "batch" in r))
    return float(np.linalg.norm(goal - 1 / np.sqrt(len(goal))))


def mean_distances(records):
    """(set, rate) -> mean distance to the batch answer after each number of passes."""
    return {
        (name, method): np.mean(distances, axis=0)
        for name in SETS
        for method in sorted({key.method for key in records})
        if (distances := values(records, name, method, "distances"))
    }


def checks(records):
    """What the paper says of these figures."""
    for name in cases_in(records, SETS):
        found = shares(records, name).values()
        first, last = (max(some[k] for some in found) for k in (0, -1))
        text = f"{name}: very close after one pass, at most {100 * CLOSE:g} % of the distance at "
        yield Check(first <= CLOSE, f"{text}the start", f"{100 * first:.1f} %")
        text = f"{name}: converges for every rate, at most {100 * CONVERGED:g} % of it in the end"
        yield Check(last <= CONVERGED, text, f"{100 * last:.1f} %")


def shares(records, case):
    """Rate -> mean distance after each number of passes, as a share of that at the start."""
    start = at_start(records, case)
    found = mean_distances(records).items()
    return {method: distances / start for (name, method), distances in found if name == case}


def reasons(records):
    """Which rates are too far away."""
    return bullets(
        f"{name}, {method}: {100 * some[0]:.1f} % after one pass, {100 * some[-1]:.1f} % in the "
        "end."
        for name in cases_in(records, SETS)
        for method, some in shares(records, name).items()
        if some[0] > CLOSE or some[-1] > CONVERGED
    )


def draw(records):
    """Distance by passes, and the weights of batch, online and RELIEF-F."""
    figure, axes = panels(4, 2, 2.8)
    methods = sorted({key.method for key in records})
    for ax, name in zip(axes[:2], SETS, strict=True):
        for method in methods:
            distances = mean_distances(records)[name, method]
            ax.plot(400 * np.array(PASSES[: len(distances)]), distances, "o-", label=method)
        ax.set(title=name, xlabel="iterations", ylabel="distance to I-RELIEF", yscale="log")
        ax.legend(fontsize=8)
    for ax, name in zip(axes[2:], SETS, strict=True):
        record = records[Key(name, methods[-1], 0)]
        for label, width in (("batch", 3), ("online", 1), ("relieff", 1)):
            w = np.array(record[label])
            ax.plot(w / w.max(), lw=width, label=shown(label))
        ax.set(title=f"{name}, after one pass", xlabel="feature", ylabel="relative weight")
        ax.legend(fontsize=8)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="I-RELIEF, Figs. 12 and 13: online learning",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"irelief-fig12": draw},
)
