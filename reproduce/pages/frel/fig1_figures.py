"""Pictures of FREL's Figs. 1 and 3 to 5."""

import numpy as np

from hitmiss.metrics import nogueira_stability
from reproduce.experiments.frel.fig1 import SETS
from reproduce.experiments.frel.methods import FREL_SETTINGS
from reproduce.experiments.frel.readings import LITERAL, NOGUEIRA, WITHOUT_MEASURE, names_of_seven
from reproduce.experiments.frel.subsampling import EQ22, SPEARMAN
from reproduce.harness.panels import WIDTH, shared_legend
from reproduce.harness.records import cases_in
from reproduce.pages.frel.fig1_statements import seven, stability, supports, tradeoffs
from reproduce.pages.names import shown

NAMES = list(names_of_seven(LITERAL))
CHOICES = [f"En-{name}" for name in FREL_SETTINGS]  # with a choice of solver and neighbors
CLASSIFIERS = {"1NN": "C0o", "3NN": "C1s", "linear SVM": "C2^", "polynomial SVM": "C3D"}
SHIFTS = (-0.27, -0.09, 0.09, 0.27)  # of four marks in a row


def grid(row_titles, there, height):
    """A figure with a row per title and a column per set."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(row_titles),
        len(there),
        figsize=(WIDTH, height * len(row_titles)),
        layout="constrained",
        squeeze=False,
        sharex="row",
        sharey="row",
    )
    for ax, case in zip(axes[0], there, strict=True):
        ax.set_title(shown(case))
    return figure, axes


def list_methods(ax, names):
    """A line per method, from the top down."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(axis="x", alpha=0.3)
    for y in range(1, len(names)):
        ax.axhline(y - 0.5, color="0.9", lw=0.8)


def draw_stability(records):
    """Fig. 1: stability by the three measures; a mark per solver and number of neighbors."""
    there = cases_in(records, SETS)
    titles = {
        EQ22: "mean ranks by eq. 22",
        SPEARMAN: "mean ranks by Spearman",
        NOGUEIRA: "50 best, by Nogueira, with 95 % interval",
    }
    figure, axes = grid(titles, there, 2.7)
    for row, (by, title) in zip(axes, titles.items(), strict=True):
        for ax, case in zip(row, there, strict=True):
            for reading, names, shift, style in marks():
                found = seven(records, case, reading)
                draw_marks(ax, {n: found[n] for n in names if n in found}, by, shift, style)
            list_methods(ax, NAMES)
            ax.set_xlabel(title)
    shared_legend(figure)
    return figure


def marks():
    """Reading, methods, distance from the middle of their lines, and style, of marks of a kind."""
    colors = ("C0o", "C0o", "C1s", "C1s")
    for reading, shift, color in zip(WITHOUT_MEASURE, SHIFTS, colors, strict=True):
        style = {"fmt": color, "label": str(reading)}
        if reading.k == 1:
            yield reading, CHOICES, shift, style
        else:  # Lmba has ten neighbors, too
            yield reading, [*CHOICES, "VR-Lmba"], shift, {**style, "mfc": "white"}
    others = [name for name in NAMES if name not in [*CHOICES, "VR-Lmba"]]
    yield LITERAL, others, 0, {"fmt": "kD", "label": "the same in all"}


def draw_marks(ax, found, by, shift, style):
    """A mark per method; by Nogueira's measure with its interval."""
    reach = None
    if by == NOGUEIRA:
        intervals = [nogueira_stability(supports(record)) for record in found.values()]
        reach = [(some.upper - some.lower) / 2 for some in intervals]
    x = [stability(record, by) for record in found.values()]
    ax.errorbar(x, [NAMES.index(name) + shift for name in found], xerr=reach, ms=4.5, **style)


def draw_members(records):
    """Stability by number of members, read literally, and by Spearman."""
    there = cases_in(records, SETS)
    figure, axes = grid((EQ22, SPEARMAN), there, 2.7)
    for row, by in zip(axes, (EQ22, SPEARMAN), strict=True):
        row[0].set_ylabel(f"stability by {by}")
        for ax, case in zip(row, there, strict=True):
            for name, record in seven(records, case, LITERAL).items():
                some, color = record["ensemble"][by], f"C{NAMES.index(name)}"
                if len(some) > 1:
                    sizes = [int(m) for m in some]
                    ax.plot(sizes, list(some.values()), "o-", ms=4, color=color, label=name)
                    ax.set_xticks(sizes)
                else:
                    ax.axhline(*some.values(), ls="--", color=color, label=name)
            ax.grid(alpha=0.3)
    for ax in axes[-1]:
        ax.set_xlabel("members m")
    shared_legend(figure)
    return figure


def draw_accuracy(records):
    """Figs. 3 to 5, read literally; a mark per classifier."""
    there = cases_in(records, SETS)
    titles = {
        "alone": "Fig. 3: accuracy alone, %",
        "ensemble": "Fig. 4: accuracy of the ensemble, %",
        "trade-off": "Fig. 5: trade-off with stability by eq. 22",
    }
    figure, axes = grid(titles, there, 2.7)
    for row, (form, title) in zip(axes, titles.items(), strict=True):
        names = [alone(name) for name in NAMES] if form == "alone" else NAMES
        for ax, case in zip(row, there, strict=True):
            values = shown_values(seven(records, case, LITERAL), form)
            for shift, (classifier, style) in zip(SHIFTS, CLASSIFIERS.items(), strict=True):
                x = [values[name][classifier] if name in values else np.nan for name in NAMES]
                ax.plot(x, np.arange(len(NAMES)) + shift, style, ms=4.5, label=classifier)
            list_methods(ax, names)
            ax.set_xlabel(title)
    shared_legend(figure)
    return figure


def alone(name):
    """Name in Fig. 3 of a method of Fig. 4."""
    return name.removeprefix("En-").removeprefix("VR-")


def shown_values(found, form):
    """Name -> classifier -> what a row of panels shows."""
    if form == "trade-off":
        return {name: tradeoffs(record, EQ22) for name, record in found.items()}
    return {
        name: {c: 100 * share for c, share in record["accuracy"][form].items()}
        for name, record in found.items()
    }
