"""Measures of stability: the similarity of rankings or selections from different samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, rankdata


class SelectionStability(NamedTuple):
    """Nogueira's measure, its variance and its confidence interval."""

    stability: float
    variance: float
    lower: float
    upper: float


class StabilityDifference(NamedTuple):
    """Test statistic and p-value of the hypothesis that two stabilities are equal."""

    statistic: float
    p_value: float


def ranking_stability(weights: ArrayLike) -> float:
    """Mean Spearman correlation between all pairs of rankings (FREL eq. 21 and 22).

    Parameters
    ----------
    weights : array-like of shape (n_rankings, n_features)
        Weights of the features, or other scores; equal ones share their ranks.

    Returns
    -------
    stability : float
        1 for equal rankings, about 0 for unrelated ones. A ranking in which all features are
        equal has no correlation; it counts as 0.

    Examples
    --------
    >>> from hitmiss.metrics import ranking_stability
    >>> ranking_stability([[3, 2, 1], [9, 5, 0], [9, 0, 5]])  # 1, 1/2 and 1/2
    0.666...
    """
    ranks = rankdata(_table(weights, "weights"), axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    length = np.linalg.norm(ranks, axis=1, keepdims=True)
    unit = ranks / np.where(length > 0, length, 1.0)
    return _mean_of_pairs(unit @ unit.T)


def kuncheva_stability(supports: ArrayLike) -> float:
    """Mean of Kuncheva's index over all pairs of selections of one size.

    Two sets of k among d features that share r have the index ``(r d - k^2) / (k (d - k))``: 1 if
    they are equal, about 0 if they are drawn at random.

    Parameters
    ----------
    supports : array-like of bool, shape (n_selections, n_features)
        One selection per row; all of the same size, neither empty nor full.

    Returns
    -------
    stability : float

    References
    ----------
    L. I. Kuncheva (2007). A stability index for feature selection. AIA, 421-427.

    Examples
    --------
    >>> from hitmiss.metrics import kuncheva_stability
    >>> kuncheva_stability([[1, 1, 0, 0], [1, 0, 1, 0]])  # one shared, as at random
    0.0
    """
    Z = _table(supports, "supports") != 0
    sizes, d = Z.sum(axis=1), Z.shape[1]
    k = int(sizes[0])
    if (sizes != k).any() or not 0 < k < d:
        raise ValueError(
            "Kuncheva's index needs selections of one size, neither empty nor full; got sizes "
            f"{sizes.min()} to {sizes.max()} of {d}. nogueira_stability takes any."
        )
    shared = _shared(Z)
    return _mean_of_pairs((shared * d - k**2) / (k * (d - k)))


def jaccard_stability(supports: ArrayLike) -> float:
    """Mean Jaccard index of all pairs of selections: features in both over features in either.

    Parameters
    ----------
    supports : array-like of bool, shape (n_selections, n_features)
        One selection per row.

    Returns
    -------
    stability : float
        Two empty selections count as equal.

    Examples
    --------
    >>> from hitmiss.metrics import jaccard_stability
    >>> jaccard_stability([[1, 1, 0, 0], [1, 0, 1, 0]])
    0.333...
    """
    Z = _table(supports, "supports") != 0
    shared, sizes = _shared(Z), Z.sum(axis=1)
    either = sizes[:, None] + sizes - shared
    return _mean_of_pairs(np.where(either > 0, shared / np.maximum(either, 1), 1.0))


def nogueira_stability(supports: ArrayLike, *, confidence: float = 0.95) -> SelectionStability:
    """Nogueira's stability of selections of any sizes, with a confidence interval.

    ``1 - mean_j s_j^2 / (p (1 - p))`` where s_j^2 is the unbiased variance of "feature j is
    selected" and p the mean share of features selected. It is 1 for equal selections, has
    expectation 0 for random ones, and is Kuncheva's index if all sizes are equal.

    Parameters
    ----------
    supports : array-like of bool, shape (n_selections, n_features)
        One selection per row; not all empty and not all full.
    confidence : float, default=0.95
        Probability that the interval holds the stability of the procedure, as the number of
        selections grows.

    Returns
    -------
    SelectionStability
        `stability`, `variance`, `lower`, `upper`.

    References
    ----------
    S. Nogueira, K. Sechidis, G. Brown (2018). On the stability of feature selection algorithms.
    JMLR 18(174), 1-54, Definition 4, Theorem 7 and Corollary 8.

    Examples
    --------
    >>> from hitmiss.metrics import nogueira_stability
    >>> nogueira_stability([[1, 1, 0], [0, 1, 1], [1, 0, 1]]).stability
    -0.5
    """
    Z = (_table(supports, "supports") != 0).astype(float)
    M = len(Z)
    p, q = Z.mean(axis=0), Z.mean(axis=1)  # frequency of each feature, share of each selection
    spread = float(q.mean() * (1 - q.mean()))
    if spread == 0:
        raise ValueError("Stability is not defined: the selections are all empty or all full.")
    phi = 1 - M / (M - 1) * float(np.mean(p * (1 - p))) / spread
    own = (Z * p).mean(axis=1) - q * q.mean()
    correction = phi / 2 * (2 * q * q.mean() - q - q.mean() + 1)
    variance = 4 / M * float(np.var((own + correction) / spread))
    reach = norm.ppf((1 + _share("confidence", confidence)) / 2) * np.sqrt(variance)
    return SelectionStability(phi, variance, float(phi - reach), float(phi + reach))


def stability_difference(first: ArrayLike, second: ArrayLike) -> StabilityDifference:
    """Test whether two selection procedures are equally stable, in Nogueira's measure.

    Parameters
    ----------
    first, second : array-like of bool, shape (n_selections, n_features)
        Selections of the two procedures.

    Returns
    -------
    StabilityDifference
        `statistic`, positive if the second is more stable and standard normal if they are equal,
        and the two-sided `p_value`.

    References
    ----------
    S. Nogueira, K. Sechidis, G. Brown (2018). JMLR 18(174), 1-54, Theorem 9.

    Examples
    --------
    >>> from hitmiss.metrics import stability_difference
    >>> steady = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> shaky = [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
    >>> statistic, p_value = stability_difference(shaky, steady)
    >>> round(statistic, 2), round(p_value, 2)
    (2.6, 0.01)
    """
    a, b = nogueira_stability(first), nogueira_stability(second)
    difference, deviation = b.stability - a.stability, np.sqrt(a.variance + b.variance)
    if difference == 0:
        return StabilityDifference(0.0, 1.0)
    statistic = float(difference / deviation) if deviation > 0 else np.inf * np.sign(difference)
    return StabilityDifference(statistic, float(2 * norm.sf(abs(statistic))))


def stability_accuracy_tradeoff(stability: float, accuracy: float) -> float:
    """Harmonic mean of stability and accuracy (SAT); 0 if either is not positive.

    Parameters
    ----------
    stability, accuracy : float
        At most 1.

    Returns
    -------
    sat : float

    Examples
    --------
    >>> from hitmiss.metrics import stability_accuracy_tradeoff
    >>> round(stability_accuracy_tradeoff(0.6, 0.9), 3)
    0.72
    """
    if min(stability, accuracy) <= 0:
        return 0.0
    return 2 * stability * accuracy / (stability + accuracy)


def _table(values: ArrayLike, name: str) -> NDArray:
    table = np.asarray(values, dtype=float)
    if table.ndim != 2 or len(table) < 2 or table.shape[1] < 1:
        raise ValueError(
            f"{name} must have at least 2 rows, one per run, and a column per feature; got the "
            f"shape {table.shape}."
        )
    if not np.isfinite(table).all():
        raise ValueError(f"{name} must be finite.")
    return table


def _share(name: str, value: float) -> float:
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1; got {value!r}.")
    return value


def _shared(Z: NDArray) -> NDArray:
    """Number of features that each pair of selections has in common."""
    return Z.astype(float) @ Z.T


def _mean_of_pairs(similarity: NDArray) -> float:
    return float(similarity[np.triu_indices(len(similarity), 1)].mean())
