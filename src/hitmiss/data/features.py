"""Features: the few questions that every method asks of the data, wherever these are.

With far more features than samples the data is cut along features. Labels, kernel widths and
starts are unknown here: the questions are about pairs of samples and their weights.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.extremes import Extremes
from hitmiss.data.pair_weights import Neighbors, PairWeights
from hitmiss.data.scaling import Part, Scaling

if TYPE_CHECKING:
    from hitmiss.data.in_memory import InMemory


class Features(Protocol):
    """Samples by features, each feature as its `scaling` says.

    The scaling also says how far a missing value is from any other, and nominal values from each
    other, where the formulas below have ``|x_nj - x_ij|``.

    An implementation that wraps another holds it and passes questions on. Where a question takes
    `index`, ascending, the answer is about these features only; None stands for all.
    """

    n_samples: int
    n_features: int
    dtype: np.dtype  # float32 or float64: the precision of the work
    scaling: Scaling
    workers: Workers
    room: float  # bytes that may be held beside the data

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        ...

    def scaled(self, scaling: Scaling) -> Self:
        """The same raw values with another scaling."""
        ...

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        ...

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        ...

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        ...

    def squares(self, Q: Neighbors, weight: NDArray, index: Part | None = None) -> NDArray:
        """``sum_n weight_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z.

        Parameters
        ----------
        Q : Neighbors
            Signed probabilities of the neighbors.
        weight : ndarray of shape (n_samples,)
            Weights of the samples.
        index : slice or ndarray, optional
            Some of the features, ascending; all by default.
        """
        ...

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> "InMemory":
        """Some features, scaled, in memory."""
        ...

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values."""
        ...
