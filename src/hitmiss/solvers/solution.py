"""What every solver returns."""

from typing import NamedTuple

from numpy.typing import NDArray


class Solution(NamedTuple):
    """Weights, how many iterations they took, and how far from optimal they are."""

    w: NDArray
    n_iter: int
    gap: float
    converged: bool
