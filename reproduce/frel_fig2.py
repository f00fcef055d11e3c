"""FREL, Fig. 2: stability of Log+L2 grows with gamma."""

import itertools

import numpy as np

from benchmarks.stability_table import GAMMAS, PLAIN, SCALINGS, fit_all, stabilities, subsets
from hitmiss import FREL
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.figures import panels, shared_legend
from reproduce.frel_fig1 import N_MEMBERS, QUICK
from reproduce.frel_fig1_page import SETS
from reproduce.page import table
from reproduce.statistics import cases_in

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
    gammas = sorted({gamma for some in found.values() for gamma, _ in some})
    rows = [[*name, *cells(some, gammas)] for name, some in found.items()]
    return "\n\n".join(
        [
            "Mean Spearman correlation of the rankings, features in [0, 1], one neighbor; of "
            "Log+L2 alone and of its ensemble. The paper shows leukemia and prostate.",
            table(["set", "solver", "form", *(f"γ = {g:g}" for g in gammas)], rows),
        ]
    )


def cells(some, gammas):
    """Stability at each of the gammas, where it is known."""
    known = dict(some)
    return [f"{known[gamma]:.3f}" if gamma in known else "–" for gamma in gammas]


def checks(records):
    """Published: grows with gamma."""
    for name, some in curves(records).items():
        text = f"{', '.join(name)}: grows with γ, no step down by {FLAT} or more"
        found = " to ".join(f"{value:.3f}" for _, value in (some[0], some[-1]))
        yield Check(not steps_down(some), text, found)


def steps_down(some):
    """Gammas from and to which the stability falls."""
    return [
        (first, second) for (first, a), (second, b) in itertools.pairwise(some) if b - a <= -FLAT
    ]


PASS = """In the literal pass of Algorithm 1 every step has length 1 whatever γ is: γ is not the
weight of a penalty in a minimum there, and the theorem about stability does not speak of it."""


def reasons(records):
    """Where the stability falls."""
    falls = {name: steps for name, some in curves(records).items() if (steps := steps_down(some))}
    lines = [
        f"- {', '.join(name)}: it falls from γ = "
        + ", ".join(f"{first:g} to {second:g}" for first, second in steps)
        + "."
        for name, steps in falls.items()
    ]
    literal = [PASS] if any(solver == "paper" for _, solver, _ in falls) else []
    return "\n\n".join(["\n".join(lines), *literal])


def curves(records):
    """(set, solver, form) -> stability by gamma."""
    return {
        (case, solver, form): some
        for case in cases_in(records, SETS)
        for solver in SOLVERS
        for form in ("alone", "ensemble")
        if (some := curve(records, case, solver, form))
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
    there = cases_in(records, SETS)
    figure, axes = panels(len(there), 3, 3.2)
    found = curves(records).items()
    for ax, case in zip(axes, there, strict=True):
        for (name, solver, form), some in found:
            if name == case:
                ax.semilogx(*zip(*some, strict=True), "o-", label=f"{solver}, {form}")
        ax.set(title=case, xlabel="γ", ylabel="stability")
    shared_legend(figure)
    return figure


EXPERIMENT = Experiment(
    name="frel-fig2",
    title="FREL, Fig. 2: stability and γ",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    reasons=reasons,
    figures={"frel-fig2": draw},
    seconds=lambda key: 25.0,
    protocol={"n_members": N_MEMBERS},
)
