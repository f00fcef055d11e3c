"""Missing and nominal values: what they cost, and what is found in spite of them."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from benchmarks.timing import compared, once, row
from hitmiss import LOFE, ReliefF, datasets
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.distances import add_pair_distances
from hitmiss.kernels.margins import margin_vectors
from hitmiss.kernels.row_tiles import tile_distances, tile_margins
from hitmiss.kernels.sums import difference_sums, difference_sums_two

N, J = 460, 512  # samples and features of a packed block, as of the spiral
LEVELS = 4  # of a nominal feature
REQUIRED_SHARE = 0.1  # of missing values, with which the features must be the same


def _twonorm(n_samples, seed):
    return datasets.make_twonorm(n_samples, n_irrelevant=1000, random_state=seed)


SETS = {
    "spiral + 1,000": lambda seed: datasets.make_spiral(n_irrelevant=1000, random_state=seed),
    "XOR + 100": lambda seed: datasets.make_xor(n_irrelevant=100, random_state=seed),
    "twonorm + 1,000, 200 samples": partial(_twonorm, 200),
    "twonorm + 1,000, 800 samples": partial(_twonorm, 800),
}
# Where the answer without gaps is not determined either: of twenty features that share the signal
# 200 samples choose some 16, and leaving out a tenth of the samples changes which in half of the
# draws. No size is asked for, so the same features are required of 800 samples, which determine all
# twenty, and these rows stand beside those without a requirement.
UNDETERMINED = {"twonorm + 1,000, 200 samples"}
N_RELEVANT = {name: 20 if name.startswith("twonorm") else 2 for name in SETS}
MODELS = {
    "alpha auto, order both": LOFE(alpha="auto", order="both"),
    "alpha 1": LOFE(alpha=1.0, order="weight"),
}


def run(quick=False):
    """All rows; `quick` draws fewer data sets."""
    n_seeds = 2 if quick else 10
    rows = [*blocks(quick), *fits(quick), by_class(n_seeds), words(n_seeds)]
    rows += [
        found(name, share, model, n_seeds)
        for model in MODELS
        for name in SETS
        for share in (0.1, 0.3)
    ]
    return rows


def holed(X, share, seed=0):
    """A copy with a share of all values missing at random."""
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


def blocks(quick):
    """Kernels of a block with missing values, and of nominal ones, against those of numbers."""
    rows, repeat = [], 20 if quick else 200
    for dtype in (np.float32, np.float64):
        rng = np.random.default_rng(0)
        X, S = rng.random((N, J)).astype(dtype), np.triu(rng.random((N, N)), 1).astype(dtype)
        H, gap = holed(X, 0.1), np.full(J, 0.3, dtype)
        D, Z, total = np.zeros((N, N)), np.empty_like(X), np.zeros((2, J))
        sums, zero, rule = np.empty((2, J), dtype), np.zeros(N, dtype), (gap, None)
        pairs = {
            add_pair_distances: (
                (H, *rule, 0, N, dtype(1), D),
                (X, *NUMBERS, 0, N, dtype(1), D),
            ),
            margin_vectors: (
                (H, *rule, S, zero, 0, N, Z),
                (X, *NUMBERS, S, None, 0, N, Z),
            ),
            difference_sums: (
                (H, *rule, S, sums[0], total[0]),
                (X, *NUMBERS, S, sums[0], total[0]),
            ),
            difference_sums_two: (
                (H, *rule, S, S, sums, *total),
                (X, *NUMBERS, S, S, sums, *total),
            ),
            **tiles(dtype),
        }
        rows += [
            timed(f"{kernel.__name__}, 10 % missing, {dtype.__name__}", kernel, *both, repeat, 1.6)
            for kernel, both in pairs.items()
        ]
        codes = 2 * rng.integers(LEVELS, size=(N, J)).astype(dtype)
        cap, wide = np.ones(J, dtype), rng.random((N, (LEVELS - 1) * J)).astype(dtype)
        what = f"nominal, {LEVELS} levels, {dtype.__name__}"
        rest = 0, N, dtype(1), D
        given, peer = (codes, gap, cap, *rest), (wide, *NUMBERS, *rest)
        rows.append(timed(what, add_pair_distances, given, peer, repeat, 1))
    return rows


def tiles(dtype):
    """The kernels of a row tile."""
    rng = np.random.default_rng(0)
    A, R = rng.random((64, 12)).astype(dtype), rng.random((12, 2000)).astype(dtype)
    Q, gap = rng.random((64, 2000)).astype(dtype), np.full(12, 0.3, dtype)
    D, Z, holes = np.empty_like(Q), np.empty_like(A), (holed(A, 0.1), holed(R, 0.1), gap, None)
    zero, everything = np.zeros(64, dtype), np.array([[0, 2000]])
    return {
        tile_distances: ((*holes, D), (A, R, *NUMBERS, D)),
        tile_margins: (
            (*holes, everything, Q, zero, Z),
            (A, R, *NUMBERS, everything, Q, None, Z),
        ),
    }


def timed(what, kernel, given, numbers, repeat, bound):
    """A kernel of missing or nominal values beside the same one of numbers."""
    return compared(
        what,
        lambda: kernel(*given),
        f"numbers, {kernel.__name__}",
        lambda: kernel(*numbers),
        required=f"at most {bound}",
        repeat=repeat,
    )


def fits(quick):
    """Whole fits: with gaps against without, nominal features against numbers."""
    spiral = datasets.make_spiral(n_irrelevant=1000, random_state=0)
    holes = holed(spiral.data, 0.1)
    rng, y = np.random.default_rng(0), np.arange(300) % 2
    codes = rng.integers(LEVELS, size=(300, 2000)).astype(np.float32)
    numbers = rng.random((300, 2000 * (LEVELS - 1)), np.float32)
    nominal, repeat = ReliefF(categorical=np.arange(2000)), 3 if quick else 10
    return [
        compared(
            "LOFE, spiral + 1,000, 10 % missing",
            lambda: LOFE(alpha=1.0, order="weight").fit(holes, spiral.target),
            "nothing missing",
            lambda: LOFE(alpha=1.0, order="weight").fit(spiral.data, spiral.target),
            note="the steps differ too",
            repeat=repeat,
        ),
        compared(
            f"ReliefF, 300 x 2,000 nominal features of {LEVELS} levels",
            lambda: nominal.fit(codes, y),
            f"{LEVELS - 1} times as many numbers",
            lambda: ReliefF().fit(numbers, y),
            required="at most 1",
            repeat=4 * repeat,
        ),
    ]


def found(name, share, model, n_seeds):
    """How often the features of the complete data are found when some values are missing.

    Beside it, how often that is so when the gaps are filled in, and when as large a share of the
    samples is left out instead: a set that this changes too is not changed by how gaps are treated.
    """
    sets, times = {"whole": [], "gaps": [], "filled": [], "fewer": []}, []
    for seed in range(n_seeds):
        data = SETS[name](seed)
        X, y, n = holed(data.data, share, seed), data.target, len(data.target)
        kept = np.random.default_rng(seed).permutation(n)[: round((1 - share) * n)]
        fitted = clone(MODELS[model])
        times.append(once(partial(fitted.fit, X, y)))
        sets["gaps"].append(np.flatnonzero(fitted.weights_))
        sets["whole"].append(selected(model, data.data, y))
        sets["filled"].append(selected(model, SimpleImputer().fit_transform(X), y))
        sets["fewer"].append(selected(model, data.data[kept], y[kept]))
    known, all_of_them = N_RELEVANT[name], f"{n_seeds} of {n_seeds}"
    same = {how: n_same(sets["whole"], sets[how]) for how in ("gaps", "filled", "fewer")}
    is_required, left = share == REQUIRED_SHARE and name not in UNDETERMINED, ""
    if share == REQUIRED_SHARE and not is_required:
        left = "no requirement, as fewer samples without gaps change the features too: "
    return row(
        f"LOFE, {model}, {name}, {100 * share:.0f} % missing",
        min(times),
        required=f"the same features in {all_of_them}" if is_required else "",
        note=f"{left}the same features as without gaps in {same['gaps']} of {n_seeds}, with the "
        f"mean filled in in {same['filled']}, with {100 * share:.0f} % fewer samples and no gaps "
        f"in {same['fewer']}; features with a weight only with or only without gaps, in all draws: "
        f"{n_different(sets['whole'], sets['gaps'])}; found of the {known} relevant and others, "
        f"on average: without gaps {counts(sets['whole'], known)}, with gaps "
        f"{counts(sets['gaps'], known)}",
        met=same["gaps"] == n_seeds if is_required else None,
    )


def selected(model, X, y):
    """Features that LOFE gives a weight."""
    return np.flatnonzero(clone(MODELS[model]).fit(X, y).weights_)


def n_same(some, others):
    """How many sets are the same."""
    return sum(map(np.array_equal, some, others))


def n_different(some, others):
    """How many features are in one of two sets alone, over all pairs of sets."""
    return sum(len(np.setxor1d(*pair)) for pair in zip(some, others, strict=True))


def counts(sets, n_relevant):
    """Mean numbers of features found, of the relevant ones, which come first, and of the others."""
    relevant = np.mean([np.sum(found < n_relevant) for found in sets])
    others = np.mean([np.sum(found >= n_relevant) for found in sets])
    return f"{relevant:.1f} and {others:.1f}"


def by_class(n_seeds):
    """An irrelevant feature, missing in one class only.

    With alpha 1: of six features alpha "auto" lets this one in by chance, in 14 of 60 other draws
    without any gap and in 15 with them.
    """
    ours = imputed = 0
    times = []
    for seed in range(n_seeds):
        rng, y = np.random.default_rng(seed), np.arange(200) % 2
        X = rng.normal(size=(200, 6))
        X[:, 0] += y
        X[:, 5] = rng.choice([-1.0, 1.0], 200) + 0.2 * X[:, 5]  # on or off, whatever the class
        X[(y == 1) & (rng.random(200) < 0.3), 5] = np.nan
        model, filled = clone(MODELS["alpha 1"]), SimpleImputer().fit_transform(X)
        times.append(once(partial(model.fit, X, y)))
        ours += model.weights_[5] > 0
        imputed += selected("alpha 1", filled, y)[-1] == 5
    note = f"the feature has a weight in {ours} of {n_seeds}, with the mean filled in in {imputed}"
    what = "LOFE, 200 x 6, 30 % missing in one class of an irrelevant feature"
    return row(what, min(times), required="no weight", note=note, met=ours == 0)


def word_table(seed, n_samples=400, n_features=500):
    """Words; the first two tell the classes apart, but only together."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=(n_samples, n_features))
    y = (codes[:, 0] + codes[:, 1]) % 3 == 0
    words = np.array(["ash", "beech", "cedar"])[codes]
    return pd.DataFrame(words, columns=[f"tree {j}" for j in range(n_features)]), y


def words(n_seeds):
    """An interaction of two nominal features among 500, and the same one-hot encoded."""
    pair, times, columns = 0, [], []
    for seed in range(n_seeds):
        X, y = word_table(seed)
        model = LOFE(alpha=1.0, order="weight")
        times.append(once(partial(model.fit, X, y)))
        pair += np.flatnonzero(model.weights_).tolist() == [0, 1]
        encoder = OneHotEncoder(sparse_output=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            apart = LOFE(alpha=1.0, order="weight").fit(encoder.fit_transform(X), y)
        columns.append(int(np.count_nonzero(apart.weights_)))
    note = (
        f"exactly the pair in {pair} of {n_seeds}; one-hot encoded, {min(columns)} to "
        f"{max(columns)} indicator columns have a weight"
    )
    what = "LOFE, 400 x 500 words of 3 levels, an interaction of two"
    need = f"the pair in {n_seeds} of {n_seeds}"
    return row(what, min(times), required=need, note=note, met=pair == n_seeds)
