"""What is shown of FREL's Figs. 1 and 3 to 5."""

import itertools

import numpy as np

from hitmiss.metrics import stability_accuracy_tradeoff
from reproduce.page import table

SETS = ("leukemia_golub", "tox_171", "prostate_singh")
N_TOP = 50  # features that count as selected
COMPARED_BY = ("ranks, Spearman", "ranks, eq. 22")
OURS = ("Log+L1", "Log+L2", "Square+L2")


def page(records):
    """The published statements under each reading of the paper, then every number."""
    there = [name for name in SETS if any(key.case == name for key in records)]
    parts = [
        "Ensembles of 20 members, ten subsamples of 90 % of the rows, features in [0, 1]. The "
        "paper prints bars without numbers and leaves open what solves its eq. 2 (the exact "
        "minimizer, or one literal pass of Algorithm 1), how many neighbors count (k), and "
        "whether mean ranks are put in order before they are compared. More readings, and what "
        "eq. 22 rewards, are in [benchmarks/stability.md](../benchmarks/stability.md). SMK-CAN-187 "
        "is not to be had.",
        "Which published statements hold, of seven methods (En-Relief, En-ReliefF, En-Fisher, the "
        "three of FREL, VR-Lmba by itself):",
        statements_table(records, there),
        "Every number. Stability: of the method alone, of its ensemble by Spearman and by eq. 22; "
        "Nogueira's measure of the 50 best features of the ensemble, with its 95 % interval. "
        "Accuracy in percent of the ensemble with 50 features by 1NN, 3NN, linear and polynomial "
        "SVM, by 10-fold cross-validation around everything; of the method alone by 3NN; and the "
        "trade-off of stability (Spearman) and 3NN.",
        numbers_table(records, there),
        "Stability of the ensembles by number of members m (Spearman). Published: grows with m, "
        "saturates near 20.",
        growth_table(records, there),
    ]
    return "\n\n".join(parts)


def of(records, case):
    """Method -> record on one set."""
    return {key.method: record for key, record in records.items() if key.case == case}


def seven(found, solver, k):
    """Name -> record of the seven methods under one reading; those that are there."""
    names = {name: name for name in ("Relief", "ReliefF", "Fisher")}
    names |= {name: f"{name}, {solver}, k = {k}" for name in OURS}
    names["VR-Lmba"] = f"VR-Lmba, {solver}, k = 10"
    return {name: found[method] for name, method in names.items() if method in found}


def stability_of(name, record, by):
    return record["alone"] if name == "VR-Lmba" else record[by]


def statements_table(records, there):
    head = ["set", "solver", "k", "compared by", "Log+L1 lowest", "both +L2 highest"]
    rows = []
    for case, solver, k, by in itertools.product(there, ("exact", "paper"), (1, 10), COMPARED_BY):
        found = seven(of(records, case), solver, k)
        if not set(OURS[:2]) <= set(found):
            continue
        value = {name: stability_of(name, record, by) for name, record in found.items()}
        best = sorted(value, key=value.get, reverse=True)
        lowest, highest = best[-1] == "Log+L1", {*best[:2]} == {"Log+L2", "Square+L2"}
        row = [case, solver, k, by, yes(lowest), yes(highest), best_tradeoff(found, by)]
        rows.append(row)
    return table([*head, "best trade-off (3NN)"], rows)


def yes(held):
    return "yes" if held else "**no**"


def best_tradeoff(found, by):
    """Name of the method with the best trade-off; published: one of the L2 ensembles."""
    value = {
        name: stability_accuracy_tradeoff(
            stability_of(name, record, by), record["accuracy"]["ensemble"]["3NN"]
        )
        for name, record in found.items()
    }
    return max(value, key=value.get)


def numbers_table(records, there):
    rows = []
    for case in there:
        for method, r in of(records, case).items():
            middle, low, high = r["selection"]
            by_name = r["accuracy"]["ensemble"]
            tradeoff = stability_accuracy_tradeoff(r["ranks, Spearman"], by_name["3NN"])
            cells = [f"{r[by]:.3f}" for by in ("alone", *COMPARED_BY)]
            cells.append(f"{middle:.3f} [{low:.3f}, {high:.3f}]")
            cells.append(" / ".join(f"{100 * v:.1f}" for v in by_name.values()))
            cells.append(f"{100 * r['accuracy']['alone']['3NN']:.1f}")
            rows.append([case, method, *cells, f"{tradeoff:.3f}"])
    head = ["set", "method", "alone", "Spearman", "eq. 22", "Nogueira", "accuracy", "3NN alone"]
    return table([*head, "trade-off"], rows)


def growth_table(records, there):
    rows = [
        [case, method, *record["growth"].values()]
        for case in there
        for method, record in of(records, case).items()
    ]
    sizes = next(iter(records.values()))["growth"]
    return table(["set", "method", *(f"m = {m}" for m in sizes)], rows)


def draw(records):
    """Bars: Nogueira's stability with its interval, and accuracy by 3NN."""
    import matplotlib.pyplot as plt

    there = [name for name in SETS if any(key.case == name for key in records)]
    figure, axes = plt.subplots(
        2,
        len(there),
        figsize=(5 * len(there), 6),
        layout="constrained",
        squeeze=False,
        sharex="col",
    )
    for (upper, lower), case in zip(axes.T, there, strict=True):
        found = of(records, case)
        x = np.arange(len(found))
        middle, low, high = np.array([r["selection"] for r in found.values()]).T
        upper.bar(x, middle, yerr=[middle - low, high - middle], color="C0")
        upper.set(title=case, ylabel="Nogueira's stability, top 50")
        lower.bar(x, [r["accuracy"]["ensemble"]["3NN"] for r in found.values()], color="C1")
        lower.set(ylabel="accuracy, 3NN", ylim=(0.4, 1))
        lower.set_xticks(x, found, rotation=90, fontsize=7)
    return figure
