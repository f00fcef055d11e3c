"""Losses: value, derivative and curvature of a vector of margins."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit


class Loss(Protocol):
    """What a solver asks of a loss; every method takes and returns an array of one per sample."""

    def value(self, margins: NDArray) -> NDArray:
        """Loss."""
        ...

    def derivative(self, margins: NDArray) -> NDArray:
        """First derivative."""
        ...

    def curvature(self, margins: NDArray) -> NDArray:
        """Second derivative."""
        ...


class Logistic:
    """``log(1 + exp(-m))``, the loss of LOFE (eq. 7) and of FREL's log energy."""

    def value(self, margins: NDArray) -> NDArray:
        """Loss of each margin."""
        return np.logaddexp(0.0, -margins)

    def derivative(self, margins: NDArray) -> NDArray:
        """``-1 / (1 + exp(m))``."""
        return -expit(-margins)

    def curvature(self, margins: NDArray) -> NDArray:
        """``s (1 - s)`` with s the logistic function of the margin."""
        return expit(margins) * expit(-margins)
