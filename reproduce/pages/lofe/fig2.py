"""Section on LOFE's Fig. 2: weights by iteration."""

import numpy as np

from hitmiss import datasets
from reproduce.experiments.lofe.fig2 import CROSS, EXPERIMENT, N_IRRELEVANT
from reproduce.harness.markdown import table
from reproduce.harness.panels import panels
from reproduce.harness.section import Check, Section


def body(records):
    """Weights by iteration."""
    rows = [
        [n, record["n_iter"], pair(record), len(record["others"]), f"{largest_other(record):.3f}"]
        for n, record in by_iteration(records)
    ]
    return "\n\n".join(
        [
            "Spiral with 10,000 irrelevant features. Features 0 and 1, here called the pair, tell "
            "the classes apart only together. From the soft start, the same small weight for all "
            "features that are worked on, stopped after so many iterations: weights of the pair, "
            "number of other features with a weight, and the largest of these.",
            table(["at most", "iterations", "the pair", "others > 0", "largest other"], rows),
        ]
    )


def pair(record):
    return " and ".join(f"{w:.3f}" for w in record["relevant"])


def largest_other(record):
    return max(record["others"].values(), default=0)


def alone(record):
    """Whether the pair alone has a weight."""
    return not record["others"] and min(record["relevant"]) > 0


def found(record):
    n = len(record["others"])
    return f"{pair(record)}, others {n}, after {record['n_iter']} iterations"


def checks(records):
    """What the paper says of this figure."""
    stops = dict(by_iteration(records))
    last = stops[max(stops)]
    yield Check(alone(last), "in the end the pair alone has a weight", found(last))
    if 3 in stops:
        text = "after three iterations the pair alone has a weight"
        yield Check(alone(stops[3]), text, found(stops[3]))


def reasons(records):
    """How many iterations it takes here."""
    ahead = [
        record["n_iter"]
        for _, record in by_iteration(records)
        if min(record["relevant"]) > largest_other(record)
    ]
    last = by_iteration(records)[-1][1]
    text = (
        "Three iterations do not suffice here. They work on a few hundred features at a time, to "
        "which others are added as the conditions of an optimum ask for, and the steps are damped, "
        "which is slower at first and safe from cycles."
    )
    if ahead:
        text += f" The pair has the largest weights after {min(ahead)} iterations at the latest"
        text += f", and all the weight after {last['n_iter']}." if alone(last) else "."
    return text


def by_iteration(records):
    return sorted((int(key.method), record) for key, record in records.items())


def draw(records):
    """The spiral, colored by the probability of being the nearest hit or miss of the cross.

    Below it the weights.
    """
    X, _ = datasets.make_spiral(return_X_y=True)
    stops = by_iteration(records)
    figure, axes = panels(2 * len(stops), len(stops), 2.6)
    for ax, (n, record) in zip(axes, stops, strict=False):
        P = np.array(record["hits"]) + np.array(record["misses"])
        points = ax.scatter(*X.T, c=P / P.max(), s=8, cmap="viridis_r")
        ax.plot(*X[CROSS], "kx", ms=9)
        ax.set(title=f"at most {n} iterations", xticks=[], yticks=[], aspect=1)
    figure.colorbar(points, ax=axes[: len(stops)], label="probability / largest")
    for ax, (_, record) in zip(axes[len(stops) :], stops, strict=True):
        ax.vlines([1, 2], 0, record["relevant"], color="C3", lw=3, label="the pair")
        ax.vlines([int(j) + 1 for j in record["others"]], 0, list(record["others"].values()), lw=1)
        ax.set(xscale="log", xlabel="feature", xlim=(0.8, 1.2 * N_IRRELEVANT), ylim=(0, None))
    axes[len(stops)].set(ylabel="weight")
    axes[-1].legend()
    return figure


SECTION = Section(
    experiment=EXPERIMENT,
    title="LOFE, Fig. 2: neighbors and weights by iteration",
    body=body,
    checks=checks,
    reasons=reasons,
    figures={"lofe-fig2": draw},
)
