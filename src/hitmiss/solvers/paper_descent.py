"""The descents of the papers: FREL's single pass, and LOFE's on the roots of the weights."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hitmiss.solvers import Needs, Solution

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L1, L2

NEEDS = Needs(loss=("derivative",), penalty=("gradient", "lower"), smooth=False, bound=False)


def single_pass(A: NDArray, loss: "Loss", penalty: "L1 | L2", n_samples: int) -> Solution:
    """One step ``w <- w - g / |g|`` per sample, from ``w = 1``: FREL's Algorithm 1.

    Here g is the gradient of the sample's loss and of the penalty.

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


ARMIJO = 1e-4  # share of the predicted decrease: a convention
SMALLEST_RATE = 1e-20  # a step this short changes no weight: a convention


def squared_descent(
    Z: NDArray,
    loss: "Loss",
    alpha: float,
    v: NDArray,
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
) -> NDArray:
    """Descend ``sum_n loss(Z_n . v^2) + alpha sum v^2`` from v: LOFE's eq. 9 and 10.

    The paper asks for a line search and says no more. Here the rate starts at 1, doubles after
    each step, and is halved until Armijo's condition holds; the descent ends when a step lowers
    the objective by less than `tol` of its value.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Margin vectors.
    loss : object
        See `hitmiss.losses`.
    alpha : float
        Strength of the penalty.
    v : ndarray of shape (n_features,)
        Start; a zero stays zero.
    tol : float
        Smallest relative decrease of a step that is followed by another.
    max_iter : int
        Bound on the number of steps.

    Returns
    -------
    v : ndarray of shape (n_features,)
        Square roots of the weights, up to sign.
    """

    def objective(v: NDArray) -> float:
        w = v**2
        return float(loss.value(Z @ w).sum() + alpha * w.sum())

    rate, value = 1.0, objective(v)
    for _ in range(max_iter):
        direction = (alpha + loss.derivative(Z @ v**2) @ Z) * v  # half the gradient
        decrease = 2 * ARMIJO * float(direction @ direction)
        while not (after := objective(v - rate * direction)) <= value - rate * decrease:
            rate /= 2
            if rate < SMALLEST_RATE:
                return v
        v = v - rate * direction
        if value - after < tol * value:
            return v
        value, rate = after, 2 * rate
    return v
