"""What each part of the search is worth: every trick with and without it, in one run.

The page for developers, ``docs/what-each-part-is-worth.md``, has these rows. A part that mends less
than one case in fifty and saves no time anywhere is one to take out.
"""

import time
import warnings

import numpy as np

from benchmarks.lofe import FRESH, PAIRS
from benchmarks.markers import simulated
from benchmarks.timing import row
from hitmiss import datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.inference.permutation import noise_alpha, path_area
from hitmiss.lofe import EXACT, SCREENED_STEPS, ByNoise, Exact, Problem, fixed_points
from hitmiss.lofe.coarse_to_fine import Approximate, samples_of_fit
from hitmiss.lofe.multistart import from_parts, from_weaker, pruned, sparse
from hitmiss.targets.classes import Classes

SIGMA = 2.0


def run(quick=False):
    """A row per part; `quick` takes fewer draws and smaller data."""
    warnings.simplefilter("ignore")
    return [*starts(3 if quick else 20), *steps(quick), *screening(quick)]


def points_of(X, y, *, raw=False, **how):
    """Fixed points as LOFE finds them, with other parts."""
    values = X if raw else (X - X.min(axis=0)) / np.ptp(X, axis=0)
    features = InMemory(np.ascontiguousarray(values), Workers())
    problem = Problem(Classes(np.unique(y, return_inverse=True)[1]), SIGMA, 1.0)
    how = {"tol": 1e-5, "max_iter": 200, "record": lambda **_: None} | how
    if how.pop("coarse", False):
        how["rows"] = samples_of_fit(features, problem.target, problem.pairs)
    return fixed_points(features, problem, [X.shape[1] ** -0.5, 1.0], **how)


def starts(n_draws):
    """How often a hidden pair is found as starts are added one after the other."""
    rows = []
    for name, (draw, n_relevant, alpha, share) in hidden().items():
        seeds = range(FRESH, FRESH + max(3, int(share * n_draws)))
        for which, more in ORDER.items():
            began, found = time.perf_counter(), 0
            for seed in seeds:
                points = points_of(*draw(seed), more_starts=more)
                fit = points.solve(SIGMA, alpha) if alpha else ByNoise(points).solve(SIGMA, ())
                found += bool((np.argsort(-fit.w, kind="stable")[:n_relevant] < n_relevant).all())
            took = (time.perf_counter() - began) / len(seeds)
            rows.append(row(f"{name}: {which}", took, note=f"found in {found} of {len(seeds)}"))
    return rows


ORDER = {
    "the two uniform starts": (),
    "pruned as well": (pruned,),
    "from parts as well": (pruned, from_parts),
    "from weaker penalties as well": (pruned, from_parts, from_weaker),
}


def hidden():
    """Name -> how data are drawn, relevant features, alpha (None: by noise), share of the draws."""

    def of(make, *size, n_irrelevant):
        def draw(seed):
            X, y = make(*size, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)
            return X.astype(np.float32), y

        return draw

    def pair(make):
        return lambda seed: make(seed, 10_000)

    return {
        "XOR + 5,000, 200 samples": (of(datasets.make_xor, 200, n_irrelevant=5000), 2, 1.0, 1),
        "parity of three + 100": (of(datasets.make_parity, 200, n_irrelevant=100), 3, 1.0, 1),
        **{f"{name} + 10,000": (pair(make), 2, alpha, 1) for name, (make, alpha) in PAIRS.items()},
        "300 samples of the spiral + 20,000": (some_of_the_spiral, 2, None, 0.4),
    }


def some_of_the_spiral(seed):
    X, y = datasets.make_spiral(n_irrelevant=20_000, random_state=seed, return_X_y=True)
    some = np.random.default_rng(seed).permutation(len(y))[:300]
    return X[some].astype(np.float32), y[some]


class Undamped(Exact):
    """Without Newton's method."""

    def root(self, few, problem, w, tol):
        return None


class NotExtrapolated(Approximate):
    """Approximate steps, damped and finished by Newton's method."""

    anderson = False


class ExactSteps(Exact):
    """Exact steps, extrapolated."""

    few, anderson = Approximate.few, True


def steps(quick):
    """Time of the same fit with other steps: thousands of samples, and few."""
    X, y = simulated(1500 if quick else 3000, 500 if quick else 2000)[:2]
    cases = {
        "as it is": lambda: points_of(X, y, coarse=True),
        "all starts with all samples": lambda: points_of(X, y),
        "exact steps": lambda: with_rough(points_of(X, y, coarse=True), ExactSteps()),
        "no extrapolation": lambda: with_rough(points_of(X, y, coarse=True), NotExtrapolated()),
    }
    name = f"{len(X):,} x {X.shape[1]:,}, 8 classes, alpha=1"
    rows = timed(name, {k: lambda make=make: make().solve(SIGMA, 1.0) for k, make in cases.items()})
    A, b = datasets.make_xor(200, n_irrelevant=100, random_state=0, return_X_y=True)
    few = {
        "as it is": lambda: points_of(A, b).solve(SIGMA, 1.0),
        "no Newton": lambda: points_of(A, b, evaluator=Undamped()).solve(SIGMA, 1.0),
    }
    rows += timed("XOR + 100, 200 samples, alpha=1", few)
    C, d = datasets.make_spiral(n_irrelevant=500, random_state=0, dtype="f4", return_X_y=True)
    cycling = {
        "as it is": lambda: points_of(C, d, raw=True, more_starts=[sparse]).solve(0.5, 1.0),
        "no sparse start": lambda: points_of(C, d, raw=True).solve(0.5, 1.0),
    }
    return rows + timed("raw spiral + 500, sigma=0.5, alpha=1", cycling, repeats=1)


def with_rough(points, evaluator):
    points.rough_evaluator = evaluator
    return points


def screening(quick):
    """Time of a path of permuted labels, with screened steps and with exact ones."""
    rng = np.random.default_rng(0)
    X, y = (
        rng.standard_normal((102, 3000 if quick else 12_600)).astype(np.float32),
        np.arange(102) % 2,
    )
    weakest = noise_alpha([points_of(X, rng.permutation(y)) for _ in range(3)])

    def area(evaluator):
        points = points_of(X, y, evaluator=evaluator, tol=1e-2, more_starts=[pruned])
        return path_area(points, SIGMA, weakest)

    cases = {"as it is": lambda: area(SCREENED_STEPS), "exact steps": lambda: area(EXACT)}
    return timed(f"path area of noise, 102 x {X.shape[1]:,}", cases)


def timed(name, cases, repeats=3):
    """A row per case: the best of a few runs, in turns, over that of the first."""
    best = dict.fromkeys(cases, np.inf)
    notes = dict.fromkeys(cases, "")
    for _ in range(repeats + 1):  # the first compiles
        for which, solve in cases.items():
            began = time.perf_counter()
            found = solve()
            best[which] = min(best[which], time.perf_counter() - began)
            if hasattr(found, "objective"):
                ended = "certified" if found.converged else "not converged"
                n, weights = found.n_iter, np.count_nonzero(found.w)
                said = f"{ended}, {n} iterations, {weights} features"
                notes[which] = f"objective {found.objective:.4f}, {said}"
    first = next(iter(best.values()))
    return [
        row(f"{name}: {which}", took, note=f"{took / first:.2f} x; {notes[which]}")
        for which, took in best.items()
    ]
