"""Pictures: false discoveries and power against q."""

import numpy as np

from benchmarks.truth.measures import any_found, lenient, mean, power, power_with_kin
from benchmarks.truth.methods import METHODS, OURS, PEERS
from benchmarks.truth.requirements import LEVEL
from hitmiss.plotting._style import GREY, axes_for, label, line_style

LEVELS = np.arange(1, 51) / 100
STEADY = {"svg.hashsalt": "hitmiss", "svg.fonttype": "none"}  # the same file from the same numbers


def draw_all(evidence, folder):
    """Write the pictures that there are records for; return their names."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STEADY):
        made = {"nulls": nulls(evidence), "signals": signals(evidence), "peers": peers(evidence)}
        for name, figure in made.items():
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            matplotlib.pyplot.close(figure)
    return sorted(made)


def panels(n, in_a_row=2):
    import matplotlib.pyplot as plt

    shape = -(-n // in_a_row), in_a_row
    size = 4.6 * shape[1], 3.6 * shape[0]
    figure, axes = plt.subplots(*shape, figsize=size, layout="constrained", squeeze=False)
    for ax in axes.flat[n:]:
        ax.remove()
    return figure, [axes_for(ax) for ax in axes.flat[:n]]


def curve(ax, k, name, measure, records):
    """One line: the mean of a measure against q."""
    values = [mean(measure, records, q).mean for q in LEVELS]
    ax.plot(LEVELS, values, label=label(name), **line_style(k))


def against_q(ax, what, diagonal=False):
    if diagonal:
        ax.plot([0, 0.5], [0, 0.5], color=GREY, linewidth=1, zorder=0)
    ax.axvline(LEVEL, color=GREY, linewidth=0.5, zorder=0)
    ax.set(xlabel="q", ylabel=what, xlim=(0, 0.5), ylim=(-0.02, 1.02))
    legend(ax)


def legend(ax, **place):
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize="small", **place)


def nulls(evidence):
    """P(any discovery) where nothing is there."""
    figure, axes = panels(2)
    for k, name in enumerate(n for n in evidence.names("null") if evidence.of(n)):
        curve(axes[0], k, name.removeprefix("null: "), any_found, evidence.of(name))
    others = {"permuted microarrays": evidence.names("permuted")}
    others |= {name: [name] for name in evidence.names("donors")}
    for k, (name, names) in enumerate(others.items()):
        if evidence.of(*names):
            curve(axes[1], k, name, any_found, evidence.of(*names))
    for ax in axes:
        against_q(ax, "share of draws with a discovery", diagonal=True)
    return figure


def signals(evidence):
    """Mean proportion of false discoveries, and power."""
    figure, axes = panels(2)
    groups = {name: [name] for name in evidence.names("signal")}
    groups["labels made from genes"] = evidence.names("made")
    for k, (name, names) in enumerate(groups.items()):
        records = evidence.of(*names)
        if records:
            curve(axes[0], k, name, lenient, records)
            curve(axes[1], k, name, power_with_kin, records)
    against_q(axes[0], "mean false discovery proportion", diagonal=True)
    against_q(axes[1], "power, by itself or a kin")
    return figure


def peers(evidence):
    """Power against false discoveries at q = 0.1, on the draws that all have in common."""
    names = [n for n in evidence.names("signal") if any(evidence.of(n, method=m) for m in PEERS)]
    figure, axes = panels(max(1, len(names)))
    for ax, name in zip(axes, names, strict=False):
        for k, method in enumerate((OURS, *PEERS)):
            records = evidence.of(name, method=method)
            if records:
                x, y = mean(lenient, records, LEVEL), mean(power, records, LEVEL)
                bars = {"xerr": x.se, "yerr": y.se, "color": line_style(k)["color"]}
                ax.errorbar(x.mean, y.mean, fmt="o", label=label(METHODS[method].title), **bars)
        ax.axvline(LEVEL, color=GREY, linewidth=1, zorder=0)
        ax.set(xlabel="mean false discovery proportion", ylabel="power", title=label(name))
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    legend(axes[0], loc="center right")  # it would hide a point in others
    return figure
