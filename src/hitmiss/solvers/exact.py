"""The exact solver for a loss and a penalty, or one sentence why there is none."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.solvers.hinge_dual import hinge_dual
from hitmiss.solvers.projected_newton import projected_newton
from hitmiss.solvers.prox_newton import prox_newton
from hitmiss.solvers.solution import Solution
from hitmiss.solvers.span_newton import span_newton

if TYPE_CHECKING:
    from hitmiss.losses import EnergyLoss, Weighted
    from hitmiss.penalties import Penalty


def check_solvable(loss: "EnergyLoss", penalty: "Penalty", solver: str) -> None:
    """An error if `solver` cannot do this loss with this penalty."""
    pair = f"loss={loss.name!r} with penalty={penalty.name!r}"
    bound = " and positive=True" if penalty.positive else ""
    if solver == "paper" and penalty.positive:
        raise ValueError(
            f"solver='paper' cannot do {pair}{bound}: the paper's pass keeps no bound; "
            "use solver='exact' or positive=False."
        )
    if solver == "exact" and penalty.name not in ("l1", "l2"):
        raise ValueError(
            f"solver='exact' cannot do {pair}{bound}: it knows the penalties 'l1' and 'l2'; use "
            "one of these or solver='paper'."
        )
    if solver == "exact" and not loss.smooth and (penalty.name != "l2" or penalty.positive):
        raise ValueError(
            f"solver='exact' cannot do {pair}{bound}: this loss has no derivative at its corner; "
            "use loss='log', or penalty='l2' with positive=False, or solver='paper'."
        )


def exact(
    A: NDArray, loss: "Weighted", penalty: "Penalty", *, tol: float, max_iter: int
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + penalty(w)`` by the solver that fits the pair.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_features)
        One row per number that the loss reads.
    loss, penalty : objects
        A pair that `check_solvable` lets pass.
    tol : float
        Largest optimality gap allowed, as each solver defines it.
    max_iter : int
        Bound on the number of iterations.

    Returns
    -------
    Solution
    """
    limits: Any = {"tol": tol, "max_iter": max_iter}
    if penalty.name == "l1":  # scaled to alpha = 1, what the tolerances inside are made for
        unit: Any = penalty.times(1 / penalty.alpha)
        start = np.zeros(A.shape[1])
        return prox_newton(A, loss.times(1 / penalty.alpha), unit, start, **limits)
    if not loss.smooth:
        return hinge_dual(A, loss, penalty, **limits)
    if penalty.positive or A.shape[0] > A.shape[1]:
        return projected_newton(A, loss, penalty, **limits)
    return span_newton(A, loss, penalty, **limits)
