"""``python -m benchmarks.stability_table``: the stability of all ensembles, into stability.md.

The FREL paper prints its stability as bars and leaves open how features were scaled, what was
ranked, and what Algorithm 1 stands for. Here every plausible reading is measured.
"""

import itertools
import os
import time
from pathlib import Path

import numpy as np
from scipy.stats import rankdata
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.machine import machine
from hitmiss import FREL, FisherScore, Lmba, Relief, ReliefF, margin_sample_weights
from hitmiss.metrics import ranking_stability

DATA = ("leukemia_golub", "tox_171")
SCALINGS = {
    "raw": lambda X: X,
    "[0, 1]": lambda X: divided(X - X.min(axis=0), np.ptp(X, axis=0)),
    "z-scored": lambda X: divided(X - X.mean(axis=0), X.std(axis=0)),
}
SOLVERS = ("exact", "paper")
NEIGHBORS = (1, 10)
FREL_SETTINGS = {  # loss, penalty and gamma of the paper
    "Log+L1": ("log", "l1", 0.01),
    "Log+L2": ("log", "l2", 1.0),
    "Square+L2": ("square", "l2", 0.1),
}
GAMMAS = (0.01, 0.1, 1.0, 10.0, 100.0)
SIZES = (1, 5, 10, 20, 40)  # numbers m of members
PLAIN = {"scale": None, "n_jobs": 1}  # features are scaled beforehand; one core is enough
N_SAMPLES, FRACTION, M, K = 10, 0.9, 20, 50
OUTPUT = Path(__file__).parent / "stability.md"


def divided(X, by):
    return X / np.where(by > 0, by, 1.0)


def load(name):
    folder = Path(os.environ.get("HITMISS_DATA", "."))
    with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
        return file["X"].astype(float), file["y"]


def weigh(estimator, X, y, *, reduce_variance=False):
    weight = {"sample_weight": margin_sample_weights(X, y, **PLAIN)} if reduce_variance else {}
    return estimator.fit(X, y, **weight).weights_


def methods(solvers=SOLVERS, neighbors=NEIGHBORS):
    """(name, solver, neighbors) -> a function from X, y to weights; None where it has no choice."""
    table = {
        ("Relief", None, None): (Relief(**PLAIN), {}),
        ("ReliefF", None, None): (ReliefF(**PLAIN), {}),
        ("Fisher", None, None): (FisherScore(n_jobs=1), {}),
    }
    for name, solver, k in itertools.product(FREL_SETTINGS, solvers, neighbors):
        frel = FREL(*FREL_SETTINGS[name], n_neighbors=k, solver=solver, **PLAIN)
        table[name, solver, k] = frel, {}
    for solver in solvers:
        table["Lmba", solver, 10] = Lmba(solver=solver, **PLAIN), {}
        table["VR-Lmba", solver, 10] = Lmba(solver=solver, **PLAIN), {"reduce_variance": True}
    return table


def subsets(n, n_members=M, first_seed=0):
    """Rows of every subsample, and those of its members; the first are the same for any number."""
    draws = []
    for seed in range(first_seed, first_seed + N_SAMPLES):
        rng = np.random.default_rng(seed)
        rows = rng.permutation(n)[: int(np.ceil(FRACTION * n))]
        size = int(np.ceil(FRACTION * len(rows)))
        draws.append((rows, [rng.permutation(rows)[:size] for _ in range(n_members)]))
    return draws


def fit_all(method, X, y, draws):
    """Weights on every subsample, and those of its members: (c, J) and (c, m, J)."""
    estimator, options = method
    X = X.astype(np.float32)
    single = np.array([weigh(estimator, X[r], y[r], **options) for r, _ in draws])
    members = [[weigh(estimator, X[r], y[r], **options) for r in inner] for _, inner in draws]
    return single, np.array(members)


def eq22(ranks):
    """Eq. 21 with eq. 22 to the letter, whatever the ranks are: those of an ensemble are means."""
    d = ranks.shape[1]
    pairs = itertools.combinations(ranks, 2)
    return float(np.mean([1 - 6 * np.sum((a - b) ** 2) / (d * (d**2 - 1)) for a, b in pairs]))


def stabilities(single, many):
    """Every reading of "stability" of one method; members beyond M count for growth alone."""
    members = many[:, :M]
    ranks = rankdata(-members, axis=2).mean(axis=1)
    return {
        "single": ranking_stability(single),
        "ranks": ranking_stability(-ranks),
        "eq. 22": eq22(ranks),
        "weights": ranking_stability(members.mean(axis=1)),
        "growth": {
            m: ranking_stability(-rankdata(-many[:, :m], axis=2).mean(axis=1))
            for m in SIZES
            if m <= many.shape[1]
        },
    }


def accuracy(members, X, y, draws):
    """3-NN on the K best features by mean rank, on the rows outside each subsample."""
    right = []
    for (rows, _), W in zip(draws, members, strict=True):
        best = np.argsort(rankdata(-W[:M], axis=1).mean(axis=0), kind="stable")[:K]
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
            many = max(SIZES) if scaling == "[0, 1]" else M
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
        result = measured((frel, {}), X, y, draws)
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
            np.array([weigh(lmba, X[r], y[r], reduce_variance=vr) for r, _ in subsets(len(y))])
            for vr in (False, True)
        )
        apart = np.abs(plain - reduced).max() / np.abs(plain).max()
        effect[name, label] = ranking_stability(plain), ranking_stability(reduced), float(apart)
    return effect


if __name__ == "__main__":
    from benchmarks.stability_page import page

    OUTPUT.write_text(page(run(), machine()))
    print(f"written: {OUTPUT.name}")
