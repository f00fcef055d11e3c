"""One normalized gradient step per sample, as in the FREL paper (Algorithm 1)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.solvers.needs import Needs
from hitmiss.solvers.solution import Solution

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L1, L2

NEEDS = Needs(loss=("derivative",), penalty=("gradient", "lower"), smooth=False, bound=False)


def single_pass(A: NDArray, loss: "Loss", penalty: "L1 | L2", n_samples: int) -> Solution:
    """``w <- w - g / |g|`` from ``w = 1``, with g the gradient of one sample after the other.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_features)
        The rows of sample i are i, i + n_samples, ...
    loss, penalty : objects
        See `hitmiss.losses` and `hitmiss.penalties`; `loss` includes the weight 1/n.
    n_samples : int
        Number of samples.

    Returns
    -------
    Solution
        With an unknown gap: the pass ends where it ends.
    """
    w, numbers = np.ones(A.shape[1]), np.zeros(len(A))
    for i in range(n_samples):
        rows = A[i::n_samples].astype(float)
        numbers[i::n_samples] = rows @ w
        gradient = loss.derivative(numbers)[i::n_samples] @ rows + penalty.gradient(w)
        length = np.linalg.norm(gradient)
        if length > 0:
            w -= gradient / length
    return Solution(w, n_samples, np.nan, True)
