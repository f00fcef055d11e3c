"""Starts beside the uniform ones, where these do not explain much."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.candidate import Candidate, lowest
from hitmiss.lofe.starts import top
from hitmiss.lofe.variations import lower_weights
from hitmiss.lofe.working_sets import WorkingSets
from hitmiss.neighbors.pairs import AllPairs


def other_starts(
    sets: WorkingSets,
    found: list[Candidate],
    start: float | NDArray,
    first: NDArray,
) -> list[Candidate]:
    """Candidates from other starts, as long as none explains much; none is certified.

    In this order: from a stronger penalty, from a narrower kernel, from what is left when the worst
    features go, again and again, quickly or with care, and from the best by parts of all features.

    Parameters
    ----------
    sets : WorkingSets
        Of the problem.
    found : list of Candidate
        Where the given starts have led.
    start : float or ndarray of shape (n_features,)
        The first of these.
    first : ndarray of shape (n_starts, n_features)
        The gradients at w = 0 with the neighbors of each.
    """
    n_given, others = len(found), []
    if not lowest(found).settled:
        others.append(_sparse(sets, n_given, start, first[0]))
    if sets.unexplained([*found, *others]):
        others.append(_sharp(sets, n_given + 1, lowest([*found, *others])))
    if sets.unexplained([*found, *others]):
        others += _pruned(sets, n_given + 2, first[-1])
    if sets.unexplained([*found, *others]):
        others += _from_parts(sets, n_given + 2, first[-1])
    return others


def varied_starts(sets: WorkingSets, k: int, found: list[Candidate]) -> list[Candidate]:
    """Candidates from supports near the best so far that lead lower, if the kernel is narrow.

    Parameters
    ----------
    sets : WorkingSets
        Of the problem.
    k : int
        Number of such a start.
    found : list of Candidate
        Where other starts have led.
    """
    others: list[Candidate] = []
    if sets.problem.sigma > heuristics.NARROW_KERNEL:
        return others
    for _ in range(heuristics.VARIED_ROUNDS):
        best = lowest([*found, *others])
        near = top(best.gradient, heuristics.VARIED_FEATURES)
        some = np.union1d(np.flatnonzero(best.w), near)
        w = lower_weights(
            sets.features.columns(best.wide[some]),
            sets.problem,
            best.w[some],
            best.gradient[some],
            best.objective,
            sets.steps,
        )
        if w is None:
            break
        others.append(Candidate(k, best.wide, np.zeros(len(best.wide))))
        others[-1].w[some] = w
        sets.begin(others[-1])
    return others


def from_weaker(sets: WorkingSets, shares: Sequence[float], best: Candidate) -> list[Candidate]:
    """Start from what explains much at a share of the penalty, if anything does.

    Features that make sense only together may be lost on the way from the starts to a strong
    penalty, at which they have a fixed point of far lower objective. What the best candidate
    so far has of them leads to the others.

    Parameters
    ----------
    sets : WorkingSets
        Of the problem.
    shares : sequence of float
        Shares of the penalty.
    best : Candidate
        The lowest so far.
    """
    sets.check(best, sets.problem)
    for share in shares:
        problem = sets.problem.replaced(alpha=share * sets.problem.alpha)
        candidate = Candidate(best.start, best.wide, best.w)
        sets.work(candidate, problem)
        if candidate.objective <= heuristics.UNEXPLAINED * problem.null_objective:
            sets.begin(candidate)
            return [candidate]
    return []


def _sparse(sets: WorkingSets, k: int, start: float | NDArray, c: NDArray) -> Candidate:
    """Start from the fixed point of a stronger penalty, which few features survive."""
    candidate, alpha = sets.candidate(k, start, c), sets.problem.alpha
    stronger = min(heuristics.SPARSER * alpha, heuristics.SURVIVED * c.max())
    problem = sets.problem.replaced(alpha=max(alpha, stronger))
    for _ in range(heuristics.SPARSE_ROUNDS):
        sets.work(candidate, problem)
        sets.check(candidate, problem)
        if candidate.certified:
            break
    sets.begin(candidate)
    return candidate


def _sharp(sets: WorkingSets, k: int, best: Candidate) -> Candidate:
    """Start from where more local neighbors lead the best candidate so far."""
    w = best.w if best.w.any() else np.ones(len(best.w))
    candidate = Candidate(k, best.wide, w)
    problem = sets.problem.replaced(sigma=sets.problem.sigma / heuristics.SHARPER)
    wide = sets.features.columns(candidate.wide)
    sets.iterate(candidate, problem, wide, max_iter=heuristics.WIDE_ITERATIONS)
    sets.begin(candidate)
    return candidate


def _pruned(sets: WorkingSets, k: int, c: NDArray) -> list[Candidate]:
    """Start from the few features left when the worst ones go, again and again.

    Among many features, those that make sense only together are hardly better than noise.
    With every round neighbors depend less on noise, and they stand out more. No candidates
    if there are so many samples that hardly a feature could be looked at, or if weights do
    not change the neighbors.
    """
    n, candidates = sets.features.n_samples, []
    for share, n_values, n_pair_elements in heuristics.PRUNINGS:
        size = min(n_values // n, n_pair_elements // n**2)
        if size < 2 * heuristics.LEFT or np.isinf(sets.problem.sigma):
            continue
        candidates.append(_begun(sets, k, c, top(c, size), share))
    return candidates


def _from_parts(sets: WorkingSets, k: int, c: NDArray) -> list[Candidate]:
    """Start from the features that do best with the neighbors of a part of all features.

    Among so many features pruning may lose one of a pair in its first round. No candidates of
    few features, which pruning is for, or where the passes would take long.
    """
    n, finite = sets.features.n_samples, not np.isinf(sets.problem.sigma)
    many = heuristics.PART_FEATURES <= len(c) <= heuristics.PART_WORK // n**2
    scores = sets.steps.part_scores
    if not (many and finite and scores and isinstance(sets.problem.pairs, AllPairs)):
        return []
    score, share = scores(sets.features, sets.problem), heuristics.PRUNINGS[-1][0]
    candidates: list[Candidate] = []
    for size in heuristics.PART_BEST:
        candidates.append(_begun(sets, k, c, top(score, size), share))
        if not sets.unexplained(candidates):
            break
    return candidates


def _begun(sets: WorkingSets, k: int, c: NDArray, some: NDArray, share: float) -> Candidate:
    """Start from what pruning leaves of some features."""
    kept, weight = sets.steps.prune(sets.features, sets.problem, some, share)
    wide = np.union1d(kept, top(c, heuristics.WIDE))
    candidate = Candidate(k, wide, np.isin(wide, kept) * weight)
    sets.begin(candidate)
    return candidate
