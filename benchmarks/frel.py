"""FREL and its ensemble against scipy's pdist; L-BFGS against the exact solver."""

import os
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import pdist

from benchmarks.timing import compared, once, row
from hitmiss import FREL, Ensemble, ReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.estimators.validation import scaled_features
from hitmiss.losses import Logistic
from hitmiss.neighbors import single_neighbors
from hitmiss.targets.classes import Classes

PDIST = "scipy pdist cityblock, same X as float64"
MEMBERS = 20


def run(quick=False):
    """All rows; `quick` leaves out what takes minutes."""
    X, y, note = microarray()
    rows = [per_member(X, y, note, base) for base in (FREL(), FREL(n_neighbors=10), ReliefF())]
    rows += [against_lbfgs(), with_processes(X, y, note)]
    if not quick:
        rows += growth()
    return rows


def microarray():
    """Leukemia (Golub), 72 x 7,129, or random numbers of that shape where it is not at hand."""
    folder = os.environ.get("HITMISS_DATA", ".")
    path = Path(folder) / "leukemia_golub.npz"
    if path.exists():
        with np.load(path, allow_pickle=False) as file:
            return file["X"], file["y"], "leukemia (Golub)"
    rng = np.random.default_rng(0)
    return rng.normal(size=(72, 7129)).astype(np.float32), np.arange(72) % 2, "random numbers"


def per_member(X, y, note, base):
    """Time of one member, as a share of an ensemble of 20, in turn with one pdist."""
    doubles = X.astype(float)
    ensemble = Ensemble(base, MEMBERS, random_state=0)
    whole = compared(
        "", lambda: ensemble.fit(X, y), PDIST, lambda: pdist(doubles, "cityblock"), repeat=7
    )
    what = f"one of {MEMBERS} members, {X.shape[0]} x {X.shape[1]:,}, {base}"
    return row(what, whole["ours_s"] / MEMBERS, PDIST, whole["peer_s"], "at most 3", note)


def with_processes(X, y, note):
    """The same ensemble in two processes: the same numbers."""
    one, two = (Ensemble(n_estimators=MEMBERS, random_state=0, n_jobs=n) for n in (1, 2))
    two.fit(X, y)  # starts the processes
    seconds = once(lambda: two.fit(X, y)), once(lambda: one.fit(X, y))
    same = np.array_equal(one.member_weights_, two.member_weights_)
    what, required = "ensemble in 2 processes", "the same numbers"
    return row(what, seconds[0], "in 1 process", seconds[1], required, note, met=same)


def against_lbfgs():
    """Log loss with L2: the whole fit against scipy's L-BFGS-B for the minimum alone."""
    X, y = datasets.make_twonorm(100, n_irrelevant=10_000, random_state=0, return_X_y=True)
    workers = Workers(1)
    features = scaled_features(X, "range", workers)
    Q = single_neighbors(features.distances(np.ones(X.shape[1])), Classes(y))
    Z = features.margins(Q).astype(float)
    loss, alpha = Logistic(), 0.1

    def objective(w):
        margins = Z @ w
        value = loss.value(margins).mean() + alpha * w @ w
        return value, loss.derivative(margins) @ Z / len(Z) + 2 * alpha * w

    frel = FREL(alpha=alpha)
    result = compared(
        "exact fit, twonorm 100 x 10,020, log + L2, alpha 0.1",
        lambda: frel.fit(X, y),
        "scipy L-BFGS-B, margins given",
        lambda: minimize(objective, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B"),
    )
    best = minimize(
        objective, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B", options={"ftol": 1e-15}
    )
    excess = frel.objective_ / best.fun - 1
    result |= {"required": "objective within 1e-6", "met": bool(excess <= 1e-6)}
    result["note"] = f"objective {excess:+.0e} of its best"
    return result


def growth():
    """Time with the number of features."""
    rows = []
    for n in (10_000, 100_000):
        X, y = datasets.make_twonorm(
            100, n_irrelevant=n, random_state=0, dtype=np.float32, return_X_y=True
        )
        doubles = X.astype(float)
        rows.append(
            compared(
                f"exact fit, twonorm + {n:,}, float32",
                lambda X=X, y=y: FREL().fit(X, y),
                PDIST,
                lambda X=doubles: pdist(X, "cityblock"),
            )
        )
    return rows
