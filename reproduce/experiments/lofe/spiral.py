"""LOFE, Figs. 3 to 7: the spiral with more and more irrelevant features, sigma and alpha."""

import time

import numpy as np

from hitmiss import LOFE, datasets
from reproduce.harness.experiment import Experiment, Key, Task

SIGMA, ALPHA = 2.0, 1.0  # where neither is varied
# Figs. 3 and 4, and the time of Fig. 5a; the rest has 5,000 irrelevant features.
COUNTS = (0, 50, 100, 500, 1000, 5000, 10_000, 20_000, 30_000, 1_000_000)
ALPHAS = (0.1, 0.5, 1.0, 1.5, 2.0)  # Fig. 6
SIGMAS = (0.1, 0.5, 1.0, 3.0, 5.0)  # Fig. 7
WIDTHS = (0.01, 0.05, 0.5, 1.0, 10.0, 50.0)  # Fig. 5b
N_FIXED = 5000
QUICK = {"counts": (0, 50, 200), "fixed": 200}


def tasks(plan):
    counts = QUICK["counts"] if plan.quick else COUNTS
    cases = {"irrelevant": counts, "alpha": ALPHAS, "sigma": SIGMAS, "convergence": WIDTHS}
    if plan.quick:
        cases = {name: some[:3] for name, some in cases.items()}
    return [Task(Key(case, str(value), 0)) for case, some in cases.items() for value in some]


def work(key, plan, needed):
    """Weights, residuals and time of one fit."""
    value = float(key.method)
    sigma = value if key.case in ("sigma", "convergence") else SIGMA
    alpha = value if key.case == "alpha" else ALPHA
    n = QUICK["fixed"] if plan.quick else N_FIXED
    n = int(value) if key.case == "irrelevant" else n
    X, y = datasets.make_spiral(n_irrelevant=n, dtype=np.float32, random_state=0, return_X_y=True)
    began = time.process_time()
    lofe = LOFE(sigma, alpha, order="weight", n_jobs=1).fit(X, y)
    spent = time.process_time() - began
    others = np.sort(lofe.weights_[2:])[::-1]
    rows = [row for row in lofe.history_ if row["start"] == lofe.init_]
    asked = [row for row in rows if (row["sigma"], row["alpha"]) == (sigma, alpha)]
    return {
        "relevant": lofe.weights_[:2].round(4).tolist(),
        "others": others[others > 0][:50].round(4).tolist(),
        "n_others": int((others > 0).sum()),
        "gap": float(f"{lofe.optimality_gap_:.1e}"),
        "converged": bool(lofe.converged_),
        "start": lofe.init_,
        "n_before": len(rows) - len(asked),
        "residuals": [float(f"{row['residual']:.2e}") for row in asked],
        "fit_seconds": round(spent, 3),
    }


def seconds(key):
    """CPU seconds of one task, as measured."""
    return 0.5 + 5e-5 * int(key.method) if key.case == "irrelevant" else 0.6


EXPERIMENT = Experiment(
    name="lofe-spiral",
    tasks=tasks,
    work=work,
    seconds=seconds,
    protocol={
        "n_fixed": N_FIXED,
        "lofe": [SIGMA, ALPHA],
        "cases": [COUNTS, ALPHAS, SIGMAS, WIDTHS],
    },
)
