"""Section on I-RELIEF's Figs. 7 to 9: recovery with right and with wrong labels."""

import numpy as np

from hitmiss.metrics import recovery_auc
from reproduce.experiments.irelief.fig7 import EXPERIMENT, METHODS, N_NEIGHBORS
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.section import Check, Section
from reproduce.pages.names import shown


def body(records):
    """How well the original features stand out."""
    cases = sorted({key.case for key in records})
    rows = [[case, *(recovered(records[Key(case, m, 0)]) for m in METHODS)] for case in cases]
    return "\n\n".join(
        [
            "One partition with 50 irrelevant features; area under the ROC curve of original "
            "against added features, and the largest weight of an added one, relative to the "
            f"largest of all. What tunes σ, and the neighbors of RELIEF-F, is KNN with K = "
            f"{N_NEIGHBORS}.",
            table(["set, wrong labels", *map(shown, METHODS)], rows),
        ]
    )


def recovered(record):
    w, n = record["weights"], record["n_original"]
    return f"{area(record):.3f}; {max(w[n:]):.2f}"


def area(record):
    """Area under the ROC curve of original against added features."""
    return recovery_auc(np.array(record["weights"]), np.arange(record["n_original"]))


def checks(records):
    """Published: I-RELIEF finds the original features best, with right and with wrong labels."""
    for case in sorted({key.case for key in records}):
        areas = {method: area(records[Key(case, method, 0)]) for method in METHODS}
        text = f"{case} wrong labels: I-RELIEF has the largest area"
        found = ", ".join(f"{shown(method)} {value:.3f}" for method, value in areas.items())
        yield Check(areas["irelief"] == max(areas.values()), text, found)


def reasons(records):
    """Which added features I-RELIEF weighs where another method has the larger area."""
    lines = []
    for case in sorted({key.case for key in records}):
        areas = {method: area(records[Key(case, method, 0)]) for method in METHODS}
        record = records[Key(case, "irelief", 0)]
        if areas["irelief"] < max(areas.values()):
            n, w = record["n_original"], np.array(record["weights"])
            lines.append(
                f"{case} wrong labels: I-RELIEF gives {np.sum(w[n:] > 0)} added features a weight, "
                f"the largest of them {w[n:].max():.2f}, and {np.sum(w[:n] == 0)} original ones "
                "none."
            )
    return bullets(lines)


def draw(records):
    """Weights of all features; the original ones come first."""
    cases = sorted({key.case for key in records})
    panel = [(case, method) for case in cases for method in METHODS]
    figure, axes = panels(len(panel), len(METHODS), 1.9)
    for ax, (case, method) in zip(axes, panel, strict=True):
        record = records[Key(case, method, 0)]
        x = np.arange(len(record["weights"]))
        ax.vlines(x, 0, record["weights"], lw=1.5, label="weight relative to the largest")
        end = record["n_original"] - 0.5
        ax.axvline(end, color="r", ls="--", lw=0.8, label="end of the original features")
        ax.set_title(f"{case}: {shown(method)}", fontsize=9)
    shared_legend(figure)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="I-RELIEF, Figs. 7 to 9: weights with right and wrong labels",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"irelief-fig7": draw},
)
