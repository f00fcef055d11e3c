"""The kernel width by samples held back from fits that are found roughly.

Leaving one sample out of its own fit would favor narrow kernels: the weights were found with it.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.noise import first_alpha
from hitmiss.lofe.path import FixedPoints
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.target import Target

Wrong = Callable[[FixedPoints, float, NDArray], NDArray]


def best_width(points: FixedPoints, sigmas: Sequence[float], usual: float, wrong: Wrong) -> float:
    """The width of lowest error, if that is clearly below the error of the usual one.

    Errors count by the weights of the samples. Where none can be held back it is the usual one.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigmas : sequence of float
        Widths, the widest first; of equal errors the first counts.
    usual : float
        One of them.
    wrong : callable
        From fixed points, a width and weights to whether the answer for each sample is wrong.
    """
    if not isinstance(points.problem.pairs, AllPairs):
        points = points.of_some()
    target = points.problem.target
    weights = np.ones(len(target)) if target.weights is None else target.weights
    share = weights[held_back_folds(target) >= 0]
    if not share.any():
        return usual
    share = share / share.sum()
    found = held_back(points, sigmas, wrong)
    best, known = int((found @ share).argmin()), list(sigmas).index(usual)
    gain = found[known] - found[best]
    doubt = np.linalg.norm(share * (gain - gain @ share))
    return float(sigmas[best] if gain @ share > heuristics.CLEARLY * doubt else usual)


def held_back(points: FixedPoints, sigmas: Sequence[float], wrong: Wrong) -> NDArray:
    """Whether the answer for each sample is wrong with weights found without it.

    The weights of a width lead to those of the next one. The strength of the penalty is that of the
    noise without weights.

    Parameters
    ----------
    points, sigmas, wrong
        As in `best_width`.

    Returns
    -------
    ndarray of shape (n_sigmas, n_samples)
        Without the samples that are never held back, since their class has too few others.
    """
    folds = held_back_folds(points.problem.target)
    answers = np.zeros((len(sigmas), len(folds)))
    for fold in range(heuristics.WIDTH_FOLDS):
        rest = points.of_rows(np.flatnonzero(folds != fold), heuristics.WIDTH_ITERATIONS)
        alpha = first_alpha(rest)
        found = rest.solve(sigmas[0], alpha)
        for k, sigma in enumerate(sigmas):
            found = rest.follow(sigma, alpha, found) if k else found
            answers[k, folds == fold] = wrong(points, sigma, found.w)[folds == fold]
    return answers[:, folds >= 0]


def held_back_folds(target: Target) -> NDArray:
    """The fold in which each sample is held back: every class has its share in each.

    -1 for samples of classes too small for that. Samples of one group are in one fold.

    Parameters
    ----------
    target : Target
        What is to be explained.
    """
    kinds, n_folds = target.kinds, heuristics.WIDTH_FOLDS
    order = np.random.default_rng(0).permutation(len(kinds))
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
