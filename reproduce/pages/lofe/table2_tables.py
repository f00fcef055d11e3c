"""Tables of errors, outcomes and times beside LOFE's Tables 2 and 3."""

import numpy as np

from reproduce.experiments.lofe.table2 import N_IRRELEVANT, N_RUNS, NESTED, TABLE2
from reproduce.experiments.lofe.table2_methods import SELECTORS, WEIGHTED
from reproduce.experiments.published import PUBLISHED, printed
from reproduce.harness.markdown import table
from reproduce.harness.records import best_on_test, chosen_on_training, values
from reproduce.harness.statistics import compared, mean_of, outcome, p_text, p_value, parsed, tally
from reproduce.pages.names import shown

TABLE3 = PUBLISHED["lofe_table3"]
TABLE3_COLUMN = {"rfe_rbf": "rfe"}  # of methods that have another name there
REFERENCES = ("svm_original", "svm_all")
# Sets that LOFE loses to a baseline as published: those that the baseline wins.
LOST = {name: int(text.split("/")[0]) for name, text in TABLE2["tally"].items()}


def published(case, method):
    return parsed(printed(TABLE2, case, method), N_RUNS)


def by_set(head, cell, sets, methods):
    """Table with a row per set, a column per method, and a cell from both."""
    rows = [[name, *(cell(name, method) for method in methods)] for name in sets]
    return table(["set", *head], rows)


def names(methods):
    return [shown(method) for method in methods]


def errors_table(records, sets):
    methods = [*REFERENCES, *SELECTORS]
    return by_set(
        names(methods),
        lambda name, method: compared(best_on_test(records, name, method), published(name, method)),
        sets,
        methods,
    )


def outcomes_table(records, sets):
    rows = []
    for name in sets:
        ours = best_on_test(records, name, "lofe")
        theirs = [best_on_test(records, name, baseline) for baseline in LOST]
        rows.append([name, *(with_p(ours, some) for some in theirs)])
    rows.append(["all", *(tally_cell(records, sets, baseline) for baseline in LOST)])
    return table(["set", *names(LOST)], rows)


def with_p(ours, theirs):
    result = outcome(ours, theirs)
    return result if result == "open" else f"{result}, {p_text(p_value(ours, theirs))}"


def tally_cell(records, sets, baseline):
    """Wins, ties and losses of LOFE: ours / published."""
    theirs = "/".join(reversed(TABLE2["tally"][baseline].split("/")))
    return f"{tally(outcomes(records, sets, baseline))} / {theirs}"


def outcomes(records, sets, baseline, method="lofe"):
    return [
        outcome(best_on_test(records, n, method), best_on_test(records, n, baseline)) for n in sets
    ]


def chosen_table(records, sets):
    return by_set(
        names(NESTED),
        lambda name, method: mean_of(chosen_on_training(records, name, method)),
        sets,
        NESTED,
    )


def own_table(records, sets):
    rows = [
        [
            name,
            f"{mean_of(values(records, name, 'lofe', 'fdr_per_1000'))} / "
            f"{printed(TABLE2, name, 'lofe_fdr_per_1000')}",
            counts(records, name, "lofe"),
            mean_of(values(records, name, "lofe", "own")),
            mean_of(values(records, name, WEIGHTED, "own")),
            mean_of(values(records, name, "lofe", "rule")),
        ]
        for name in sets
    ]
    head = ["set", "FDR", "features, irrelevant", "SVM", "SVM, times weights", "LOFE's rule"]
    return table(head, rows)


def counts(records, case, method):
    """Mean numbers of the features that LOFE selects, and of the irrelevant ones among them."""
    if not (n := values(records, case, method, "n_selected")):
        return "–"
    share = np.mean(values(records, case, method, "fdr_per_1000")) / 1000
    return f"{np.mean(n):.1f}, {share * N_IRRELEVANT:.1f}"


def times_table(records, sets):
    def cell(name, method):
        theirs = dict(zip(TABLE3["columns"], TABLE3["rows"][name], strict=True))
        ours = mean_of(values(records, name, method, "fit_seconds"))
        return f"{ours} / {theirs[TABLE3_COLUMN.get(method, method)]}"

    return by_set(names(SELECTORS), cell, sets, SELECTORS)
