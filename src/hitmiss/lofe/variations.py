"""Other supports near that of a fixed point, as starts that may lead lower.

With a narrow kernel few neighbors count, and a fixed point may lack a feature, or have one too
many, that no start with weights for all features tells. So its features are left out one by one,
others stand alone or in pairs, and those without a weight get one.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Iteration
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.starts import spread
from hitmiss.lofe.steps import Steps


def lower_weights(
    features: InMemory,
    problem: Problem,
    w: NDArray,
    gradient: NDArray,
    objective: float,
    steps: Steps,
) -> NDArray | None:
    """Weights of a fixed point of some features that is lower than a known one, if one is found.

    Parameters
    ----------
    features : InMemory
        Some features.
    problem : Problem
        What is solved.
    w, gradient : ndarray of shape (n_features,)
        Weights of the known fixed point, and the gradient there.
    objective : float
        Its objective.
    steps : Steps
        The functions that take time.
    """
    best, near = None, heuristics.BACK_AGAIN * np.linalg.norm(w)
    for start in list(variations(features, problem, w, gradient))[: n_affordable(features)]:
        found = Iteration(
            features, problem, start, record=_nothing, move=steps.move, newton=steps.newton
        ).run(
            tol=heuristics.VARIED_TOL,
            max_iter=heuristics.VARIED_ITERATIONS,
            enough=lambda u: bool(np.linalg.norm(u - w) <= near),
        )
        lower = found.point.objective < objective * (1 - heuristics.VARIED_GAIN)
        if found.converged and lower:
            best, objective = found.point.w, found.point.objective
    return best


def variations(
    features: InMemory, problem: Problem, w: NDArray, gradient: NDArray
) -> Iterator[NDArray]:
    """Starts near w: uniform weights, w without each of its largest, single features, pairs.

    Parameters
    ----------
    features : InMemory
        Some features.
    problem : Problem
        What is solved.
    w, gradient : ndarray of shape (n_features,)
        Weights of a fixed point, and the gradient there.
    """
    local, *more = (local_weights(features, problem, factor) for factor in heuristics.VARIED_LOCAL)
    yield from (local, *more)
    if 0 < np.count_nonzero(w) < len(w):
        yield np.where(w == 0, local, 0.0)
    by_weight = np.argsort(-w, kind="stable")[: np.count_nonzero(w)]
    if len(by_weight) > 1:
        yield from (
            np.where(np.arange(len(w)) == k, 0.0, w) for k in by_weight[: heuristics.N_VARIED]
        )
    by_gradient = np.argsort(-gradient, kind="stable")
    for size in (1, 2):
        for few in combinations(by_gradient[: heuristics.N_TOGETHER], size):
            start, index = np.zeros(len(w)), np.array(few)
            start[index] = local_weights(features.columns(index), problem, heuristics.ALONE_LOCAL)
            yield start


def local_weights(features: InMemory, problem: Problem, factor: float) -> NDArray:
    """Uniform weights under which distances deviate by so many widths of the kernel."""
    return np.full(features.n_features, factor * problem.sigma / spread(features))


def n_affordable(features: InMemory) -> int:
    """How many starts are tried: all of few samples, none of very many."""
    return heuristics.VARIED_WORK // (features.n_samples**2 * max(features.n_features, 1))


def _nothing(**row: object) -> None:
    """No record: these starts are not those of a fit."""
