"""The strength of the penalty that the evidence prefers."""

from collections.abc import Callable

import numpy as np

from hitmiss.lofe import heuristics
from hitmiss.lofe.evidence import best_alpha, bound_evidence, stronger_alphas
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Evidence, Fit, evaluate
from hitmiss.losses import Logistic


def by_evidence(
    fixed_points: FixedPoints, sigma: float, kind: str, begin: float = heuristics.BEGIN
) -> Fit:
    """Tune alpha by its evidence.

    The evidence may have several maxima, since some features help only together. So a coarse grid
    is evaluated first, then the neighborhood of its best point.

    Parameters
    ----------
    fixed_points : FixedPoints
        Of the data.
    sigma : float
        Kernel width.
    kind : {"evidence", "bound"}
        Local evidence, or the paper's bound.
    begin : float
        A point of the grid.

    Returns
    -------
    Fit
        By local evidence the strongest penalty whose evidence is not clearly below the best, by the
        bound the best one; with its evidence.
    """
    if kind == "bound" and not isinstance(fixed_points.problem.plain_loss, Logistic):
        raise ValueError("The bound on the evidence holds for the logistic loss only.")
    if kind == "bound" and fixed_points.problem.target.weights is not None:
        raise ValueError("The bound on the evidence takes no sample weights; use alpha='evidence'.")

    def weighed(found: Fit) -> Fit:
        return found._replace(evidence=_evidence(fixed_points, found, kind))

    def solved(alpha: float) -> Fit:
        return weighed(fixed_points.solve(sigma, alpha))

    rough = _best_of_grid(solved, begin, fixed_points.largest_alpha(sigma))
    if not rough.w.any():
        return rough

    def slope(alpha: float) -> float:
        return weighed(fixed_points.follow(sigma, alpha, rough)).evidence.slope

    best = best_alpha(slope, rough.alpha, heuristics.STRIDE, heuristics.ACCURACY)
    answer = solved(best)
    if kind == "evidence":
        for alpha in stronger_alphas(slope, best):
            stronger = solved(alpha)
            loss = answer.evidence.log_evidence - stronger.evidence.log_evidence
            if loss < heuristics.DOUBT:
                return stronger
    return answer


def _evidence(fixed_points: FixedPoints, found: Fit, kind: str) -> Evidence:
    features = fixed_points.features
    problem = fixed_points.problem.replaced(sigma=found.sigma, alpha=found.alpha)
    if kind == "evidence":
        return fixed_points.steps.evidence(features, problem, found.w)
    Z = evaluate(features, problem, found.w).Z.astype(float)
    return bound_evidence(Z[problem.target.has_hit], found.alpha)[0]


def _best_of_grid(solve: Callable[[float], Fit], begin: float, largest: float) -> Fit:
    """The point of largest evidence, from strong to weak penalties until it falls for good.

    The answer is w = 0 if no penalty that leaves a weight has larger evidence.
    """
    if largest <= 0:
        return solve(begin)
    stride = heuristics.STRIDE
    first = np.floor(np.log(largest / begin) / np.log(stride))
    seen: list[Fit] = []
    for k in range(heuristics.N_STRIDES):
        seen.append(solve(begin * stride ** (first - k)))
        best = int(np.argmax([fit.evidence.log_evidence for fit in seen]))
        falling = all(fit.evidence.slope > 0 for fit in seen[-2:])
        if best < len(seen) - 2 and falling and seen[-1].w.any():
            break
    return max(solve(largest), seen[best], key=lambda fit: fit.evidence.log_evidence)
