"""I-RELIEF, Figs. 12 and 13: online I-RELIEF comes to the batch answer."""

import numpy as np

from hitmiss import IRelief, OnlineIRelief, ReliefF
from reproduce import irelief_table2
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.page import table
from reproduce.statistics import values

SETS = ("waveform", "ringnorm")
RATES = (0.25, 0.5, 0.75, 1.0)  # a in eta = 1/(a t)
PASSES = (1, 2, 3, 5, 10)  # of 400 samples each
SIGMA = 1.0
N_RUNS = 20
QUICK_PASSES = (1, 2)


def tasks(plan):
    return [
        Task(Key(name, f"a = {rate:g}", run))
        for name in SETS
        for rate in (RATES[-1:] if plan.quick else RATES)
        for run in range(plan.runs)
    ]


def work(key, plan, needed):
    """Distance to the batch answer after each number of passes; weights after the first."""
    split, _ = irelief_table2.partition(key.case, 0, key.run, plan)
    goal = IRelief(SIGMA, n_jobs=1).fit(*split.train).weights_
    rate = float(key.method.split()[-1])
    online = [
        OnlineIRelief(SIGMA, learning_rate=rate, n_passes=n, random_state=key.run, n_jobs=1)
        .fit(*split.train)
        .weights_
        for n in (QUICK_PASSES if plan.quick else PASSES)
    ]
    record = {"distances": [round(float(np.linalg.norm(w - goal)), 5) for w in online]}
    if key.run == 0:
        relieff = ReliefF(n_jobs=1).fit(*split.train)
        found = {"batch": goal, "online": online[0], "relieff": relieff.feature_importances_}
        record |= {name: w.round(4).tolist() for name, w in found.items()}
    return record


def page(records):
    """Mean distances."""
    rows = [[*names, *distances.round(4)] for names, distances in mean_distances(records).items()]
    n = len(rows[0]) - 2
    return "\n\n".join(
        [
            "‖w − w*‖, where w* is the answer of I-RELIEF, after so many passes over the 400 "
            "training samples; mean over the runs.",
            table(["set", "rate", *PASSES[:n]], rows),
        ]
    )


def mean_distances(records):
    """(set, rate) -> mean distance to the batch answer after each number of passes."""
    return {
        (name, method): np.mean(values(records, name, method, "distances"), axis=0)
        for name in SETS
        for method in sorted({key.method for key in records})
    }


def checks(records):
    """What the paper says of these figures."""
    distances = mean_distances(records).values()
    first, last = (max(some[k] for some in distances) for k in (0, -1))
    yield Check(first < 0.2, "close after one pass, distance below 0.2", f"{first:.3f}")
    text = "converges for every rate, distance below 0.1 in the end"
    yield Check(last < 0.1, text, f"{last:.3f}")


def draw(records):
    """Distance by passes, and the weights of batch, online and RELIEF-F."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(15, 3.2), layout="constrained")
    methods = sorted({key.method for key in records})
    for ax, name in zip(axes[:2], SETS, strict=True):
        for method in methods:
            distances = np.mean(values(records, name, method, "distances"), axis=0)
            ax.plot(400 * np.array(PASSES[: len(distances)]), distances, "o-", label=method)
        ax.set(title=name, xlabel="iterations", ylabel="distance to I-RELIEF", yscale="log")
        ax.legend(fontsize=7)
    for ax, name in zip(axes[2:], SETS, strict=True):
        record = records[Key(name, methods[-1], 0)]
        for label in ("batch", "online", "relieff"):
            w = np.array(record[label])
            ax.plot(w / w.max(), lw=1, label=label)
        ax.set(title=f"{name}, after one pass", xlabel="feature")
        ax.legend(fontsize=7)
    return figure


EXPERIMENT = Experiment(
    name="irelief-fig12",
    title="I-RELIEF, Figs. 12 and 13: online learning",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"irelief-fig12": draw},
    runs=N_RUNS,
    seconds=lambda key: 2.0,
    protocol={"sigma": SIGMA, "rates": RATES, "passes": PASSES},
)
