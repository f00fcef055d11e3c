"""FREL, Fig. 2: stability of Log+L2 by gamma."""

import numpy as np

from hitmiss import FREL
from hitmiss.metrics import ranking_stability
from reproduce.experiments.frel.fig1 import QUICK, SCALING, SETS
from reproduce.experiments.frel.methods import FREL_SETTINGS, GAMMAS, PLAIN, SCALINGS, Method
from reproduce.experiments.frel.readings import SOLVER_NAMES
from reproduce.experiments.frel.subsampling import (
    N_MEMBERS,
    N_SAMPLES,
    SHARE,
    fit_all,
    stability_by_members,
    subsets,
)
from reproduce.experiments.steps import splits
from reproduce.harness.experiment import Experiment, Key, Task

LOSS, PENALTY, _ = FREL_SETTINGS["Log+L2"]
N_NEIGHBORS = 1


def tasks(plan):
    names, gammas = (SETS[:1], GAMMAS[:2]) if plan.quick else (SETS, GAMMAS)
    return [
        Task(Key(name, f"{solver}, {gamma:g}", 0))
        for name in names
        for solver in SOLVER_NAMES
        for gamma in gammas
    ]


def work(key, plan, needed):
    """Stability alone, and of the ensemble by both measures."""
    solver, gamma = key.method.split(", ")
    X, y = splits.dataset(key.case)
    X = SCALINGS[SCALING](np.asarray(X[:, : QUICK["n_genes"] if plan.quick else None], float))
    draws = subsets(len(y), n_members=QUICK["n_members"] if plan.quick else N_MEMBERS)
    draws = draws[: QUICK["n_samples"]] if plan.quick else draws
    frel = FREL(LOSS, PENALTY, float(gamma), n_neighbors=N_NEIGHBORS, solver=solver, **PLAIN)
    single, members = fit_all(Method(frel), X, y, draws)
    found = {by: some[members.shape[1]] for by, some in stability_by_members(members).items()}
    return {form: round(v, 4) for form, v in {"alone": ranking_stability(single), **found}.items()}


EXPERIMENT = Experiment(
    name="frel-fig2",
    tasks=tasks,
    work=work,
    seconds=lambda key: 25.0,
    protocol={
        "n_samples": N_SAMPLES,
        "share": SHARE,
        "n_members": N_MEMBERS,
        "scaling": SCALING,
        "loss": LOSS,
        "penalty": PENALTY,
        "gammas": GAMMAS,
        "n_neighbors": N_NEIGHBORS,
    },
)
