"""Section on LOFE's Fig. 8: how alike weights are with and without irrelevant features."""

import numpy as np

from reproduce.experiments.lofe.fig8 import EXPERIMENT
from reproduce.experiments.lofe.table2 import N_IRRELEVANT, SETS, TABLE2
from reproduce.experiments.published import printed
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.records import cases_in
from reproduce.harness.section import Check, Section

ALIKE = 0.95
SELECTED = 0.01  # of the largest weight
FDR = {name: printed(TABLE2, name, "lofe_fdr_per_1000") for name in TABLE2["rows"]}
MOST_SELECTED = int(
    max(rate for name, rate in FDR.items() if name != "diabetics") * N_IRRELEVANT / 1000
)
UNKNOWN = """Which partition, σ and α the published figure shows is not known. How many irrelevant
features a stronger or a weaker α lets in, over ten partitions, is in Table 1S below."""


def body(records):
    """How alike the weights are in the two cases."""
    rows = [
        [
            name,
            f"{cosine(records, name):.3f}",
            f"{cosine(records, name, only_original=True):.3f}",
            n_selected(records, name),
            f"{max(others(records, name), default=0):.2f}",
        ]
        for name in sets_in(records)
    ]
    head = ["set", "cosine", "cosine, original only", "irrelevant selected", "largest irrelevant"]
    return "\n\n".join(
        [
            "One partition, σ = 2, α = 1; the paper does not print those of its figure. Cosine of "
            "the weights with and without the irrelevant features: over all features, where the "
            "irrelevant ones have weight 0 in the case without them; and over the original ones. "
            "Then how many irrelevant features are selected, w > 0.01 max w, and the largest "
            "weight of one relative to the largest of all.",
            table(head, rows),
        ]
    )


def sets_in(records):
    """Sets of which both cases are there."""
    return [
        name
        for name in cases_in(records, SETS)
        if all(Key(name, which, 0) in records for which in ("original", "all"))
    ]


def others(records, name):
    """Weights of the irrelevant features that have one."""
    return list(records[Key(name, "all", 0)]["others"].values())


def n_selected(records, name):
    return sum(w > SELECTED for w in others(records, name))


def cosine(records, name, *, only_original=False):
    """Of the weights with and without the irrelevant features."""
    a, b = (np.array(records[Key(name, m, 0)]["weights"]) for m in ("original", "all"))
    rest = [] if only_original else others(records, name)
    norm = np.linalg.norm(a) * np.linalg.norm([*b, *rest])
    return a @ b / norm if norm else 0.0


def checks(records):
    """Published: very similar in both cases, and nearly no irrelevant feature but on diabetics."""
    for name in sets_in(records):
        found = cosine(records, name)
        text = f"{name}: the weights of all features are alike, cosine at least {ALIKE}"
        yield Check(found >= ALIKE, text, f"{found:.3f}")
    selected = {name: n_selected(records, name) for name in sets_in(records) if name != "diabetics"}
    text = (
        f"on all sets but diabetics nearly all of {N_IRRELEVANT:,} irrelevant features are "
        f"removed, at most {MOST_SELECTED} stay (as many as published on any of them)"
    )
    found = ", ".join(f"{name} {n}" for name, n in selected.items())
    yield Check(max(selected.values(), default=0) <= MOST_SELECTED, text, found)


def reasons(records):
    """Which irrelevant features take the weight where the two cases are not alike."""
    lines = [
        f"{name}: {n} irrelevant features are selected."
        for name in sets_in(records)
        if name != "diabetics" and (n := n_selected(records, name)) > MOST_SELECTED
    ]
    for name in sets_in(records):
        if cosine(records, name) < ALIKE:
            largest = sorted(others(records, name), reverse=True)[:3]
            weights = ", ".join(f"{w:.2f}" for w in largest)
            lines.append(
                f"{name}, {TABLE2['train_test'][name][0]} samples: the largest irrelevant "
                f"features have {weights} of the largest weight; among the original ones the "
                f"weights are alike to {cosine(records, name, only_original=True):.3f}."
            )
    if not lines:
        return ""
    return "\n\n".join(["Where the two cases differ:", bullets(lines), UNKNOWN])


def draw(records):
    """Weights of the original features in both cases, then those of the irrelevant."""
    there = sets_in(records)
    figure, axes = panels(len(there), 3)
    for ax, name in zip(axes, there, strict=True):
        alone, hidden = (records[Key(name, m, 0)] for m in ("original", "all"))
        x = np.arange(len(alone["weights"]))
        ax.plot(x, alone["weights"], "o", mfc="none", label="original features only")
        ax.plot(x, hidden["weights"], "x", label="with the irrelevant")
        rest = sorted(others(records, name), reverse=True)
        ax.plot(len(x) + np.arange(len(rest)), rest, "r.", label="irrelevant, weight > 0")
        ax.axvline(len(x) - 0.5, color="r", ls="--", lw=0.8)
        ax.set(title=name, xlabel="feature", ylabel="relative weight")
    shared_legend(figure)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Fig. 8: weights with and without irrelevant features",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"lofe-fig8": draw},
)
