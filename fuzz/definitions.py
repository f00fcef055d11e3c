"""Random problems on which fits are compared with their definitions, written in NumPy."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

import hitmiss
from tests import reference as ref
from tests import relief_reference as relief

RTOL = ATOL = 1e-7  # rounding, and tolerances of solvers; another neighbor would change 1e-3


class Drawn(NamedTuple):
    """A random problem: X as the estimator gets it, and scaled to ranges of 1."""

    X: Any
    scaled: Any
    y: Any
    sigma: float
    alpha: float
    k: int


Compared = Iterator[tuple[str, Any, Any]]  # what, found, expected


def drawn(seed: int) -> Drawn:
    """The problem of a seed: 8 to 24 samples, at least two of each of two or three classes."""
    rng = np.random.default_rng(seed)
    n, j, n_classes = int(rng.integers(8, 25)), int(rng.integers(1, 9)), int(rng.integers(2, 4))
    y = rng.permutation(np.r_[np.repeat(np.arange(n_classes), 2), rng.integers(0, n_classes, n)])
    X = rng.normal(size=(len(y), j)) * 10 ** rng.uniform(-3, 3, size=j) + rng.normal(size=j)
    X[:, 0] += y * X[:, 0].std()
    if j > 2 and rng.random() < 0.3:
        X[:, 1] = 7.0  # a constant
    layout = [np.ascontiguousarray, np.asfortranarray, _strided][seed % 3]
    sigma, alpha = 10 ** rng.uniform(-0.7, 1), 10 ** rng.uniform(-1, 0.5)
    return Drawn(layout(X), ref.range_scale(X), y, sigma, alpha, int(rng.integers(1, 6)))


def _strided(X: Any) -> Any:
    return np.repeat(X, 2, axis=1)[:, ::2]


def relief_family(p: Drawn) -> Compared:
    """Weights of the RELIEF methods."""
    found = hitmiss.ReliefF(p.k).fit(p.X, p.y).weights_
    yield "ReliefF", found, relief.relieff(p.scaled, p.y, p.k)
    for name in ("SURF", "SURFStar", "MultiSURF", "MultiSURFStar"):
        found = getattr(hitmiss, name)().fit(p.X, p.y).weights_
        expected = relief.radius_scores(p.scaled, p.y, name)
        # The likeness of far samples is 1 for a constant, which says nothing and gets no weight.
        yield name, found, np.where(np.ptp(p.X, axis=0) > 0, expected, 0.0)


def iterated_relief(p: Drawn) -> Compared:
    """Two steps of I-RELIEF, for each way to treat misses and outliers."""
    for multiclass in ("pooled", "per-class"):
        for outliers in (True, False):
            how = {"outliers": outliers, "by_class": multiclass == "per-class"}
            w = np.full(p.X.shape[1], 1 / p.X.shape[1])
            first = relief.irelief_margin(p.scaled, p.y, w, p.sigma, **how)
            found = hitmiss.IRelief(
                p.sigma, multiclass=multiclass, outliers=outliers, max_iter=2, tol=1e-300
            ).fit(p.X, p.y)
            if not (first > ATOL).any():
                continue  # no weight is left, and so no direction
            second = relief.irelief_margin(
                p.scaled, p.y, relief.positive_unit(first), p.sigma, **how
            )
            yield f"IRelief {multiclass} {outliers}", found.scores_, second


def local_learning(p: Drawn) -> Compared:
    """The certificate of LOFE, its classifier and its leave-one-out error."""
    lofe = hitmiss.LOFE(p.sigma, p.alpha, max_iter=60).fit(p.X, p.y)
    w, X, y = lofe.weights_, p.scaled, p.y
    yield "objective", lofe.objective_, ref.objective(X, y, w, p.sigma, p.alpha)
    yield "gradient", lofe.scores_ * p.alpha, ref.gradient(X, y, w, p.sigma)
    yield "gap", lofe.optimality_gap_, ref.optimality_gap(X, y, w, p.sigma, p.alpha)
    if not w.any():
        return  # all classes are equally near: guessed by their shares
    E = ref.class_distances(X, y, X, w, p.sigma)
    odds = np.exp(E.min(axis=1)[:, None] - E)
    yield "predict_proba", lofe.predict_proba(p.X), odds / odds.sum(axis=1)[:, None]
    left_out = ref.class_distances(X, y, X, w, p.sigma, leave_out=True)
    if np.abs(np.diff(np.sort(left_out, axis=1)[:, :2])).min() > 1e-6:  # no tie
        yield "loo", lofe.loo_error_, np.mean(left_out.argmin(axis=1) != y)


def energies(p: Drawn) -> Compared:
    """Objective and optimality of FREL with one neighbor, and of its square penalty."""
    D = np.abs(p.scaled[:, None] - p.scaled).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    same = p.y[:, None] == p.y
    hit, miss = (np.where(m, D, np.inf).argmin(axis=1) for m in (same, ~same))
    Z = np.abs(p.scaled - p.scaled[miss]) - np.abs(p.scaled - p.scaled[hit])
    frel = hitmiss.FREL(alpha=p.alpha, tol=1e-9).fit(p.X, p.y)
    w = frel.weights_
    value = np.mean(np.logaddexp(0, -Z @ w)) + p.alpha * w @ w
    yield "FREL objective", frel.objective_, value
    yield "FREL optimality", 2 * p.alpha * w, expit(-Z @ w) @ Z / len(Z)


def one_by_one(p: Drawn) -> Compared:
    """Scores of single features."""
    classes = np.unique(p.y)
    means = np.array([p.X[p.y == c].mean(axis=0) for c in classes])
    within = np.array([p.X[p.y == c].var(axis=0) for c in classes])
    counts = np.array([np.sum(p.y == c) for c in classes])
    between = counts @ (means - p.X.mean(axis=0)) ** 2
    varies = np.ptp(p.X, axis=0) > 0
    expected = np.where(varies, between / np.where(varies, counts @ within, 1.0), 0.0)
    yield "FisherScore", hitmiss.FisherScore().fit(p.X, p.y).weights_, expected
    if len(classes) == 2:
        below = [
            np.array([(p.X[p.y == c] <= x).mean(axis=0) for x in p.X.ravel()]) for c in classes
        ]
        found = hitmiss.KolmogorovSmirnov().fit(p.X, p.y).weights_
        yield "KolmogorovSmirnov", found, np.abs(below[0] - below[1]).max(axis=0)


KINDS: tuple[Callable[[Drawn], Compared], ...] = (
    relief_family,
    iterated_relief,
    local_learning,
    energies,
    one_by_one,
)


def differences(n_comparisons: int, seed: int = 0) -> Iterator[str | int]:
    """One sentence for every comparison that fails, and at the end their number.

    Parameters
    ----------
    n_comparisons : int
        How many there are at least.
    seed : int
        Of the problems.
    """
    n_done, k = 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while n_done < n_comparisons:
            p = drawn(1_000_000 * seed + k)
            for kind in KINDS:
                for what, found, expected in kind(p):
                    n_done += 1
                    if not np.allclose(found, expected, rtol=RTOL, atol=ATOL):
                        off = np.abs(np.subtract(found, expected)).max()
                        yield f"{what} of problem {k}, seed {seed}: off by {off:.1e}."
            k += 1
    yield n_done
