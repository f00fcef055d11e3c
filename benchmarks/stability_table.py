"""``python -m benchmarks.stability_table``: the stability of all ensembles, into stability.md.

The FREL paper prints its stability as bars and leaves open how features were scaled, what was
ranked, and what Algorithm 1 stands for. Here every plausible reading is measured.
"""

import itertools
import os
import time
from pathlib import Path

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.machine import machine
from hitmiss import FREL, Lmba
from hitmiss.metrics import ranking_stability
from reproduce.experiments.frel.methods import (
    GAMMAS,
    NEIGHBORS,
    PLAIN,
    SCALINGS,
    SOLVERS,
    Method,
    methods,
)
from reproduce.experiments.frel.subsampling import (
    N_MEMBERS,
    SIZES,
    fit_all,
    mean_ranks,
    stability_by_members,
    subsets,
)

DATA = ("leukemia_golub", "tox_171")
K = 50  # features that 3-NN is given
OUTPUT = Path(__file__).parent / "stability.md"


def load(name):
    folder = Path(os.environ.get("HITMISS_DATA", "."))
    with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
        return file["X"].astype(float), file["y"]


def stabilities(single, many):
    """Every reading of "stability"; members beyond `N_MEMBERS` count for growth alone."""
    grown = stability_by_members(many)
    return {
        "single": ranking_stability(single),
        "ranks": grown["Spearman"][N_MEMBERS],
        "eq. 22": grown["eq. 22"][N_MEMBERS],
        "weights": ranking_stability(many[:, :N_MEMBERS].mean(axis=1)),
        "growth": grown["Spearman"],
    }


def accuracy(members, X, y, draws):
    """3-NN on the K best features by mean rank, on the rows outside each subsample."""
    right = []
    for (rows, _), W in zip(draws, members, strict=True):
        best = np.argsort(mean_ranks(W[:N_MEMBERS]), kind="stable")[:K]
        outside = np.setdiff1d(np.arange(len(y)), rows)
        knn = KNeighborsClassifier(3).fit(X[np.ix_(rows, best)], y[rows])
        right.append(knn.predict(X[np.ix_(outside, best)]) == y[outside])
    return float(np.concatenate(right).mean())


def measured(method, X, y, draws):
    single, members = fit_all(method, X, y, draws)
    return {
        "w": stabilities(single, members),
        "|w|": stabilities(np.abs(single), np.abs(members)),
        "accuracy": accuracy(members, X, y, draws),
    }


def run(data=DATA, scalings=SCALINGS, report=print):
    """All numbers: table of readings, growth with gamma, and with more members than 20."""
    found = {"table": {}, "gamma": {}, "lmba": {}, "draws": {}, "began": time.time()}
    for name in data:
        X, y = load(name)
        for scaling in scalings:
            scaled = SCALINGS[scaling](X)
            many = max(SIZES) if scaling == "[0, 1]" else N_MEMBERS
            draws = subsets(len(y), n_members=many)
            for key, method in methods().items():
                found["table"][name, scaling, key] = measured(method, scaled, y, draws)
                report(name, scaling, key, f"{time.time() - found['began']:.0f} s")
        found["gamma"].update(growth_with_gamma(name, SCALINGS["[0, 1]"](X), y))
        found["lmba"].update(effect_of_sample_weights(name, SCALINGS["[0, 1]"](X), y))
        found["draws"].update(other_draws(name, SCALINGS["[0, 1]"](X), y))
        report(name, "gamma, Lmba, other draws", f"{time.time() - found['began']:.0f} s")
    found["seconds"] = time.time() - found["began"]
    return found


def growth_with_gamma(name, X, y):
    draws = subsets(len(y))
    grown = {}
    for gamma, solver, k in itertools.product(GAMMAS, SOLVERS, NEIGHBORS):
        frel = FREL("log", "l2", gamma, n_neighbors=k, solver=solver, **PLAIN)
        result = measured(Method(frel), X, y, draws)
        grown[name, gamma, solver, k] = (
            result["w"]["single"],
            result["w"]["ranks"],
            result["accuracy"],
        )
    return grown


def other_draws(name, X, y):
    """Stability of the ensembles under three draws of the ten subsamples."""
    drawn = {}
    for key, method in methods(solvers=("exact",), neighbors=(1,)).items():
        if "Lmba" not in key[0]:
            all_draws = (subsets(len(y), first_seed=seed) for seed in (0, 100, 200))
            drawn[name, key] = [
                stabilities(*fit_all(method, X, y, draws))["ranks"] for draws in all_draws
            ]
    return drawn


def effect_of_sample_weights(name, X, y):
    """Lmba and VR-Lmba alone: their stability, and how far apart their weights are."""
    X, effect = X.astype(np.float32), {}
    for label, settings in {
        "exact": {},
        "paper": {"solver": "paper"},
        "exact, w >= 0": {"positive": True},
    }.items():
        lmba = Lmba(**settings, **PLAIN)
        plain, reduced = (
            np.array([Method(lmba, vr).weigh(X[r], y[r]) for r, _ in subsets(len(y))])
            for vr in (False, label != "paper")  # whose steps of length one take no weights
        )
        apart = np.abs(plain - reduced).max() / np.abs(plain).max()
        effect[name, label] = ranking_stability(plain), ranking_stability(reduced), float(apart)
    return effect


if __name__ == "__main__":
    from benchmarks.stability_page import page

    OUTPUT.write_text(page(run(), machine()))
    print(f"written: {OUTPUT.name}")
