"""q-values by Benjamini and Hochberg, and those of discoveries that are attributed."""

import numpy as np
from numpy.typing import NDArray


def benjamini_hochberg(p_values: NDArray) -> NDArray:
    """Adjusted p-values: the smallest level at which the procedure rejects each hypothesis.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.5, 0.02]))
    array([0.03, 0.5 , 0.03])
    """
    order = np.argsort(p_values, kind="stable")
    ranks = np.arange(1, len(p_values) + 1)
    scaled = p_values[order] * len(p_values) / ranks
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def e_benjamini_hochberg(e_values: NDArray) -> NDArray:
    """Adjust e-values: `benjamini_hochberg` of their inverses, at most 1.

    Examples
    --------
    >>> e_benjamini_hochberg(np.array([60.0, 0.0, 30.0]))
    array([0.05, 1.  , 0.05])
    """
    with np.errstate(divide="ignore"):
        return benjamini_hochberg(np.minimum(1 / e_values, 1.0))


def attributed(q_values: NDArray, attribution: NDArray) -> NDArray:
    """q-values of discoveries that can also be told from what is correlated with them.

    One minus the attribution is the probability that a feature is only a bystander. Its mean over
    the features that are at least as good in both respects is the expected share of bystanders
    among them; the larger of this and the q-value is the level of a feature. Features that are
    each better in one respect may be many, so that the mean over all up to a level exceeds it: the
    level at which it does not is returned.

    Parameters
    ----------
    q_values : ndarray of shape (n_features,)
        As of a test.
    attribution : ndarray of shape (n_features,)
        As from `hitmiss.inference.attribution`.

    Examples
    --------
    >>> attributed(np.array([0.05, 0.05, 0.05, 0.2]), np.array([1.0, 0.9, 0.1, 1.0]))
    array([0.05      , 0.05      , 0.33333333, 0.2       ])
    """
    bystander = 1 - attribution
    levels = np.ones(len(q_values))
    for j in np.flatnonzero(q_values < 1):
        as_good = (q_values <= q_values[j]) & (bystander <= bystander[j])
        levels[j] = max(q_values[j], bystander[as_good].mean())
    order = np.argsort(levels, kind="stable")
    means = np.cumsum(bystander[order]) / np.arange(1, len(order) + 1)
    last = np.searchsorted(levels[order], levels[order], side="right") - 1  # of equal levels
    reached = np.maximum(levels[order], means[last])
    out = np.empty(len(levels))
    out[order] = np.minimum.accumulate(reached[::-1])[::-1]
    return np.where(levels < 1, out, 1.0)
