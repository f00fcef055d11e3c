"""Simba's margin of one sample under weights, and its gradient."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss._util.ties import first_smallest
from hitmiss.data.one_sample import Rows, UnlikeRows
from hitmiss.targets.classes import AnyTarget

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
    """``sum_n a_n u(margin_n(w))``, margin ``|x_n - NM|_w / 2 - |x_n - NH|_w / 2``.

    The norm is ``|z|_w = sqrt(sum_j w_j² z_j²)``, and the neighbors are the nearest under it.

    Parameters
    ----------
    rows : Rows or UnlikeRows
        The samples.
    target : Classes or PairTarget
        Misses of all other classes are pooled. The utility of a sample counts by its weight.
    factor : ndarray of shape (n_features,) or None
        Scale of the features.
    utility : callable
        From a margin to u and its derivative.
    """

    def __init__(
        self,
        rows: Rows | UnlikeRows,
        target: AnyTarget,
        factor: NDArray | None,
        utility: Utility,
    ):
        self.rows, self.target, self.utility = rows, target, utility
        self.weights = np.ones(len(target)) if target.weights is None else target.weights
        self.n_features = rows.n_features
        self.factor = np.ones(self.n_features) if factor is None else factor.astype(float)

    def gradient(self, w: NDArray, n: int) -> NDArray:
        """Gradient with respect to w of the utility of sample n, its neighbors held fixed."""
        hit, miss, to_hit, to_miss = self._neighbors(w, n)
        if not (0 < to_hit < np.inf and 0 < to_miss < np.inf):  # no margin, or one without slope
            return np.zeros(self.n_features)
        _, slope = self.utility((to_miss - to_hit) / 2)
        difference = self._squares(n, miss) / to_miss - self._squares(n, hit) / to_hit
        return float(self.weights[n]) * slope / 2 * difference * w

    def objective(self, w: NDArray) -> float:
        """Sum of the utilities of all samples that have a margin."""
        found = [self._neighbors(w, n)[2:] for n in range(len(self.target))]
        return sum(
            float(a) * self.utility((far - near) / 2)[0]
            for a, (near, far) in zip(self.weights, found, strict=True)
            if near < np.inf and far < np.inf
        )

    def _neighbors(self, w: NDArray, n: int) -> tuple[int, int, float, float]:
        """Nearest hit and miss of sample n and their distances, infinite if there is none."""
        d = self.rows.squares(self.rows.X[n], w * self.factor)
        is_hit, is_miss = (mask[0] for mask in self.target.is_neighbor(slice(n, n + 1)))
        hits, misses = np.where(is_hit, d, np.inf), np.where(is_miss, d, np.inf)
        hit, miss = (int(first_smallest(of)) for of in (hits, misses))
        return hit, miss, float(np.sqrt(hits[hit])), float(np.sqrt(misses[miss]))

    def _squares(self, n: int, i: int) -> NDArray:
        """``(x_n - x_i)²`` of the scaled features."""
        return (self.rows.half_differences(n, i) * (2 * self.factor)) ** 2
