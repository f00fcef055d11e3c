"""Penalties: value and proximal step of a vector of weights."""

import numpy as np
from numpy.typing import NDArray


class L1:
    """``alpha * sum |w|``, with ``w >= 0`` if `positive`.

    Parameters
    ----------
    alpha : float
        Strength.
    positive : bool
        Whether negative weights are forbidden.
    """

    def __init__(self, alpha: float, *, positive: bool = True):
        self.alpha = alpha
        self.positive = positive

    @property
    def lower(self) -> float:
        """The smallest weight allowed."""
        return 0.0 if self.positive else -np.inf

    def value(self, w: NDArray) -> float:
        """Penalty of w."""
        return self.alpha * float(np.abs(w).sum())

    def prox(self, w: NDArray, step: float) -> NDArray:
        """``argmin_u |u - w|^2 / 2 + step * value(u)``."""
        shrunk = np.sign(w) * np.maximum(np.abs(w) - step * self.alpha, 0.0)
        return np.maximum(shrunk, self.lower)

    def violation(self, w: NDArray, gradient: NDArray) -> NDArray:
        """Distance of ``-gradient`` from the subdifferential at w, per weight."""
        at_zero = np.maximum(-gradient - self.alpha, 0.0)
        if not self.positive:
            at_zero = np.maximum(at_zero, gradient - self.alpha)
        return np.where(w == 0, at_zero, np.abs(gradient + self.alpha * np.sign(w)))
