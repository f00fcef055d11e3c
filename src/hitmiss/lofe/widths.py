"""The kernel width by samples held back from fits that are found roughly.

Leaving one sample out of its own fit would favor narrow kernels: the weights were found with it.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import first_smallest
from hitmiss.lofe import heuristics
from hitmiss.lofe.noise import first_alpha, stepped
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Fit
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.target import Target

Wrong = Callable[[FixedPoints, float, NDArray], NDArray]


def best_width(points: FixedPoints, sigmas: Sequence[float], usual: float, wrong: Wrong) -> float:
    """The width of lowest error, if that is clearly below the error of the usual one.

    Every class counts the same, and samples in it by their weights. Where none can be held back it
    is the usual one.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigmas : sequence of float
        Widths beside the usual one; of equal errors the first counts.
    usual : float
        Width that leads to the others.
    wrong : callable
        From fixed points, a width and weights to whether the answer for each sample is wrong.
    """
    if not isinstance(points.problem.pairs, AllPairs):
        points = points.of_some()
    share = share_of_samples(points.problem.target)
    if not share.any():
        return usual
    known, *others = held_back(points, (usual, *sigmas), wrong)
    best = int(first_smallest([errors @ share for errors in others]))
    gain = known - others[best]
    doubt = np.linalg.norm(share * (gain - gain @ share))
    return float(sigmas[best] if gain @ share > heuristics.CLEARLY * doubt else usual)


def held_back(points: FixedPoints, sigmas: Sequence[float], wrong: Wrong) -> NDArray:
    """How often the answer for each sample is wrong with weights found without it.

    The first width is searched for from all starts and leads to each of the others; the strength
    of the penalty is found at every width by noise, without the weaker ones that `by_noise` tries.

    Parameters
    ----------
    points : FixedPoints
        Of all samples, with a matrix of pairs.
    sigmas : sequence of float
        Widths.
    wrong : callable
        As in `best_width`.

    Returns
    -------
    ndarray of shape (n_sigmas, n_samples)
        Share of the draws; 0 of samples that are never held back.
    """
    found = np.zeros((len(sigmas), len(points.problem.target)))
    for draw in range(heuristics.WIDTH_DRAWS):
        folds = held_back_folds(points.problem.target, draw)
        for fold in range(heuristics.WIDTH_FOLDS):
            out = folds == fold
            rest = points.of_rows(np.flatnonzero(~out), heuristics.WIDTH_ITERATIONS)
            for k, fit in enumerate(_rough_fits(rest, sigmas)):
                found[k, out] += wrong(points, fit.sigma, fit.w)[out]
    return found / heuristics.WIDTH_DRAWS


def _rough_fits(rest: FixedPoints, sigmas: Sequence[float]) -> Iterator[Fit]:
    alpha = first_alpha(rest)
    first = rest.solve(sigmas[0], alpha)
    yield stepped(rest, sigmas[0], first)
    for sigma in sigmas[1:]:
        yield stepped(rest, sigma, rest.follow(sigma, alpha, first))


def share_of_samples(target: Target) -> NDArray:
    """How much each sample counts: every class the same, nothing those that are not held back.

    Parameters
    ----------
    target : Target
        What is to be explained.
    """
    weights = np.ones(len(target)) if target.weights is None else target.weights
    weights = np.where(held_back_folds(target) >= 0, weights, 0.0)
    in_all = np.bincount(target.kinds, weights)[target.kinds]
    share = np.divide(weights, in_all, out=np.zeros(len(weights)), where=in_all > 0)
    return share / max(share.sum(), 1.0)


def held_back_folds(target: Target, draw: int = 0) -> NDArray:
    """The fold in which each sample is held back: every class has its share in each.

    -1 for samples of classes too small for that. Samples of one group are in one fold.

    Parameters
    ----------
    target : Target
        What is to be explained.
    draw : int
        Which of many ways to deal them out.
    """
    kinds, n_folds = target.kinds, heuristics.WIDTH_FOLDS
    order = np.random.default_rng(draw).permutation(len(kinds))
    groups = getattr(getattr(target, "comparable", None), "groups", None)
    if groups is not None:
        _, first, codes = np.unique(groups[order], return_index=True, return_inverse=True)
        folds = np.empty(len(kinds), int)
        folds[order] = np.argsort(np.argsort(first))[codes] % n_folds
        return folds
    by_kind = order[np.argsort(kinds[order], kind="stable")]
    folds = np.empty(len(kinds), int)
    folds[by_kind] = np.arange(len(kinds)) % n_folds
    folds[np.bincount(kinds)[kinds] < n_folds] = -1
    return folds
