"""Section on online LOFE's Fig. 1: weights on the spiral."""

from reproduce.experiments.online.fig1 import EXPERIMENT, METHODS
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import bullets, table
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.section import Check, Section
from reproduce.pages.names import shown


def body(records):
    """Weights by number of irrelevant features."""
    rows = [
        [
            f"{int(case):,}",
            shown(method),
            *(f"{w:.3f}" for w in (*r["pair"], r["others"][0])),
            f"{r['n_others']:,}",
        ]
        for (case, method, _), r in by_count(records)
    ]
    head = ["irrelevant", "method", "feature 0", "feature 1", "largest other", "others > 1e-4"]
    return "\n\n".join(
        [
            "The spiral, whose features 0 and 1 tell the classes apart only together: the pair. "
            "Weights relative to the largest; σ = 2, α by the evidence unless it is given.",
            table(head, rows),
        ]
    )


def checks(records):
    """What the paper says of this figure."""
    for (case, method, _), r in by_count(records):
        if method == "online_lofe":
            text = f"{int(case):,} irrelevant: the pair has the largest weights"
            weights = " and ".join(f"{w:.3f}" for w in r["pair"])
            found = f"{weights}, the largest other {r['others'][0]:.3f}"
            yield Check(found_pair(r), text, found)
            text = f"{int(case):,} irrelevant: all other weights below 1e-4"
            yield Check(r["n_others"] == 0, text, f"{r['n_others']} above")


def by_count(records):
    return sorted(records.items(), key=lambda item: (int(item[0].case), item[0].method))


def found_pair(record):
    return min(record["pair"]) > record["others"][0]


def reasons(records):
    """Whether another penalty finds the pair where the one by the evidence does not."""
    lines = []
    for (case, method, _), r in by_count(records):
        if method == "online_lofe" and not (found_pair(r) and r["n_others"] == 0):
            lines.append(f"{int(case):,} irrelevant: α = 1 {with_alpha_one(records, case)}.")
    head = "Where the pair alone is not found with α by the evidence, whether it is the penalty:"
    return "\n\n".join([head, bullets(lines)]) if lines else ""


def with_alpha_one(records, case):
    record = records.get(Key(case, "online_lofe, α = 1", 0))
    if record is None:
        return "has not been run"
    return "finds it" if found_pair(record) else "does not find it"


def draw(records):
    """Weights of the pair and of the 30 largest others."""
    counts = sorted({int(key.case) for key in records})
    methods = [m for m in METHODS if any(key.method == m for key in records)]
    panel = [(method, count) for method in methods for count in counts]
    figure, axes = panels(len(panel), len(counts), 1.8)
    for ax, (method, count) in zip(axes, panel, strict=True):
        r = records[Key(str(count), method, 0)]
        ax.vlines(range(2), 0, r["pair"], color="C3", lw=3, label="the pair")
        x = range(2, 2 + len(r["others"]))
        ax.vlines(x, 0, r["others"], lw=1.5, label="largest others")
        ax.set_title(f"{shown(method)}, {count:,} irrelevant", fontsize=9)
    shared_legend(figure)
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="Online LOFE, Fig. 1: four methods on the spiral",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"online-fig1": draw},
)
