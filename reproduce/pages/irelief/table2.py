"""Section on I-RELIEF's Table 2 and Figs. 5 and 6: errors and recovery."""

import numpy as np

from reproduce.experiments.irelief.table2 import EXPERIMENT, GRIDS, K_GRID, N_RUNS, TABLE
from reproduce.harness.markdown import table
from reproduce.harness.records import best_on_test, chosen_on_training, values
from reproduce.harness.section import Section
from reproduce.harness.statistics import compared, mean_of, p_text, p_value, parsed, value_counts
from reproduce.pages.irelief.table2_checks import LEVEL, case_of, checks, rows_in
from reproduce.pages.irelief.table2_figures import COLORS, draw_errors, draw_recovery
from reproduce.pages.irelief.table2_reasons import reasons
from reproduce.pages.names import shown


def body(records):
    """Errors beside the published ones, areas under the ROC curves."""
    rows = rows_in(records)
    parts = [
        "Test error of KNN in percent, mean(sd) over the runs: ours / published, difference in "
        "standard errors. The number of features is chosen by 10-fold cross-validation on the "
        "training data, every fold ranking for itself; p is that of a paired t-test between "
        f"I-RELIEF and RELIEF-F, whose level is {LEVEL} as published.",
        errors_table(records, rows),
        "As published, K of KNN is tuned once, by 10-fold cross-validation on the training data in "
        "the original feature space, and kept for every number of features. The paper sets that "
        "space against a subset of features, so we read it as all features, the added ones "
        "included, with the labels at hand. KNN on clean data, without added features and wrong "
        "labels, has a K of its own.",
        grids_sentence(records, rows),
        "With the best number of features on the test data, and the area under the ROC curve of "
        "original against added features.",
        recovery_table(records, rows),
    ]
    return "\n\n".join(parts)


def errors_table(records, rows):
    lines, names = [], ("knn_clean", "knn_noisy", "irelief", "relieff")
    for row in rows:
        case, theirs = case_of(row), dict(zip(TABLE["columns"], row[1:], strict=True))
        plain = [
            [v[0] for v in values(records, case, m, "test")] for m in ("knn_clean", "knn_noisy")
        ]
        ours = [*plain, *(chosen_on_training(records, case, m) for m in ("irelief", "relieff"))]
        cells = [compared(v, parsed(theirs[n], N_RUNS)) for v, n in zip(ours, names, strict=True)]
        p = p_value(*ours[2:])
        ours_p = "–" if np.isnan(p) else p_text(p, 2)
        lines.append([case, *cells, f"{ours_p} / {p_text(theirs['p_value'], 2)}"])
    head = ["set, wrong labels", *map(shown, names), "p"]
    return table(head, lines)


def grids_sentence(records, rows):
    """The grids, and how often each of their values was chosen."""
    cases = [case_of(row) for row in rows]
    tables = {"K": ("knn_noisy", "K", K_GRID)}
    tables["σ of I-RELIEF"] = ("irelief", *GRIDS["irelief"])
    tables["neighbors of RELIEF-F"] = ("relieff", *GRIDS["relieff"])
    counts = [
        f"{name} {value_counts(tuned(records, cases, method, field), grid)}"
        for name, (method, field, grid) in tables.items()
    ]
    return (
        "The paper prints no grids. Ours, and how often each value was chosen in all cases: "
        f"{'; '.join(counts)}."
    )


def tuned(records, cases, method, field):
    """What was chosen for one parameter in every case and run."""
    if field == "K":
        return [K for case in cases for K in values(records, case, method, "K")]
    return [p[field] for case in cases for p in values(records, case, method, "parameters")]


def recovery_table(records, rows):
    lines = []
    for row in rows:
        cells = []
        for method in COLORS:
            errors = best_on_test(records, case_of(row), method)
            area = mean_of(values(records, case_of(row), method, "auc"))
            cells.append(f"{mean_of(errors)}; {area.mean:.3f}" if errors else "")
        lines.append([case_of(row), *cells])
    return table(["set, wrong labels", *map(shown, COLORS)], lines)


SECTION = Section(
    experiment=EXPERIMENT,
    title="I-RELIEF, Table 2 and Figs. 5 and 6: nine sets with 50 irrelevant features",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"irelief-fig5": draw_errors, "irelief-fig6": draw_recovery},
)
