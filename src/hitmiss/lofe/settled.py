"""The fixed point on the few features with a weight, near one that is known."""

from typing import NamedTuple

from numpy.typing import NDArray

from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.newton import root
from hitmiss.lofe.problem import Problem


class Settled(NamedTuple):
    """A fixed point on the features with a weight, in double precision."""

    w: NDArray
    gradient: NDArray
    pull: NDArray  # of every sample
    objective: float
    distance: float  # from the exact one, about
    n_steps: int


def settle(features: InMemory, problem: Problem, w: NDArray, tol: float) -> Settled | None:
    """The fixed point of a few features near weights that are nearly right, or None.

    Parameters
    ----------
    features : InMemory
        The features with a weight, in double precision.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights, positive.
    tol : float
        Distance from the fixed point, over the length of w, that is near enough.
    """
    found = root(features, problem, w, tol=tol)
    if found is None:
        return None
    w, here = found.w, found.here
    return Settled(
        w=w,
        gradient=here.excess + problem.penalty.gradient(w),
        pull=problem.pull(here.margins),
        objective=problem.objective(here.margins, w),
        distance=found.distance,
        n_steps=found.n_steps,
    )
