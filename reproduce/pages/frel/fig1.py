"""Section on FREL's Figs. 1 and 3 to 5: verdicts and numbers under every reading."""

import numpy as np

from hitmiss.metrics import nogueira_stability
from reproduce.experiments.frel.fig1 import EXPERIMENT, SETS
from reproduce.experiments.frel.readings import N_METHODS, READINGS, SOLVER_NAMES
from reproduce.experiments.frel.subsampling import EQ22, SPEARMAN
from reproduce.harness.markdown import bullets, table, yes
from reproduce.harness.records import cases_in
from reproduce.harness.section import Section
from reproduce.pages.frel.fig1_figures import draw_accuracy, draw_members, draw_stability
from reproduce.pages.frel.fig1_statements import (
    FLAT,
    STATEMENTS,
    best_tradeoffs,
    by_method,
    checks,
    seven,
    stability,
    supports,
    tally,
    tradeoffs,
    verdicts,
)
from reproduce.pages.names import shown

INTRO = """Seven methods: ensembles of Relief, ReliefF (ten neighbors), the Fisher score, and FREL
as Log+L1 (γ = 0.01), Log+L2 (γ = 1) and Square+L2 (γ = 0.1); and VR-Lmba by itself. Ensembles have
20 members of 90 % of the rows; stability is that of ten subsamples of 90 %. All this is printed,
and so is that FREL has one nearest hit and one nearest miss (eqs. 8 and 9, Algorithm 1), that the
largest weight ranks first, and that an ensemble is ranked by its mean ranks (section IV-B).

The paper prints bars without numbers, and leaves open

- what the weights are: Algorithm 1 is "an example" of how to minimize eq. 2, and one pass of it is
  far from the minimizer;
- whether mean ranks are put in order before they are compared: eq. 22 is Spearman's correlation of
  permutations only, and mean ranks are none;
- how features are scaled: here to [0, 1], for stability over the whole set, for accuracy by the
  training data; and whether w or |w| counts where weights are negative: here w. The others are in
  `benchmarks/stability.md`;
- how many neighbors Lmba has: here ten; and degree and C of the polynomial SVM: here 3 and 1.

Read literally it is one pass of Algorithm 1, one neighbor, and eq. 22 of mean ranks as they are.
Beside this reading there are the minimizer, Spearman's correlation, FREL with ten neighbors, which
is ours, and Nogueira's measure of the 50 best features, which the paper does not have: 12 readings.
By Nogueira's measure a statement holds if each of its pairs differs in its sense in a two-sided
test at 5 % (`stability_difference`), does not if one differs in the other sense, and is open
otherwise. The test takes all selections for independent. Ours are from overlapping subsamples,
which are also the same for all methods, and there is no correction for many pairs: it tells
these subsamples apart, not populations.

SMK-CAN-187 is not to be had. The prostate set has the 136 rows of the paper, which come from two
experiments: rows 102 to 135 have about 12 times the mean intensity of the others and another class
balance. Nothing is done about it here; the paper does not say whether something was.

Lmba (Fig. 3) and VR-Lmba (the other figures) agree in every digit, so that only VR-Lmba is shown.
With more features than samples the loss, which has no penalty, can be made zero whatever the
samples weigh; and a step of Algorithm 1 is divided by its length, which takes the weight of its
sample out."""
SUMMARY = f"""Each published statement: whether it holds read literally, and under how many of the
readings. Growth is not measured by Nogueira's measure, and accuracy does not depend on any. The
paper gives no bounds; those for "saturates" and "comparable" are ours, and so is that stability
grows if it ends {FLAT} or more higher and takes no step down by so much. Of "a better trade-off"
this is the weaker sense, that one of the two is best."""
NUMBERS = """Stability of the method alone, and of its ensemble by eq. 22 and by Spearman;
Nogueira's measure of the best features of the ensemble, with its 95 % interval, and how many
these are: 50, fewer where features tie across the 50th place, as those of weight 0 do. Accuracy in
percent with the best features by 1NN / 3NN / linear SVM / polynomial SVM, mean of 10 folds with
the selection inside, alone (Fig. 3) and of the ensemble (Fig. 4); and the trade-off, the harmonic
mean of accuracy and stability by eq. 22 (Fig. 5)."""

PICTURES = """The first picture below is Fig. 1 under all readings. The others are read literally:
stability by number of members, by Spearman as well, and accuracy and trade-off (Figs. 3 to 5)."""


def body(records):
    """What holds, then every verdict and every number."""
    there = cases_in(records, SETS)
    return "\n\n".join(
        [
            INTRO,
            SUMMARY,
            summary_table(records, there),
            folded("Verdicts under every reading", verdicts_table(records, there)),
            folded("Every number", f"{NUMBERS}\n\n{numbers_table(records, there)}"),
            folded("Stability by number of members m", members_table(records, there)),
            PICTURES,
        ]
    )


def folded(title, text):
    """Markdown that is shown when its title is clicked."""
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>"


