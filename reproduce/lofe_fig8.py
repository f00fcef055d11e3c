"""LOFE, Fig. 8: weights with and without 5,000 irrelevant features."""

import numpy as np

from hitmiss import LOFE
from reproduce import protocol
from reproduce.experiment import Check, Experiment, Key, Task
from reproduce.lofe_table2_page import SETS, TABLE2, sets_in
from reproduce.page import table

N_IRRELEVANT = 5000
SIGMA, ALPHA = 2.0, 1.0
ALIKE = 0.95
QUICK = {"sets": ("thyroid",), "n_irrelevant": 100}


def tasks(plan):
    names = QUICK["sets"] if plan.quick else SETS
    return [Task(Key(name, which, 0)) for name in names for which in ("original", "all")]


def work(key, plan, needed):
    """Weights on the first partition of Table 2, relative to the largest."""
    n_irrelevant = QUICK["n_irrelevant"] if plan.quick else N_IRRELEVANT
    sizes = TABLE2["train_test"][key.case]
    split = protocol.random_split(SETS[key.case], 0, sizes, n_irrelevant)
    if key.method == "original":
        split = split.only(slice(split.n_original))
    lofe = LOFE(SIGMA, ALPHA, n_jobs=1).fit(*split.train)
    w = lofe.feature_importances_
    others = np.flatnonzero(w[split.n_original :]) + split.n_original
    return {
        "weights": w[: split.n_original].round(4).tolist(),
        "others": {int(j): round(float(w[j]), 4) for j in others},
    }


def page(records):
    """How alike the weights are in the two cases."""
    rows = []
    for name in sets_in(records):
        others = records[Key(name, "all", 0)]["others"]
        n_selected = sum(w > 0.01 for w in others.values())
        rows.append([name, f"{cosine(records, name):.3f}", n_selected])
    return "\n\n".join(
        [
            "One partition, σ = 2, α = 1.",
            table(["set", "cosine of the weights of the original", "irrelevant selected"], rows),
        ]
    )


def cosine(records, name):
    """Of the weights of the original features, with and without the others."""
    a, b = (np.array(records[Key(name, m, 0)]["weights"]) for m in ("original", "all"))
    norm = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / norm if norm else 0.0


def checks(records):
    """Published: very similar in both cases."""
    for name in sets_in(records):
        found = cosine(records, name)
        text = f"{name}: the weights of the original features are alike, cosine at least {ALIKE}"
        yield Check(found >= ALIKE, text, f"{found:.3f}")


def draw(records):
    """Weights of the original features in both cases, then those of the irrelevant."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 4, figsize=(13, 5), layout="constrained")
    for ax in axes.flat:
        ax.axis("off")
    for ax, name in zip(axes.flat, sets_in(records), strict=False):
        ax.axis("on")
        alone, hidden = (records[Key(name, m, 0)] for m in ("original", "all"))
        x = np.arange(len(alone["weights"]))
        ax.plot(x, alone["weights"], "o", mfc="none", label="original features only")
        ax.plot(x, hidden["weights"], "x", label="with the irrelevant")
        others = sorted(hidden["others"].values(), reverse=True)
        ax.plot(len(x) + np.arange(len(others)), others, "r.", label="irrelevant, weight > 0")
        ax.axvline(len(x) - 0.5, color="r", ls="--", lw=0.8)
        ax.set(title=name)
    axes.flat[-1].legend(*axes.flat[0].get_legend_handles_labels(), loc="center")
    return figure


EXPERIMENT = Experiment(
    name="lofe-fig8",
    title="LOFE, Fig. 8: weights with and without irrelevant features",
    tasks=tasks,
    work=work,
    page=page,
    checks=checks,
    figures={"lofe-fig8": draw},
    seconds=lambda key: 3.0,
    protocol={"n_irrelevant": N_IRRELEVANT, "sigma": SIGMA, "alpha": ALPHA},
)
