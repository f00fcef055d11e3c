"""Section on FREL's Fig. 2: stability by gamma."""

import itertools

from reproduce.experiments.frel.fig1 import SETS
from reproduce.experiments.frel.fig2 import EXPERIMENT, N_NEIGHBORS
from reproduce.experiments.frel.methods import GAMMAS
from reproduce.experiments.frel.readings import SOLVER_NAMES
from reproduce.experiments.frel.subsampling import EQ22, SPEARMAN
from reproduce.harness.markdown import bullets, table, yes
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.records import cases_in
from reproduce.harness.section import Check, Section
from reproduce.pages.frel.fig1_statements import FLAT, rises
from reproduce.pages.names import shown

FORMS = {"alone": "Log+L2", EQ22: f"En-Log+L2 by {EQ22}", SPEARMAN: f"En-Log+L2 by {SPEARMAN}"}
LITERAL = ("alone", EQ22)  # forms as the text has them
TEXT = f"""Stability of Log+L2 alone and of its ensemble, by the weights of one literal pass of
Algorithm 1 and by those of the minimizer of eq. 2, with one neighbor and features in [0, 1]. Alone
rankings are permutations, for which eq. 22 is Spearman's correlation; the mean ranks of ensembles
are put into eq. 22 as they are, as the text has it, or put in order first (Spearman). The paper
shows leukemia and prostate, says that the others are alike, and prints no numbers. The last column
says whether the stability grows, that is, rises by {FLAT} or more from the first to the last γ and
takes no step down by so much; that bound is ours."""


def body(records):
    """Stability by gamma."""
    found = curves(records)
    gammas = sorted({gamma for some in found.values() for gamma, _ in some})
    rows = [
        [shown(case), SOLVER_NAMES[solver], FORMS[form], *cells(some, gammas), yes(grows(some))]
        for (case, solver, form), some in found.items()
    ]
    head = ["set", "solver", "form", *(f"γ = {g:g}" for g in gammas), "grows"]
    return "\n\n".join([TEXT, table(head, rows)])


def cells(some, gammas):
    """Stability at each of the gammas, where it is known."""
    known = dict(some)
    return [f"{known[gamma]:.3f}" if gamma in known else "–" for gamma in gammas]


def checks(records):
    """Published: grows with gamma; by eq. 22, for each solver. And whether all is judged."""
    found = {name: some for name, some in curves(records).items() if name[-1] in LITERAL}
    for (case, solver, form), some in found.items():
        text = f"{shown(case)}: stability of {FORMS[form]} grows with γ ({reading(solver)})"
        yield Check(grows(some), text, " to ".join(f"{v:.3f}" for _, v in (some[0], some[-1])))
    whole = [name for name, some in found.items() if len(some) == len(GAMMAS)]
    complete = len(whole) == len(SETS) * len(SOLVER_NAMES) * len(LITERAL)
    n_held = sum(grows(some) is True for some in found.values())
    text = "growth is judged for every set and solver, alone and as an ensemble"
    text_found = f"{n_held} of {len(found)} grow"
    yield Check(True if complete else None, text, text_found, aim="frel orders")


def reading(solver):
    return f"{SOLVER_NAMES[solver]}, k = {N_NEIGHBORS}"


def grows(some):
    """Whether the stability rises with gamma; None of a single gamma."""
    return rises([value for _, value in some]) if len(some) > 1 else None


def steps_down(some):
    """Gammas from and to which the stability falls."""
    return [
        (first, second) for (first, a), (second, b) in itertools.pairwise(some) if b - a <= -FLAT
    ]


PASS = """In the literal pass of Algorithm 1 every step has length 1 whatever γ is: γ is not the
weight of a penalty in a minimum there, and the theorem about stability does not speak of it."""


def reasons(records):
    """Where the stability does not grow."""
    flat = {name: some for name, some in curves(records).items() if grows(some) is False}
    lines = [
        f"{shown(case)}, {FORMS[form]} ({reading(solver)}): {instead(some)}."
        for (case, solver, form), some in flat.items()
    ]
    literal = [PASS] if any(solver == "paper" for _, solver, _ in flat) else []
    return "\n\n".join([bullets(lines), *literal])


def instead(some):
    """What a curve does that does not grow."""
    steps = [f"from γ = {first:g} to {second:g}" for first, second in steps_down(some)]
    return f"it falls {', '.join(steps)}" if steps else "it does not rise"


def curves(records):
    """(set, solver, form) -> stability by gamma."""
    return {
        (case, solver, form): some
        for case in cases_in(records, SETS)
        for solver in SOLVER_NAMES
        for form in FORMS
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
    """Stability against gamma: a color per solver, a line style per form."""
    there = cases_in(records, SETS)
    figure, axes = panels(len(there), 3, 3.4, sharey=True)
    colors = dict(zip(SOLVER_NAMES, ("C0", "C1"), strict=True))
    styles = dict(zip(FORMS, ("o:", "o-", "s--"), strict=True))
    for (case, solver, form), some in curves(records).items():
        label = f"{SOLVER_NAMES[solver]}, {FORMS[form]}"
        ax = axes[there.index(case)]
        ax.semilogx(*zip(*some, strict=True), styles[form], color=colors[solver], ms=4, label=label)
    for ax, case in zip(axes, there, strict=True):
        ax.set(title=shown(case), xlabel="γ")
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("stability")
    shared_legend(figure, 2)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="FREL, Fig. 2: stability and γ",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"frel-fig2": draw},
)
