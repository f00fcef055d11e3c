"""Losses: value, derivative and curvature of one number per row.

A row is a vector with one entry per feature, and its number is its product with the weights. Some
losses read the margins of the samples, ``m = E' - E``; the others read the energies themselves,
that is first the distance E of every sample to its hit, then the distance E' of every sample to
its miss. Both are sums over rows, so a solver needs to know neither samples nor energies.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

LARGEST_EXPONENT = 700.0  # exp of more overflows


class Loss(Protocol):
    """A loss for Newton's method; its methods take and return an array of one per row."""

    def value(self, margins: NDArray) -> NDArray:
        """Loss."""
        ...

    def derivative(self, margins: NDArray) -> NDArray:
        """First derivative."""
        ...

    def curvature(self, margins: NDArray) -> NDArray:
        """Second derivative."""
        ...


class EnergyLoss(Protocol):
    """A loss of `FREL`: it is convex, and its methods are as in `Loss`.

    Optional attributes:

    - `curvature`, the second derivative, as in `Loss`: the problem is then solved by Newton's
      method if the penalty is one of `hitmiss.penalties`;
    - `pure_hinge`, a float: the loss is ``max(0, pure_hinge - m)`` of the margins and nothing else;
    - `margin`, if the loss is a dataclass: None is replaced by the distance between the miss and
      the hit of each sample;
    - `name`, for messages.

    Attributes
    ----------
    reads : {"margins", "energies"}
        Input of its methods: one margin per sample, or the energies of all hits followed
        by those of all misses.
    smooth : bool
        Whether the derivative is continuous.
    """

    reads: str
    smooth: bool

    def value(self, margins: NDArray) -> NDArray:
        """Loss."""
        ...

    def derivative(self, margins: NDArray) -> NDArray:
        """First derivative."""
        ...


class Logistic:
    """``log(1 + exp(-m))``, the loss of LOFE (eq. 7) and of FREL's log energy."""

    name, reads, smooth = "log", "margins", True

    def value(self, margins: NDArray) -> NDArray:
        """Loss of each margin."""
        return np.logaddexp(0.0, -margins)

    def derivative(self, margins: NDArray) -> NDArray:
        """``-1 / (1 + exp(m))``."""
        return -expit(-margins)

    def curvature(self, margins: NDArray) -> NDArray:
        """``s (1 - s)`` with s the logistic function of the margin."""
        return expit(margins) * expit(-margins)


@dataclass(frozen=True)
class Hinge:
    """``max(0, margin - m)``; at the corner the derivative from the left is taken."""

    margin: float = 1.0
    name, reads, smooth = "hinge", "margins", False

    @property
    def pure_hinge(self) -> float:
        """The margin, which tells a solver that this is a hinge and nothing else."""
        if type(self) is Hinge:
            return self.margin
        raise AttributeError("a subclass may be another loss")

    def value(self, margins: NDArray) -> NDArray:
        """Loss of each margin."""
        return np.maximum(self.margin - margins, 0.0)

    def derivative(self, margins: NDArray) -> NDArray:
        """-1 up to the corner, 0 beyond."""
        return np.where(margins <= self.margin, -1.0, 0.0)

    def curvature(self, margins: NDArray) -> NDArray:
        """Zero, except at the corner, where there is none."""
        return np.zeros_like(margins)


@dataclass(frozen=True)
class SquareSquare:
    """``E^2 + max(0, margin - E')^2``.

    Parameters
    ----------
    margin : float or ndarray of shape (n_samples,), optional
        None stands for the distance between the miss and the hit of each sample, which FREL
        fills in.
    """

    margin: float | NDArray | None = None
    name, reads, smooth = "square", "energies", True

    def value(self, energies: NDArray) -> NDArray:
        """Loss of each energy."""
        hits, gaps = self._parts(energies)
        return np.concatenate([hits**2, gaps**2])

    def derivative(self, energies: NDArray) -> NDArray:
        """``2 E`` and ``-2 max(0, margin - E')``."""
        hits, gaps = self._parts(energies)
        return np.concatenate([2 * hits, -2 * gaps])

    def curvature(self, energies: NDArray) -> NDArray:
        """2, but 0 for a miss beyond the margin."""
        hits, gaps = self._parts(energies)
        return np.concatenate([np.full_like(hits, 2.0), np.where(gaps > 0, 2.0, 0.0)])

    def _parts(self, energies: NDArray) -> tuple[NDArray, NDArray]:
        hits, misses = np.split(energies, 2)
        margin = 1.0 if self.margin is None else self.margin
        return hits, np.maximum(margin - misses, 0.0)


@dataclass(frozen=True)
class SquareExponential:
    """``E^2 + zeta exp(-E')``."""

    zeta: float = 1.0
    name, reads, smooth = "square-exp", "energies", True

    def value(self, energies: NDArray) -> NDArray:
        """Loss of each energy."""
        hits, push = self._parts(energies)
        return np.concatenate([hits**2, push])

    def derivative(self, energies: NDArray) -> NDArray:
        """``2 E`` and ``-zeta exp(-E')``."""
        hits, push = self._parts(energies)
        return np.concatenate([2 * hits, -push])

    def curvature(self, energies: NDArray) -> NDArray:
        """2 and ``zeta exp(-E')``."""
        hits, push = self._parts(energies)
        return np.concatenate([np.full_like(hits, 2.0), push])

    def _parts(self, energies: NDArray) -> tuple[NDArray, NDArray]:
        hits, misses = np.split(energies, 2)
        return hits, self.zeta * np.exp(np.minimum(-misses, LARGEST_EXPONENT))


@dataclass(frozen=True)
class Weighted:
    """Another loss, each row times a weight of its own."""

    loss: EnergyLoss
    weight: NDArray

    def times(self, factor: float) -> "Weighted":
        """The same loss times a factor."""
        return Weighted(self.loss, factor * self.weight)

    def value(self, margins: NDArray) -> NDArray:
        """Weighted loss."""
        return self.weight * self.loss.value(margins)

    def derivative(self, margins: NDArray) -> NDArray:
        """Weighted first derivative."""
        return self.weight * self.loss.derivative(margins)

    def curvature(self, margins: NDArray) -> NDArray:
        """Weighted second derivative."""
        return self.weight * self.loss.curvature(margins)  # type: ignore[attr-defined]


LOSSES: dict[str, EnergyLoss] = {
    "log": Logistic(),
    "square": SquareSquare(),
    "hinge": Hinge(),
    "square-exp": SquareExponential(),
}
