"""Online LOFE, Fig. 1: weights of four methods on the spiral."""

import numpy as np
from sklearn.base import clone

from hitmiss import IRelief, OnlineLOFE, ReliefF, Simba, datasets
from reproduce.harness.experiment import Experiment, Key, Task

COUNTS, QUICK_COUNTS = (50, 500, 5000), (50,)
SIGMA = 2.0
METHODS = {
    "online_lofe": OnlineLOFE(SIGMA, n_jobs=1, random_state=0),
    "online_lofe, α = 1": OnlineLOFE(SIGMA, 1.0, n_jobs=1, random_state=0),
    "simba": Simba("sigmoid", n_jobs=1, random_state=0),
    "relieff": ReliefF(n_jobs=1),
    "irelief": IRelief(SIGMA, n_jobs=1),
}
QUICK_METHODS = ("online_lofe", "relieff", "irelief")
SMALL = 1e-4  # what the paper calls zero


def tasks(plan):
    counts, methods = (QUICK_COUNTS, QUICK_METHODS) if plan.quick else (COUNTS, METHODS)
    return [Task(Key(str(n), method, 0)) for n in counts for method in methods]


def work(key, plan, needed):
    """Weights relative to the largest: those of the relevant features, and the next ones."""
    X, y = datasets.make_spiral(n_irrelevant=int(key.case), random_state=0, return_X_y=True)
    selector = clone(METHODS[key.method])
    if plan.quick and key.method == "online_lofe":
        selector.set_params(n_passes=3)
    w = selector.fit(X, y).feature_importances_
    return {
        "pair": w[:2].round(5).tolist(),
        "n_others": int((w[2:] > SMALL).sum()),
        "others": np.sort(w[2:])[::-1][:30].round(5).tolist(),
    }


EXPERIMENT = Experiment(
    name="online-fig1",
    tasks=tasks,
    work=work,
    seconds=lambda key: int(key.case) / 50 * (key.method not in ("relieff", "irelief")) + 1,
    protocol={
        "counts": COUNTS,
        "sigma": SIGMA,
        "n_passes": METHODS["online_lofe"].n_passes,
        "n_neighbors": METHODS["relieff"].n_neighbors,
        "small": SMALL,
    },
)