def summary_table(records, there):
    rows = []
    for statement in STATEMENTS:
        found = [verdicts(records, case, statement) for case in there]
        literal = statement.readings[0]
        rows.append([statement.claim, *(f"{yes(some[literal])}; {tally(some)}" for some in found)])
    return table(["statement", *map(shown, there)], rows)


def verdicts_table(records, there):
    """A row per set and reading; the methods of the best trade-off are named."""
    rows = []
    for case in there:
        found = [verdicts(records, case, statement) for statement in STATEMENTS]
        for reading in READINGS:
            cells = [cell(each, reading) for each in found]
            rows.append([shown(case), reading, *cells, best_names(records, case, reading)])
    head = ["L1 lowest", "L2 highest", "L2 trades best", "grows", "saturates", "L2 accurate"]
    return table(["set", "reading", *head, "best trade-offs"], rows)


def cell(found, reading):
    """Verdict under a reading, with its measure or without; a dash if there is none."""
    for key in (reading, reading._replace(by=None)):
        if key in found:
            return yes(found[key])
    return "–"


def best_names(records, case, reading):
    """Methods with the best trade-off, by classifier, if all seven are there."""
    found = seven(records, case, reading)
    if len(found) < N_METHODS:
        return "–"
    return " / ".join(best_tradeoffs(found, reading.by).values())


def titled(method):
    """Key of a method as it is shown."""
    name, *rest = method.split(", ")
    return ", ".join([name, *(SOLVER_NAMES.get(part, part) for part in rest)])


def without_lmba(records, case):
    """Method -> record on one set, without Lmba, which is VR-Lmba here."""
    return {name: r for name, r in by_method(records, case).items() if not name.startswith("Lmba")}


def numbers_table(records, there):
    rows = [
        [shown(case), titled(method), *numbers(record)]
        for case in there
        for method, record in without_lmba(records, case).items()
    ]
    head = ["set", "method", "alone", "eq. 22", "Spearman", "Nogueira", "features"]
    return table([*head, "accuracy alone", "accuracy", "trade-off"], rows)


def numbers(record):
    """Cells of one method on one set."""
    found = nogueira_stability(supports(record))
    yield f"{record['alone']:.3f}"
    for by in (EQ22, SPEARMAN):
        yield f"{stability(record, by):.3f}"
    yield f"{found.stability:.3f} [{found.lower:.3f}, {found.upper:.3f}]"
    yield f"{np.mean([len(some) for some in record['selected']]):.0f}"
    for form in ("alone", "ensemble"):
        yield " / ".join(f"{100 * share:.1f}" for share in record["accuracy"][form].values())
    yield " / ".join(f"{value:.3f}" for value in tradeoffs(record, EQ22).values())


def members_table(records, there):
    """Of those that have members, by eq. 22 and by Spearman."""
    rows = [
        [shown(case), titled(method), by, *(f"{value:.3f}" for value in some.values())]
        for case in there
        for method, record in without_lmba(records, case).items()
        for by, some in record["ensemble"].items()
        if len(some) > 1
    ]
    sizes = max((record["ensemble"][EQ22] for record in records.values()), key=len)
    return table(["set", "method", "compared by", *(f"m = {m}" for m in sizes)], rows)


REASONS = """Why the orders are others is open, as there are no published numbers to compare ours
with. Two things are known. Eq. 22 rewards an ensemble whose members disagree, since its mean ranks
lie close together. And the larger γ, the nearer the minimizer of Log+L2 comes to the mean margins,
which are the weights of Relief with one neighbor and much like those of ReliefF with ten, so that
it can hardly be more stable than these. Its ensembles and those by Spearman, and then what was
found instead, read literally:"""


def reasons(records):
    """What was found instead of the published orders."""
    there = cases_in(records, SETS)
    peers = [line for case in there for line in beside_relief(records, case)]
    lines = [line for case in there for line in found_instead(records, case)]
    return "\n\n".join([REASONS, bullets([*peers, *lines])])


def beside_relief(records, case):
    """Stability by Spearman of the minimizer of Log+L2, beside Relief and ReliefF."""
    there = by_method(records, case)
    pairs = (("Log+L2, exact, k = 1", "Relief"), ("Log+L2, exact, k = 10", "ReliefF"))
    names = [name for pair in pairs if set(pair) <= set(there) for name in pair]
    if names:
        cells = (f"{titled(name)} ({stability(there[name], SPEARMAN):.3f})" for name in names)
        yield f"{shown(case)}: {'; '.join(cells)}."


def found_instead(records, case):
    """One line for each statement that does not hold; two may have the same."""
    lines = {}
    for statement in STATEMENTS:
        literal = statement.readings[0]
        found = seven(records, case, literal)
        if verdicts(records, case, statement)[literal] is False:
            lines[f"{shown(case)}, {statement.instead(found, literal.by)}."] = None
    return list(lines)


SECTION = Section(
    experiment=EXPERIMENT,
    title="FREL, Figs. 1 and 3 to 5: stability and accuracy",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={
        "frel-fig1": draw_stability,
        "frel-members": draw_members,
        "frel-fig3-5": draw_accuracy,
    },
)
