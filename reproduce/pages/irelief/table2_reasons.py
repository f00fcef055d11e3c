"""Reasons why cases of I-RELIEF's Table 2 are not won, from the numbers of the runs."""

import numpy as np

from reproduce.experiments.irelief.table2 import GRIDS, N_RUNS
from reproduce.harness.markdown import table
from reproduce.harness.records import best_on_test, chosen_on_training, values
from reproduce.harness.statistics import FAR, difference, mean_of, outcome, parsed, tally
from reproduce.pages.irelief.table2_checks import (
    LEVEL,
    N_WON,
    apart_of,
    case_of,
    largest_area,
    outcome_with,
    printed_cell,
    rows_in,
)
from reproduce.pages.names import shown


def reasons(records):
    """What the records say of cases that are not won, are lost, or have the smaller area."""
    rows = rows_in(records)
    return "\n\n".join(
        [
            not_won(records, rows),
            far_from_published(records, rows),
            "Errors with one number of neighbors of RELIEF-F in all runs, the number of features "
            "chosen as before; last, how I-RELIEF as tuned does against it.",
            fixed_table(records, rows, "relieff"),
            nearest_sentence(records, rows),
            "Errors with one σ of I-RELIEF in all runs; last, how it does against RELIEF-F as "
            "tuned.",
            fixed_table(records, rows, "irelief"),
            smaller_areas(records, rows),
        ]
    )


def not_won(records, rows):
    """Cases won as published and not here, and what is lost."""
    results = {case_of(row): outcome_with(records, case_of(row), {}) for row in rows}
    missed = [case_of(row) for row in rows if row[-1] <= LEVEL and results[case_of(row)] != "win"]
    lost = [case for case, result in results.items() if result == "loss"]
    return (
        f"Fewer wins than published: of the {N_WON} cases won there, these are not won here: "
        f"{', '.join(missed) or 'none'}. "
        + (" ".join(loss(records, case) for case in lost) if lost else "None is lost.")
    )


def loss(records, case):
    """Whether a case is lost by the ranking, or by the number of features chosen."""
    ours, theirs = (mean_of(chosen_on_training(records, case, m)) for m in ("irelief", "relieff"))
    looked = [best_on_test(records, case, method) for method in ("irelief", "relieff")]
    both = " and ".join(str(mean_of(errors)) for errors in looked)
    by_ranking = outcome(*looked, LEVEL) == "loss"
    return (
        f"Lost: {case}, {ours} and {theirs}; with the best number of features on the test data "
        f"{both}, so it is {'the ranking' if by_ranking else 'the number of features chosen'}."
    )


def far_from_published(records, rows):
    """Where our errors are far from the published ones, in either direction."""
    parts = []
    for method in ("relieff", "irelief"):
        apart = {case_of(row): apart_of(records, row, method) for row in rows}
        far = [f"{case} ({value:+.1f})" for case, value in apart.items() if abs(value) >= FAR]
        parts.append(
            f"Our {shown(method)} is at least {FAR:g} standard errors from the published one on "
            f"{', '.join(far) or 'no case'}."
        )
    return " ".join(parts)


def fixed_table(records, rows, method):
    """Errors of a method with every value of its grid, and how I-RELIEF does then."""
    grid = GRIDS[method][1]
    order = np.argsort(grid)
    lines, results = [], []
    for row in rows:
        case = case_of(row)
        fixed = np.transpose(values(records, case, method, "fixed"))[order].tolist()
        columns = [chosen_on_training(records, case, method), *fixed]
        lines.append([case, printed_cell(row, method), *map(mean_of, columns)])
        results.append([outcome_with(records, case, {method: errors}) for errors in columns])
    tallies = [tally(column) for column in zip(*results, strict=True)]
    head = ["set, wrong labels", "published", "tuned", *(f"{grid[k]:g}" for k in order)]
    return table(head, [*lines, ["win/tie/loss", "", *tallies]])


def nearest_sentence(records, rows):
    """With how many neighbors RELIEF-F is most like the published one, and what I-RELIEF wins."""
    grid = GRIDS["relieff"][1]
    apart, results = [], []
    for row in rows:
        case, theirs = case_of(row), parsed(printed_cell(row, "relieff"), N_RUNS)
        fixed = np.transpose(values(records, case, "relieff", "fixed")).tolist()
        apart.append([abs(difference(mean_of(errors), theirs)) for errors in fixed])
        results.append([outcome_with(records, case, {"relieff": errors}) for errors in fixed])
    k = int(np.argmin(np.mean(apart, axis=0)))
    return (
        f"The published errors of RELIEF-F are closest to ours with {grid[k]} neighbors in all "
        f"cases, by the mean difference in standard errors; against those, I-RELIEF has "
        f"{tally([result[k] for result in results])}. That suggests that the published RELIEF-F "
        "was tuned over fewer neighbors than ours, and many neighbors are what makes it withstand "
        "wrong labels."
    )


def smaller_areas(records, rows):
    """Cases in which another method has the larger area, and what ties have to do with it."""
    largest = {case_of(row): largest_area(records, case_of(row)) for row in rows}
    others = [f"{case} ({shown(m)})" for case, m in largest.items() if m != "irelief"]
    return (
        f"Another method has the largest area under the ROC curve on "
        f"{', '.join(others) or 'no case'}. The weights of I-RELIEF are never negative: all "
        "features at zero are tied, which is the straight part of its curves in Fig. 6, while "
        "RELIEF-F goes on ranking by negative weights. Original features that I-RELIEF drops count "
        "against it here."
    )
