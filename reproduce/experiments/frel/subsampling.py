"""Rankings by a method and by its ensemble on random subsamples, and their stability."""

import itertools

import numpy as np
from scipy.stats import rankdata

from hitmiss.metrics import ranking_stability

N_SAMPLES = 10  # subsamples
SHARE = 0.9  # of the rows in a subsample, and of its rows in a member
N_MEMBERS = 20
EQ22, SPEARMAN = "eq. 22", "Spearman"  # measures that mean ranks are compared by
SIZES = (1, 5, 10, 20, 40)  # numbers of members whose stability is compared


def random_rows(rows, rng):
    """A share of the rows, without replacement and in random order: the pass depends on it."""
    return rng.permutation(rows)[: int(np.ceil(SHARE * len(rows)))]


def subsets(n, n_members=N_MEMBERS, first_seed=0):
    """Rows of every subsample, and those of its members; the first are the same for any number."""
    draws = []
    for seed in range(first_seed, first_seed + N_SAMPLES):
        rng = np.random.default_rng(seed)
        rows = random_rows(np.arange(n), rng)
        draws.append((rows, [random_rows(rows, rng) for _ in range(n_members)]))
    return draws


def fit_all(method, X, y, draws):
    """Weights on every subsample, and those of its members: (c, J) and (c, m, J)."""
    X = X.astype(np.float32)
    single = np.array([method.weigh(X[r], y[r]) for r, _ in draws])
    members = [[method.weigh(X[r], y[r]) for r in inner] for _, inner in draws]
    return single, np.array(members)


def mean_ranks(members):
    """Mean over the members of the ranks of their features, 1 for the largest weight."""
    return rankdata(-members, axis=-1).mean(axis=-2)


def selected(ranks, n_top):
    """The features with the smallest ranks, at most `n_top`; a tie across the last place has none.

    A sparse method leaves many features at weight 0: the order of the data must not choose.
    """
    return np.flatnonzero(ranks < np.sort(ranks)[n_top])


def eq22(ranks):
    """Eq. 21 with eq. 22 to the letter, whatever the ranks are: those of an ensemble are means."""
    d = ranks.shape[1]
    pairs = itertools.combinations(ranks, 2)
    return float(np.mean([1 - 6 * np.sum((a - b) ** 2) / (d * (d**2 - 1)) for a, b in pairs]))


def stability_by_members(members):
    """Measure -> number of members -> stability of the ensembles of so many, by mean ranks."""
    sizes = [m for m in SIZES if m <= members.shape[1]]
    ranks = {m: mean_ranks(members[:, :m]) for m in sizes}
    return {
        EQ22: {m: eq22(some) for m, some in ranks.items()},
        SPEARMAN: {m: ranking_stability(-some) for m, some in ranks.items()},
    }
