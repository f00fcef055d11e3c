"""Penalties: value, slope and proximal step of a vector of weights."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Penalty(Protocol):
    """A penalty: it is convex, and its bound, if any, is kept by `prox`.

    Optional attributes, which `L1` and `L2` have:

    - `gradient`, the derivative, or where there is none the subgradient nearest to 0, and
      `lower`, the smallest weight allowed or ``-inf``: both for ``solver="paper"``;
    - `pure_l1` or `pure_l2`, a float: over ``w >= lower`` the penalty is this number times
      ``sum |w|``, or times ``sum w^2``, and nothing else. The problem is then solved by Newton's
      method if the loss has a curvature; it also asks for `lower`, `violation` and, with
      `pure_l1`, `times` or, with `pure_l2`, `gradient`;
    - `name`, for messages.
    """

    def value(self, w: NDArray) -> float:
        """Penalty of w."""
        ...

    def prox(self, w: NDArray, step: float) -> NDArray:
        """``argmin_u |u - w|^2 / 2 + step * value(u)``."""
        ...


class L1:
    """``alpha * sum |w|``, with ``w >= 0`` if `positive`.

    Parameters
    ----------
    alpha : float
        Strength.
    positive : bool
        Whether negative weights are forbidden.
    """

    name = "l1"

    def __init__(self, alpha: float, *, positive: bool = True):
        self.alpha = alpha
        self.positive = positive

    @property
    def lower(self) -> float:
        """The smallest weight allowed."""
        return 0.0 if self.positive else -np.inf

    @property
    def pure_l1(self) -> float:
        """The strength, which tells a solver that this is an L1 penalty and nothing else."""
        return _strength(self, L1)

    def times(self, factor: float) -> "L1":
        """The same penalty times a factor."""
        return L1(factor * self.alpha, positive=self.positive)

    def value(self, w: NDArray) -> float:
        """Penalty of w."""
        return self.alpha * float(np.abs(w).sum())

    def gradient(self, w: NDArray) -> NDArray:
        """``alpha * sign(w)``, 0 at 0."""
        return self.alpha * np.sign(w)

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


class L2:
    """``alpha * sum w^2``, with ``w >= 0`` if `positive`.

    Parameters
    ----------
    alpha : float
        Strength.
    positive : bool
        Whether negative weights are forbidden.
    """

    name = "l2"

    def __init__(self, alpha: float, *, positive: bool = False):
        self.alpha = alpha
        self.positive = positive

    @property
    def lower(self) -> float:
        """The smallest weight allowed."""
        return 0.0 if self.positive else -np.inf

    @property
    def pure_l2(self) -> float:
        """The strength, which tells a solver that this is an L2 penalty and nothing else."""
        return _strength(self, L2)

    def times(self, factor: float) -> "L2":
        """The same penalty times a factor."""
        return L2(factor * self.alpha, positive=self.positive)

    def value(self, w: NDArray) -> float:
        """Penalty of w."""
        return self.alpha * float(w @ w)

    def gradient(self, w: NDArray) -> NDArray:
        """``2 alpha w``."""
        return 2 * self.alpha * w

    def prox(self, w: NDArray, step: float) -> NDArray:
        """``argmin_u |u - w|^2 / 2 + step * value(u)``."""
        return np.maximum(w / (1 + 2 * step * self.alpha), self.lower)

    def violation(self, w: NDArray, gradient: NDArray) -> NDArray:
        """Distance of ``-gradient`` from the subdifferential at w, per weight."""
        slope = gradient + self.gradient(w)
        return np.where(w > self.lower, np.abs(slope), np.maximum(-slope, 0.0))


def _strength(penalty: L1 | L2, kind: type) -> float:
    """The alpha of a penalty of exactly this class, if positive: solvers divide by it."""
    if type(penalty) is kind and penalty.alpha > 0:
        return penalty.alpha
    raise AttributeError("a subclass may be another penalty, and one of strength 0 is none")


PENALTIES: dict[str, type[L1] | type[L2]] = {"l1": L1, "l2": L2}
