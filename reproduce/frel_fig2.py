"""FREL, Fig. 2: stability of Log+L2 grows with gamma."""

import numpy as np

from benchmarks.stability_table import GAMMAS, PLAIN, SCALINGS, fit_all, stabilities, subsets
from hitmiss import FREL
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.frel_fig1 import N_MEMBERS, QUICK
from reproduce.frel_fig1_page import SETS
from reproduce.page import table

SOLVERS = ("exact", "paper")
FLAT = 0.002  # a smaller step is none


def tasks(plan):
    names, gammas = (SETS[:1], GAMMAS[:2]) if plan.quick else (SETS, GAMMAS)
    return [
        Task(Key(name, f"{solver}, {gamma:g}", 0))
        for name in names
        for solver in SOLVERS
        for gamma in gammas
    ]


def work(key, plan, needed):
    """Stability alone and of the ensemble."""
    solver, gamma = key.method.split(", ")
    X, y = protocol.dataset(key.case)
    X = SCALINGS["[0, 1]"](np.asarray(X[:, : QUICK["n_genes"] if plan.quick else None], float))
    draws = subsets(len(y), n_members=QUICK["n_members"] if plan.quick else N_MEMBERS)
    frel = FREL("log", "l2", float(gamma), solver=solver, **PLAIN)
    found = stabilities(
        *fit_all((frel, {}), X, y, draws[: QUICK["n_samples"]] if plan.quick else draws)
    )
    return {"alone": round(found["single"], 4), "ensemble": round(found["ranks"], 4)}


def page(records):
    """Stability by gamma."""
    found = curves(records)
    gammas = [gamma for gamma, _ in next(iter(found.values()))]
    rows = [[*name, *(value for _, value in some)] for name, some in found.items()]
    return "\n\n".join(
        [
            "Mean Spearman correlation of the rankings, features in [0, 1], one neighbor.",
            table(["set", "solver", "form", *(f"γ = {g:g}" for g in gammas)], rows),
        ]
    )


def checks(records):
    """Published: grows with gamma."""
    for name, some in curves(records).items():
        stability = [value for _, value in some]
        text = f"{', '.join(name)}: grows with γ, no step down by {FLAT} or more"
        found = f"{stability[0]:.3f} to {stability[-1]:.3f}"
        yield Check((np.diff(stability) > -FLAT).all(), text, found)


def curves(records):
    """(set, solver, form) -> stability by gamma."""
    return {
        (case, solver, form): curve(records, case, solver, form)
        for case in sorted({key.case for key in records})
        for solver in SOLVERS
        for form in ("alone", "ensemble")
    }


def curve(records, case, solver, form):
    """(gamma, stability), by gamma."""
    return sorted(
        (float(key.method.split(", ")[1]), record[form])
        for key, record in records.items()
        if key.case == case and key.method.startswith(solver)
    )


def draw(records):
    """Stability against gamma."""
    import matplotlib.pyplot as plt

    cases = sorted({key.case for key in records})
    figure, axes = plt.subplots(
        1, len(cases), figsize=(4 * len(cases), 3.2), layout="constrained", squeeze=False
    )
    for ax, case in zip(axes[0], cases, strict=True):
        for solver in SOLVERS:
            for form in ("alone", "ensemble"):
                some = curve(records, case, solver, form)
                ax.semilogx(*zip(*some, strict=True), "o-", label=f"{solver}, {form}")
        ax.set(title=case, xlabel="γ", ylabel="stability")
        ax.legend(fontsize=7)
    return figure


EXPERIMENT = Experiment(
    name="frel-fig2",
    title="FREL, Fig. 2: stability and γ",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"frel-fig2": draw},
    seconds=lambda key: 25.0,
    protocol={"n_members": N_MEMBERS},
)
