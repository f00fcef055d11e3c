"""I-RELIEF, Figs. 12 and 13: online I-RELIEF after each number of passes."""

import numpy as np

from hitmiss import IRelief, OnlineIRelief, ReliefF
from reproduce.experiments.irelief.partitions import N_IRRELEVANT, SIZES_OF, partition
from reproduce.harness.experiment import Experiment, Key, Task

SETS = ("waveform", "ringnorm")
RATES = {f"a = {a:g}": a for a in (0.25, 0.5, 0.75, 1.0)}  # method -> a in eta = 1/(a t)
FASTEST = "a = 1"
PASSES = (1, 2, 3, 5, 10)  # of 400 samples each
SIGMA = 1.0
N_RUNS = 20
QUICK_PASSES = (1, 2)


def tasks(plan):
    return [
        Task(Key(name, method, run))
        for name in SETS
        for method in ([FASTEST] if plan.quick else RATES)
        for run in range(plan.runs)
    ]


def work(key, plan, needed):
    """Distance to the batch answer after each number of passes; weights after the first."""
    split, _ = partition(key.case, 0, key.run, plan)
    goal = IRelief(SIGMA, n_jobs=1).fit(*split.train).weights_
    rate = RATES[key.method]
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


EXPERIMENT = Experiment(
    name="irelief-fig12",
    tasks=tasks,
    work=work,
    runs=N_RUNS,
    seconds=lambda key: 2.0,
    protocol={
        "sigma": SIGMA,
        "rates": list(RATES.values()),
        "passes": PASSES,
        "sizes": {name: SIZES_OF[name] for name in SETS},
        "n_irrelevant": N_IRRELEVANT,
    },
)
