"""From statistics and those of permuted labels to q-values and p-values."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import ZERO, at_least, below


class PooledNull:
    r"""Counts of how often permuted labels reach what the true labels reached.

    For a threshold t the expected share of false discoveries is estimated as

    .. math::
        \widehat{FDR}(t) = \frac{1 + \#\{b, j : T_j^b \ge t\}}{(B + 1) \, \#\{j : T_j \ge t\}}

    with the statistics :math:`T_j` of the features and :math:`T_j^b` of B permutations. The q-value
    of a feature is the smallest estimate over the thresholds at or below its own statistic. A
    statistic that is not above 0 says nothing in favor of its feature: the q-value is 1. Permuted
    labels that are the true ones in another order reach them up to rounding, which counts.

    Parameters
    ----------
    observed : ndarray of shape (n_features,)
        Statistics under the true labels.
    whole : float
        Statistic of the fit as a whole.

    Examples
    --------
    >>> null = PooledNull(np.array([5.0, 3.0, 0.0]), whole=8.0)
    >>> for b in range(9):
    ...     null.add(np.array([0.0, 1.0, 0.0]), whole=1.0)
    >>> null.q_values()
    array([0.1, 0.1, 1. ])
    >>> null.p_value
    0.1
    """

    def __init__(self, observed: NDArray, whole: float):
        self.observed, self.whole = observed, whole
        self.n_permutations = 0
        order, known = np.argsort(observed, kind="stable"), observed[np.isfinite(observed)]
        least = ZERO * max(known.max(initial=0.0), 0.0)
        self._order = order[observed[order] > least]  # the others have a q-value of 1
        self._ascending = below(observed[self._order])
        self._reached = np.zeros(len(self._order), int)  # by values of permuted labels
        self._largest_reached = np.zeros(len(self._order), int)  # by the largest of a permutation
        self._whole_reached = 0

    def add(self, values: NDArray, whole: float) -> None:
        """Count the statistics of one permutation."""
        self.n_permutations += 1
        self._whole_reached += bool(at_least(whole, self.whole))
        if len(self._ascending):
            high = np.sort(values[values >= self._ascending[0]])
            self._reached += len(high) - np.searchsorted(high, self._ascending, side="left")
            self._largest_reached += values.max() >= self._ascending

    @property
    def p_value(self) -> float:
        """Of the fit as a whole: how often permuted labels are explained as well."""
        return (1 + self._whole_reached) / (1 + self.n_permutations)

    def q_values(self, least: float | None = None) -> NDArray:
        """Of every feature; never below `least`, by default the p-value of the whole.

        If nothing is there, a q-value up to any level then has at most that probability, however
        the features depend on each other.
        """
        first = np.searchsorted(self._ascending, below(self._ascending), side="left")
        discoveries = len(self._ascending) - first
        estimate = (1 + self._reached) / (1 + self.n_permutations) / discoveries
        smallest = np.minimum.accumulate(np.minimum(estimate, 1.0))
        return self._in_order(np.maximum(smallest, self.p_value if least is None else least))

    def p_values(self) -> NDArray:
        """Of every feature: how often any feature of permuted labels is as large."""
        return self._in_order((1 + self._largest_reached) / (1 + self.n_permutations))

    def single_p_values(self) -> NDArray:
        """Of every feature alone: how many of all values of permuted labels are as large."""
        n_values = self.n_permutations * len(self.observed)
        return self._in_order((1 + self._reached) / (1 + n_values))

    def _in_order(self, ascending: NDArray) -> NDArray:
        """In the order of the features; 1 where the statistic is not above 0."""
        out = np.ones(len(self.observed))
        out[self._order] = ascending
        return out


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
