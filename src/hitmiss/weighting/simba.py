"""Simba's margin of one sample under weights, and its gradient."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss.data.one_sample import Rows, UnlikeRows

Utility = Callable[[float], tuple[float, float]]  # margin -> value and derivative


def linear(margin: float) -> tuple[float, float]:
    """The margin itself."""
    return margin, 1.0


def sigmoid(beta: float) -> Utility:
    """``1 / (1 + exp(-beta margin))``."""

    def utility(margin: float) -> tuple[float, float]:
        value = float(expit(beta * margin))
        return value, beta * value * (1 - value)

    return utility


class Ascent:
    """``sum_n u(margin_n(w))``, margin ``|x_n - NM|_w / 2 - |x_n - NH|_w / 2``.

    The norm is ``|z|_w = sqrt(sum_j w_j² z_j²)``, and the neighbors are the nearest under it.

    Parameters
    ----------
    rows : Rows or UnlikeRows
        The samples.
    y : ndarray of shape (n_samples,)
        Labels. Misses of all other classes are pooled.
    factor : ndarray of shape (n_features,) or None
        What the features are multiplied by.
    utility : callable
        From a margin to u and its derivative.
    """

    def __init__(
        self, rows: Rows | UnlikeRows, y: NDArray, factor: NDArray | None, utility: Utility
    ):
        self.rows, self.y, self.utility = rows, y, utility
        self.n_features = rows.n_features
        self.factor = np.ones(self.n_features) if factor is None else factor.astype(float)

    def gradient(self, w: NDArray, n: int) -> NDArray:
        """Gradient with respect to w of the utility of sample n, its neighbors held fixed."""
        hit, miss, to_hit, to_miss = self._neighbors(w, n)
        if not (0 < to_hit < np.inf and to_miss > 0):  # no hit, or no slope: the same values
            return np.zeros(self.n_features)
        _, slope = self.utility((to_miss - to_hit) / 2)
        difference = self._squares(n, miss) / to_miss - self._squares(n, hit) / to_hit
        return slope / 2 * difference * w

    def objective(self, w: NDArray) -> float:
        """Sum of the utilities of all samples that have a hit."""
        found = [self._neighbors(w, n)[2:] for n in range(len(self.y))]
        return sum(self.utility((far - near) / 2)[0] for near, far in found if near < np.inf)

    def _neighbors(self, w: NDArray, n: int) -> tuple[int, int, float, float]:
        """Nearest hit and miss of sample n and their distances, infinite if there is none."""
        d = self.rows.squares(self.rows.X[n], w * self.factor)
        same = self.y == self.y[n]
        hits = np.where(same, d, np.inf)
        hits[n] = np.inf
        misses = np.where(same, np.inf, d)
        hit, miss = int(hits.argmin()), int(misses.argmin())
        return hit, miss, float(np.sqrt(hits[hit])), float(np.sqrt(misses[miss]))

    def _squares(self, n: int, i: int) -> NDArray:
        """``(x_n - x_i)²`` of the scaled features."""
        return (self.rows.half_differences(n, i) * (2 * self.factor)) ** 2
