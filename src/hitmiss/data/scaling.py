"""What becomes of a raw value before it is compared: a shift and a factor for every feature."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Part = slice | NDArray  # some features


class Scaling(NamedTuple):
    """Each feature as ``(x - center) * factor``; None leaves that step out.

    Shifting changes no difference, but keeps large values apart in single precision.
    """

    center: NDArray | None = None
    factor: NDArray | None = None

    @classmethod
    def by_range(cls, lowest: NDArray, highest: NDArray) -> "Scaling":
        """Every feature shifted to its middle and divided by its range; a constant becomes 0.

        Parameters
        ----------
        lowest, highest : ndarray of shape (n_features,)
            Smallest and largest value of every feature.

        Examples
        --------
        >>> Scaling.by_range(np.array([1.0, 5.0]), np.array([3.0, 5.0])).factor
        array([0.5, 0. ])
        """
        half = half_range(lowest, highest)
        return cls(lowest + half, _inverse(half))

    @classmethod
    def centered(cls, lowest: NDArray, highest: NDArray) -> "Scaling":
        """Every feature shifted to its middle.

        Parameters
        ----------
        lowest, highest : ndarray of shape (n_features,)
            Smallest and largest value of every feature.
        """
        return cls(lowest + half_range(lowest, highest), None)

    def at(self, part: Part) -> "Scaling":
        """The scaling of some of the features."""
        if self is UNSCALED:
            return self
        center, factor = self
        return Scaling(
            None if center is None else center[part], None if factor is None else factor[part]
        )


UNSCALED = Scaling()


def range_factor(lowest: NDArray, highest: NDArray) -> NDArray:
    """1 over the range of every feature, 0 for a constant."""
    return _inverse(half_range(lowest, highest))


def _inverse(half: NDArray) -> NDArray:
    """1 over twice these numbers, 0 where that is not finite."""
    with np.errstate(divide="ignore", over="ignore"):
        factor = 0.5 / half
    factor[~np.isfinite(factor)] = 0.0
    return factor


def half_range(lowest: NDArray, highest: NDArray) -> NDArray:
    """Half of ``highest - lowest``, which itself may overflow."""
    return highest * 0.5 - lowest * 0.5
