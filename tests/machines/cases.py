"""Ten data sets and the estimators whose weights on them are the same on every machine."""

import warnings

import numpy as np
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from threadpoolctl import threadpool_limits

import hitmiss
from hitmiss import datasets


def data_sets():
    """Name -> (X, y); small, but beyond the bounds at which another code path begins."""
    rng = np.random.default_rng(0)
    spiral = datasets.make_spiral(n_irrelevant=60, random_state=1)
    xor = datasets.make_xor(120, n_irrelevant=40, random_state=2)
    wide = datasets.make_xor(200, n_irrelevant=3600, random_state=3)  # not all in the wide set
    twonorm = datasets.make_twonorm(90, n_irrelevant=1200, random_state=4, dtype=np.float32)
    clusters = datasets.make_waveform(150, n_irrelevant=30, random_state=5)
    iris, wine, cancer = load_iris(), load_wine(), load_breast_cancer()
    lonely = np.r_[iris.target[:99], 2], iris.data[:100]
    counts = rng.poisson(rng.gamma(1.0, 2.0, (1, 80)) * (1 + (np.arange(70) % 2)[:, None]))
    return {
        "spiral": (spiral.data, spiral.target),
        "xor": (np.asfortranarray(xor.data), xor.target),
        "wide": (wide.data, wide.target),
        "twonorm": (twonorm.data, twonorm.target),
        "waveform": (clusters.data * 100 - 7, clusters.target),
        "iris": (iris.data, iris.target_names[iris.target]),
        "wine": (wine.data, wine.target),
        "cancer": (cancer.data[:300], cancer.target[:300]),
        "lonely": (np.column_stack([lonely[1], np.full(100, 3.0)]), lonely[0]),
        "counts": (counts, np.arange(70) % 2),
    }


def estimators():
    """Name -> what makes an estimator; every public one, and every way through it."""
    h = hitmiss
    found = {
        "LOFE": lambda: h.LOFE(alpha=1.0),  # the default of then
        "LOFE raw": lambda: h.LOFE(alpha=1.0, scale=None),
        "LOFE sharp": lambda: h.LOFE(0.4, 2.0),
        "LOFE infinite": lambda: h.LOFE(np.inf, 3.0),
        "LOFE paper": lambda: h.LOFE(solver="paper", tol=0.01, max_iter=10),
        "LOFE ones": lambda: h.LOFE(alpha=1.0, init="ones", tol=1e-3),
        "LOFE references": lambda: h.LOFE(alpha=1.0, max_references=40),
        "LOFE memory": lambda: h.LOFE(alpha=1.0, memory="100MB"),
        "LOFE evidence": lambda: h.LOFE("auto", "evidence", tol=1e-3),
        "LOFECV": lambda: h.LOFECV((1.0, 2.0), 3, cv=2, n_jobs=1),
        "Relief": h.Relief,
        "Relief drawn": lambda: h.Relief(30, random_state=0),
        "ReliefF": h.ReliefF,
        "ReliefF memory": lambda: h.ReliefF(5, memory="100MB"),
        "SURF": h.SURF,
        "SURFStar": h.SURFStar,
        "MultiSURF": h.MultiSURF,
        "MultiSURFStar": h.MultiSURFStar,
        "TuRF": lambda: h.TuRF(step=0.5),
        "BackwardElimination": h.BackwardElimination,
        "BackwardElimination LOFE": lambda: h.BackwardElimination(
            h.LOFE(alpha=1.0, order="weight"), n_features=20
        ),
        "IRelief": lambda: h.IRelief(max_iter=10),
        "IRelief per class": lambda: h.IRelief(multiclass="per-class", outliers=False, max_iter=5),
        "FREL": h.FREL,
        "FREL l1": lambda: h.FREL(penalty="l1", alpha=0.05, n_neighbors=5, positive=True),
        "FREL hinge": lambda: h.FREL("hinge"),
        "FREL square": lambda: h.FREL("square", alpha=0.1, positive=True, max_iter=50),
        "FREL square-exp": lambda: h.FREL("square-exp", sigma=2.0),
        "FREL paper": lambda: h.FREL(solver="paper"),
        "Lmba": h.Lmba,
        "Simba": lambda: h.Simba(n_passes=1, n_restarts=1, random_state=0),
        "Ensemble": lambda: h.Ensemble(h.ReliefF(), 3, random_state=0),
        "FisherScore": h.FisherScore,
        "KolmogorovSmirnov": h.KolmogorovSmirnov,
        "OnlineIRelief": lambda: h.OnlineIRelief(random_state=0),
        "OnlineLOFE": lambda: h.OnlineLOFE(random_state=0),
        "OnlineLOFE paper": lambda: h.OnlineLOFE(step="paper", n_passes=1, random_state=0),
    }
    return found


NAMES = (
    *("spiral", "xor", "wide", "twonorm", "waveform"),
    *("iris", "wine", "cancer", "lonely", "counts"),
)
# Pairs that are left out, because they take long and show nothing new.
SLOW = {
    ("LOFE paper", "wide"),
    ("LOFE evidence", "wide"),
    ("LOFE evidence", "cancer"),
    ("LOFE evidence", "spiral"),
    ("LOFE evidence", "twonorm"),
    ("LOFE evidence", "waveform"),
    ("LOFE evidence", "wine"),
    ("LOFE evidence", "xor"),
    ("LOFE evidence", "lonely"),
    ("LOFE raw", "wide"),
    ("OnlineIRelief", "twonorm"),
    ("BackwardElimination LOFE", "wide"),
    ("FREL square", "wide"),
    ("FREL square", "twonorm"),
}


# How far weights may be from those recorded on another machine, over the largest.
AGREED = 1e-6
# More where a fit ends at a coarse tolerance of its own, in single precision, or is a stream: each
# sample moves the weights by a step that hangs on those before, which amplifies rounding until the
# weights have settled. The features with a weight are the same there.
LOOSER = {
    ("LOFE paper", "twonorm"): 1e-2,
    ("FREL square-exp", "twonorm"): 1e-5,
    **{(name, data): 0.05 for name in ("OnlineLOFE", "OnlineLOFE paper") for data in NAMES},
}


def pairs():
    """(estimator, data set) of every fit."""
    return [
        (name, data) for data in data_sets() for name in estimators() if (name, data) not in SLOW
    ]


def telling(w, n=16):
    """Positions of some weights, ascending: the largest, and others evenly spread."""
    spread = np.linspace(0, len(w) - 1, n).astype(int)
    return np.union1d(np.argsort(-np.abs(w), kind="stable")[:n], spread)


def weights(name, data):
    """The weights that an estimator finds, in double precision."""
    X, y = data
    if "memory" in name:
        X = scipy.sparse.csc_array(X)
    with warnings.catch_warnings(), threadpool_limits(1, user_api="blas"):
        warnings.simplefilter("ignore")
        return estimators()[name]().fit(X, y).weights_.astype(float)
