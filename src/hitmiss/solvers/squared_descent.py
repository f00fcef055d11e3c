"""Gradient descent on the square roots of the weights, as in the LOFE paper (eq. 9 and 10)."""

from typing import TYPE_CHECKING

from numpy.typing import NDArray

from hitmiss.solvers.tolerances import ARMIJO, SMALLEST_RATE

if TYPE_CHECKING:
    from hitmiss.losses import Loss


def squared_descent(
    Z: NDArray,
    loss: "Loss",
    alpha: float,
    v: NDArray,
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
) -> NDArray:
    """Descend ``sum_n loss(Z_n . v^2) + alpha sum v^2`` from v.

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
