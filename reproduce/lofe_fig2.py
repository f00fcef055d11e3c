"""LOFE, Fig. 2: neighbors and weights on the spiral, iteration by iteration."""

import numpy as np

from hitmiss import LOFE, datasets
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.page import table

N_IRRELEVANT, QUICK_IRRELEVANT = 10_000, 200
ITERATIONS = (1, 3, 5, 200)
SIGMA = 2.0
CROSS = 161  # the sample whose neighbors are shown


def tasks(plan):
    return [Task(Key("spiral", str(n), 0)) for n in ITERATIONS]


def spiral(plan):
    n_irrelevant = QUICK_IRRELEVANT if plan.quick else N_IRRELEVANT
    return datasets.make_spiral(n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def work(key, plan, needed):
    """Weights after some iterations from the soft start, and the neighbors under them."""
    X, y = spiral(plan)
    lofe = LOFE(SIGMA, init="soft", max_iter=int(key.method), n_jobs=1).fit(X, y)
    hits, misses = neighbors(X / np.ptp(X, axis=0), y, lofe.weights_)
    return {
        "n_iter": lofe.n_iter_,
        "relevant": lofe.weights_[:2].round(3).tolist(),
        "n_others": int((lofe.weights_[2:] > 0).sum()),
        "largest_other": round(float(lofe.weights_[2:].max()), 4),
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


def page(records):
    """Weights by iteration."""
    rows = [
        [n, record["n_iter"], record["relevant"], record["n_others"], record["largest_other"]]
        for n, record in by_iteration(records)
    ]
    return "\n\n".join(
        [
            "Spiral with 10,000 irrelevant features, from the soft start, stopped after so many "
            "iterations.",
            table(["at most", "iterations", "the pair", "others > 0", "largest other"], rows),
        ]
    )


def checks(records):
    """What the paper says of this figure."""
    last = by_iteration(records)[-1][1]
    alone = last["n_others"] == 0 and min(last["relevant"]) > 0
    yield Check(alone, "in the end the pair alone has a weight", last["relevant"])


def by_iteration(records):
    return sorted((int(key.method), record) for key, record in records.items())


def draw(records):
    """The spiral, colored by the probability of being the nearest hit or miss of the cross."""
    import matplotlib.pyplot as plt

    X, _ = datasets.make_spiral(return_X_y=True)
    found = by_iteration(records)
    figure, axes = plt.subplots(
        1, len(found), figsize=(3.2 * len(found), 3.3), layout="constrained", squeeze=False
    )
    for ax, (n, record) in zip(axes[0], found, strict=True):
        P = np.array(record["hits"]) + np.array(record["misses"])
        ax.scatter(*X.T, c=P / P.max(), s=8, cmap="viridis_r")
        ax.plot(*X[CROSS], "kx", ms=9)
        ax.set(title=f"at most {n} iterations", xticks=[], yticks=[], aspect=1)
    return figure


EXPERIMENT = Experiment(
    name="lofe-fig2",
    title="LOFE, Fig. 2: neighbors by iteration",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"lofe-fig2": draw},
    protocol={"n_irrelevant": N_IRRELEVANT, "sigma": SIGMA, "stops": ITERATIONS, "cross": CROSS},
)
