"""Checks of I-RELIEF's Table 2 and Figs. 5 and 6, and the comparisons they use."""

import numpy as np

from reproduce.experiments.irelief.table2 import CASES, N_RUNS, TABLE
from reproduce.harness.records import chosen_on_training, values
from reproduce.harness.section import Check
from reproduce.harness.statistics import FAR, difference, mean_of, outcome, parsed, tally

LEVEL = 0.03  # of the t-test
N_WON = sum(row[-1] <= LEVEL for row in TABLE["rows"])  # as published; the other cases are tied
ALMOST_ALL = 0.8


def checks(records):
    """What must hold, each with what was found; open as long as a run is missing."""
    rows = rows_in(records)
    done = complete(records, rows)
    results = [outcome_with(records, case_of(row), {}) for row in rows]
    pairs = zip(rows, results, strict=True)
    lost = [case_of(row) for row, result in pairs if result == "loss"]
    found = f"win/tie/loss {tally(results)}" + (f", lost: {', '.join(lost)}" if lost else "")
    tied = len(TABLE["rows"]) - N_WON
    text = f"losses: I-RELIEF never loses to RELIEF-F, {N_WON}/{tied}/0 as published"
    yield Check(not lost if done else None, text, found, "irelief outcomes")
    won = results.count("win")
    better = [case_of(row) for row in rows if apart_of(records, row, "relieff") <= -FAR]
    text, why = (
        f"wins: I-RELIEF wins at least {N_WON} times",
        f"our RELIEF-F is better than the published one in {len(better)} cases",
    )
    yield Check(won >= N_WON if done else None, text, f"{won}", "irelief outcomes", why)
    largest = [largest_area(records, case_of(row)) == "irelief" for row in rows]
    text = "the largest area under the ROC curve in almost all cases, 80 % of them"
    found = f"{sum(largest)} of {len(largest)}"
    yield Check(np.mean(largest) >= ALMOST_ALL if done else None, text, found)
    n_drawn = sum(bool(values(records, case_of(row), "irelief", "roc")) for row in rows)
    text, found = "ROC curves of all cases are drawn", f"{n_drawn} of {len(CASES)}"
    yield Check(n_drawn == len(CASES) if done else None, text, found, "irelief pictures")


def rows_in(records):
    """Rows of the published table that there are records for."""
    there = {key.case for key in records}
    return [row for row in TABLE["rows"] if case_of(row) in there]


def case_of(row):
    return f"{row[0]} {row[2]} %"


def complete(records, rows):
    """Whether every run of both methods is there, in all these cases."""
    return all(
        len(chosen_on_training(records, case_of(row), method)) >= N_RUNS
        for row in rows
        for method in ("irelief", "relieff")
    )


def outcome_with(records, case, errors):
    """ "win", "tie" or "loss" of I-RELIEF against RELIEF-F, with these errors where given."""
    both = {
        method: chosen_on_training(records, case, method) for method in ("irelief", "relieff")
    } | errors
    return outcome(both["irelief"], both["relieff"], LEVEL)


def apart_of(records, row, method):
    """Our error minus the published one, in standard errors."""
    ours = mean_of(chosen_on_training(records, case_of(row), method))
    return difference(ours, parsed(printed_cell(row, method), N_RUNS))


def printed_cell(row, method):
    """What a row of the published table prints for a method."""
    return row[1 + TABLE["columns"].index(method)]


def largest_area(records, case):
    """Method with the largest mean area under the ROC curve; of equal ones I-RELIEF."""
    areas = {m: values(records, case, m, "auc") for m in ("irelief", "relieff", "simba")}
    return max((m for m in areas if areas[m]), key=lambda m: np.mean(areas[m]))
