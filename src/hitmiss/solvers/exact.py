"""Choice of the exact solver for a loss and a penalty, or one sentence why there is none."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from hitmiss.solvers import (
    Needs,
    Solution,
    fits,
    hinge_dual,
    missing,
    paper_descent,
    projected_newton,
    prox_gradient,
    prox_newton,
)

if TYPE_CHECKING:
    from hitmiss.losses import EnergyLoss, Weighted
    from hitmiss.penalties import Penalty


class Solver(NamedTuple):
    """A solver and what it needs."""

    needs: Needs
    solve: Callable[..., Solution]


# The first that fits is used: specialized solvers come before the general one. On real
# sets with 13 to 7,129 features `prox_gradient` finds what the three Newton solvers find, in up to
# 340 times the time, and `projected_newton` what `span_newton` finds, in 2 to 8 times.
SOLVERS = (
    Solver(prox_newton.NEEDS, prox_newton.unit_prox_newton),
    Solver(hinge_dual.NEEDS, hinge_dual.hinge_dual),
    Solver(projected_newton.SPAN_NEEDS, projected_newton.span_newton),
    Solver(projected_newton.NEEDS, projected_newton.projected_newton),
    Solver(prox_gradient.NEEDS, prox_gradient.prox_gradient),
)


def exact(
    A: NDArray, loss: "Weighted", penalty: "Penalty", *, tol: float, max_iter: int
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + penalty(w)`` by the first solver that fits the pair.

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
    solver = solver_for(loss.loss, penalty, A.shape)
    return solver.solve(A, loss, penalty, tol=tol, max_iter=max_iter)


def solver_for(loss: "EnergyLoss", penalty: "Penalty", shape: tuple[int, ...]) -> Solver:
    """The first solver that can take the pair with as many rows and features as `shape` says."""
    for solver in SOLVERS:
        if fits(solver.needs, loss, penalty) and (shape[0] <= shape[1] or not solver.needs.wide):
            return solver
    raise ValueError(_refusal_of_exact(loss, penalty))


def check_solvable(loss: "EnergyLoss", penalty: "Penalty", solver: str) -> None:
    """Raise an error if `solver`, "exact" or "paper", cannot do this loss with this penalty."""
    if solver == "paper":
        if not fits(paper_descent.NEEDS, loss, penalty):
            raise ValueError(_refusal_of_paper(loss, penalty))
    else:  # the number of rows is not known yet; a solver for few rows has a fallback
        solver_for(loss, penalty, shape=(1, 0))


def _refusal_of_paper(loss: Any, penalty: Any) -> str:
    cause = "the paper's pass keeps no bound; use solver='exact' or positive=False"
    absent = _absent(paper_descent.NEEDS, loss, penalty)
    if absent:
        cause = f"{absent}; add what is missing, or use solver='exact'"
    return f"solver='paper' cannot do {_pair(loss, penalty)}: {cause}."


def _refusal_of_exact(loss: Any, penalty: Any) -> str:
    """Explain why the most general solver cannot take the pair, and what to do."""
    paper = ", or solver='paper'" if fits(paper_descent.NEEDS, loss, penalty) else ""
    absent = _absent(prox_gradient.NEEDS, loss, penalty)
    if absent:
        cause = f"{absent}; add what is missing{paper}"
    elif missing(hinge_dual.NEEDS.loss, loss):
        cause = (
            "this loss has no derivative at its corner and is no hinge; "
            f"use a smooth loss such as 'log'{paper}"
        )
    else:
        cause = (
            "this loss has no derivative at its corner; "
            f"use loss='log', or penalty='l2' with positive=False{paper}"
        )
    return f"solver='exact' cannot do {_pair(loss, penalty)}: {cause}."


def _absent(needs: Needs, loss: Any, penalty: Any) -> str:
    """Name the attributes that a solver needs and the pair lacks."""
    parts = (("loss", missing(needs.loss, loss)), ("penalty", missing(needs.penalty, penalty)))
    return " and ".join(
        f"the {part} has no {' and no '.join(map(repr, names))}" for part, names in parts if names
    )


def _pair(loss: Any, penalty: Any) -> str:
    loss_name, penalty_name = (getattr(x, "name", type(x).__name__) for x in (loss, penalty))
    bound = " and positive=True" if getattr(penalty, "positive", False) else ""
    return f"loss={loss_name!r} with penalty={penalty_name!r}{bound}"
