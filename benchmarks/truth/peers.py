"""Peers with their own defaults, each imported where it is used: they are optional packages.

Each takes X, y and a seed and returns, for every feature, the smallest level of the false discovery
rate at which it is selected: 0 for a rule without a level, infinity for never.
"""

import contextlib
import io

import numpy as np
import sklearn

LEVELS = np.arange(1, 51) / 100
NEVER = np.inf
SINCE_1_8 = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8)
L1: dict = {"l1_ratio": 1.0} if SINCE_1_8 else {"penalty": "l1"}  # of scikit-learn's regression
SUBSAMPLES = 200  # of Stabl; its default of 1,000 takes five times as long for the same frequencies


def ipss(X, y, seed):
    """Integrated path stability selection with gradient boosting, its default."""
    from ipss import ipss

    np.random.seed(seed)  # noqa: NPY002, it has no other way
    found = ipss(X, y)["q_values"]
    return np.array([found[j] for j in range(X.shape[1])])


def knockpy(X, y, seed):
    """Gaussian knockoffs of an estimated covariance and the lasso, the defaults."""
    from knockpy.knockoff_filter import KnockoffFilter

    np.random.seed(seed)  # noqa: NPY002, it has no other way
    filter_ = KnockoffFilter()
    with contextlib.redirect_stdout(io.StringIO()):
        filter_.forward(X, y)
    return smallest_level(lambda q: filter_.make_selections(filter_.W, q) > 0, X.shape[1])


def smallest_level(selected_at, n_features):
    """For every feature the first of `LEVELS` at which it is selected."""
    found = np.full(n_features, NEVER)
    for q in LEVELS[::-1]:
        found[selected_at(q)] = q
    return found


def boruta(X, y, seed):
    """All features better than the best shadow, by a forest; it has no level."""
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    model = BorutaPy(RandomForestClassifier(n_jobs=1), random_state=seed).fit(X, y)
    return np.where(model.support_, 0, NEVER)


def stabl(X, y, seed):
    """Stabl's published rule, run again: the package of this name at PyPI is something else.

    Each feature gets an artificial one, a permuted copy. An L1 logistic regression runs on random
    halves of the samples for ten strengths; a feature's frequency of selection is the largest over
    the strengths. The threshold t of the frequencies is where
    (1 + artificial above t) / (real above t) is least; above 1 nothing is selected.

    References
    ----------
    J. Hédou et al., "Discovery of sparse, reliable omic biomarkers with Stabl", Nature
    Biotechnology 42, 2024.
    """
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(seed)
    both = np.hstack([X, rng.permuted(X, axis=0)])
    halves = [two_classes(rng, y) for _ in range(SUBSAMPLES)]
    frequency = np.zeros(both.shape[1])
    for strength in np.linspace(0.01, 1, 10):
        model = LogisticRegression(
            C=strength, **L1, solver="liblinear", class_weight="balanced", max_iter=10**6
        )
        chosen = [np.abs(model.fit(both[rows], y[rows]).coef_[0]) > 1e-5 for rows in halves]
        frequency = np.maximum(frequency, np.mean(chosen, axis=0))
    real, artificial = np.split(frequency, 2)
    return np.where(real > stabl_threshold(real, artificial), 0, NEVER)


def two_classes(rng, y):
    """Half of the samples, drawn again until both classes are there."""
    while True:
        rows = rng.permutation(len(y))[: len(y) // 2]
        if len(np.unique(y[rows])) > 1:
            return rows


def stabl_threshold(real, artificial):
    """The threshold with the least estimated proportion of false discoveries."""
    thresholds = np.arange(100) / 100
    estimated = [(1 + (artificial > t).sum()) / max(1, (real > t).sum()) for t in thresholds]
    return thresholds[np.argmin(estimated)] if min(estimated) <= 1 else 1.0
