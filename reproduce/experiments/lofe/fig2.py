"""LOFE, Fig. 2: neighbors and weights on the spiral, iteration by iteration."""

import numpy as np

from hitmiss import LOFE, datasets
from reproduce.harness.experiment import Experiment, Key, Task

N_IRRELEVANT, QUICK_IRRELEVANT = 10_000, 200
ITERATIONS = (1, 3, 5, 200)
SIGMA, ALPHA, START = 2.0, 1.0, "soft"
CROSS = 161  # the sample whose neighbors are shown


def tasks(plan):
    return [Task(Key("spiral", str(n), 0)) for n in ITERATIONS]


def spiral(plan):
    n_irrelevant = QUICK_IRRELEVANT if plan.quick else N_IRRELEVANT
    return datasets.make_spiral(n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def work(key, plan, needed):
    """Weights after some iterations from the soft start, and the neighbors under them."""
    X, y = spiral(plan)
    lofe = LOFE(SIGMA, ALPHA, init=START, order="weight", max_iter=int(key.method), n_jobs=1).fit(
        X, y
    )
    w = lofe.weights_
    hits, misses = neighbors(X / np.ptp(X, axis=0), y, w)
    return {
        "n_iter": lofe.n_iter_,
        "relevant": w[:2].round(3).tolist(),
        "others": {int(j): round(float(w[j]), 4) for j in 2 + np.flatnonzero(w[2:])},
        "hits": hits.round(4).tolist(),
        "misses": misses.round(4).tolist(),
    }


def neighbors(X, y, w):
    """Probabilities of being the nearest hit, and the nearest miss, of the sample at the cross."""
    distance = np.abs(X - X[CROSS]) @ w
    same = (y == y[CROSS]) & (np.arange(len(y)) != CROSS)
    found = []
    for group in (same, y != y[CROSS]):
        P = np.where(group, np.exp(-(distance - distance[group].min()) / SIGMA), 0)
        found.append(P / P.sum())
    return found


EXPERIMENT = Experiment(
    name="lofe-fig2",
    tasks=tasks,
    work=work,
    protocol={
        "n_irrelevant": N_IRRELEVANT,
        "lofe": [SIGMA, ALPHA, START],
        "stops": ITERATIONS,
        "cross": CROSS,
    },
)
