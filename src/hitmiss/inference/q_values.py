"""From statistics and those of permuted labels to q-values and p-values."""

import numpy as np
from numpy.typing import NDArray


class PooledNull:
    r"""Counts of how often permuted labels reach what the true labels reached.

    For a threshold t the expected share of false discoveries is estimated as

    .. math::
        \widehat{FDR}(t) = \frac{1 + \#\{b, j : T_j^b \ge t\}}{(B + 1) \, \#\{j : T_j \ge t\}}

    with the statistics :math:`T_j` of the features and :math:`T_j^b` of B permutations. The q-value
    of a feature is the smallest estimate over the thresholds at or below its own statistic. A
    statistic that is not above 0 says nothing in favor of its feature: the q-value is 1.

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
        self._order = np.argsort(observed, kind="stable")
        self._ascending = observed[self._order]
        self._reached = np.zeros(len(observed), int)  # by values of permuted labels, ascending
        self._largest_reached = np.zeros(len(observed), int)  # by the largest of a permutation
        self._whole_reached = 0

    def add(self, values: NDArray, whole: float) -> None:
        """Count the statistics of one permutation."""
        below = np.searchsorted(np.sort(values), self._ascending, side="left")
        self._reached += len(values) - below
        self._largest_reached += values.max() >= self._ascending
        self._whole_reached += whole >= self.whole
        self.n_permutations += 1

    @property
    def p_value(self) -> float:
        """Of the fit as a whole: how often permuted labels are explained as well."""
        return (1 + self._whole_reached) / (1 + self.n_permutations)

    def q_values(self) -> NDArray:
        """Of every feature; never below `p_value`.

        If nothing is there, a q-value up to any level then has at most that probability, however
        the features depend on each other.
        """
        n_features, n = len(self.observed), self.n_permutations
        first = np.searchsorted(self._ascending, self._ascending, side="left")
        discoveries = n_features - first
        estimate = (1 + self._reached) / (1 + n) / discoveries
        estimate[self._ascending <= 0] = 1.0
        smallest = np.minimum.accumulate(np.minimum(estimate, 1.0))
        return self._in_order(np.maximum(smallest, self.p_value), 1.0)

    def p_values(self) -> NDArray:
        """Of every feature: how often any feature of permuted labels is as large."""
        return self._in_order((1 + self._largest_reached) / (1 + self.n_permutations), 1.0)

    def _in_order(self, ascending: NDArray, elsewhere: float) -> NDArray:
        """In the order of the features; `elsewhere` where the statistic is not above 0."""
        out = np.empty(len(ascending))
        out[self._order] = np.where(self._ascending > 0, ascending, elsewhere)
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
    """The same for e-values: `benjamini_hochberg` of their inverses, at most 1.

    Examples
    --------
    >>> e_benjamini_hochberg(np.array([60.0, 0.0, 30.0]))
    array([0.05, 1.  , 0.05])
    """
    with np.errstate(divide="ignore"):
        return benjamini_hochberg(np.minimum(1 / e_values, 1.0))
