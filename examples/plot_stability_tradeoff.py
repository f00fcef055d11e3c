"""
Stable or accurate?
===================

Select features twice, on samples that differ in every tenth patient, and two different lists come
out. How different depends on the method. Here 40 of 500 features follow one hidden factor and 10
a second one, with more noise; the class depends on both, in 100 samples. `stability_report`
repeats a selection on four subsamples and says how alike the rankings are and how well the selected
features classify the samples left out.
"""

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np

from hitmiss import FREL, Ensemble, FisherScore, Relief, ReliefF
from hitmiss.metrics import ranking_stability, stability_report

rng = np.random.default_rng(0)
first, second = rng.standard_normal((2, 100, 1))
y = (first + second > 0).ravel().astype(int)
X = rng.standard_normal((100, 500))
X[:, :40] = first + 0.5 * X[:, :40]
X[:, 40:50] = second + X[:, 40:50]


def measured(selector):
    return stability_report(
        selector, X, y, n_subsamples=4, fraction=0.8, n_features=20, random_state=0, verbose=False
    )


def ensemble(base):
    return Ensemble(base, n_estimators=10, random_state=0)


# %%
# Six methods by themselves and in an ensemble of 10, whose members see nine tenths of the samples
# each. The L1 penalty picks one feature out of many alike, so its picks are accidental; yet they
# classify better than those of Relief: stability and accuracy are two things. More neighbors
# improve both, and the ensemble steadies most methods. The lines join equal harmonic means.
methods = {
    "FREL, log + L1": FREL("log", "l1", 0.01),
    "Relief": Relief(),
    "FREL, log + L2": FREL("log", "l2", 0.1),
    "ReliefF, 10 neighbors": ReliefF(),
    "FREL, 10 neighbors": FREL("log", "l2", 0.1, n_neighbors=10),
    "Fisher score": FisherScore(),
}
alone = {name: measured(base) for name, base in methods.items()}
together = {name: measured(ensemble(base)) for name, base in methods.items()}

# %%
# The stronger the penalty, the more stable the ranking, as Theorem 1 of FREL has it. Accuracy need
# not follow: with a weak penalty the samples that are hard to classify decide.
alphas = np.geomspace(0.001, 10, 6)
path = [measured(FREL("log", "l2", a, n_neighbors=10)) for a in alphas]

# %%
# How many members are enough? The weights of every member are kept, so one fit per subsample
# answers for all smaller ensembles.
sizes = [1, 2, 3, 5, 8, 12]


def growth(base):
    weights = []
    for seed in range(4):
        rows = np.random.default_rng(seed).permutation(len(y))[:80]
        fitted = Ensemble(base, max(sizes), random_state=seed).fit(X[rows], y[rows])
        weights.append(fitted.member_weights_)
    return [ranking_stability(np.array(weights)[:, :m].mean(axis=1)) for m in sizes]


grown = {name: growth(methods[name]) for name in ("FREL, log + L1", "Relief", "FREL, 10 neighbors")}

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
stability, accuracy = np.meshgrid(np.linspace(0.1, 0.8, 99), np.linspace(0.6, 0.95, 99))
means = 2 * stability * accuracy / (stability + accuracy)
lines = left.contour(stability, accuracy, means, 8, colors="0.85", linewidths=0.8, zorder=0)
left.clabel(lines, fontsize="x-small")
for k, name in enumerate(methods):
    a, b = alone[name], together[name]
    left.plot([a.ranking, b.ranking], [a.accuracy, b.accuracy], "-", color=f"C{k}", lw=1)
    left.plot(a.ranking, a.accuracy, "o", color=f"C{k}", mfc="white", ms=6)
    left.plot(b.ranking, b.accuracy, "o", color=f"C{k}", ms=8, label=name)
left.set(
    xlabel="stability of the ranking", ylabel="accuracy", title="Alone (hollow), ensemble (full)"
)
left.legend(fontsize="small", loc="lower left")

for values, style, label in (
    ([r.accuracy for r in path], "s-", "accuracy"),
    ([r.tradeoff for r in path], "^--", "their harmonic mean"),
    ([r.ranking for r in path], "o-", "stability of the ranking"),
):
    middle.plot(alphas, values, style, label=label)
middle.set(xscale="log", xlabel="alpha", title="FREL, 10 neighbors, by itself")
middle.legend(fontsize="small")

for name, values in grown.items():
    right.plot(sizes, values, "o-", color=f"C{list(methods).index(name)}", label=name)
right.set(xlabel="members of the ensemble", title="Stability of the ranking", ylim=(0.1, 0.85))
right.legend(fontsize="small", loc="upper left")

if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
else:
    plt.show()
