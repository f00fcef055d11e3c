"""What fixed points of several targets on the same features share: every class against the rest."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.observed import Observed
from hitmiss.lofe import heuristics
from hitmiss.lofe.accelerated import Accelerated
from hitmiss.lofe.steps import Steps
from hitmiss.lofe.tile_moves import matrix_gradient, tile_move
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import AnyTarget, Classes

STEPS = Steps(move=tile_move, gradient=matrix_gradient, iterate=Accelerated)


def several_targets(features: Features, target: AnyTarget, unit: NDArray) -> dict[str, Any]:
    """How the fixed points of one of several targets are looked for.

    Of few samples, or of samples with weights or of which not all may be compared, as ever, but
    with the distances that serve for every target.

    Parameters
    ----------
    features : Features
        All features.
    target : Classes or PairTarget
        One class against the rest.
    unit : ndarray of shape (n_samples, n_samples)
        Distances under unit weights.

    Returns
    -------
    dict
        Arguments of `FixedPoints`, and the pairs of its problem.
    """
    levels: list[NDArray] = []
    if isinstance(target, Classes) and target.weights is None:
        levels = sample_levels(target)
    if not levels or isinstance(features, Observed):
        return {"pairs": AllPairs(unit)}
    return {"pairs": AllPairs(unit), "steps": STEPS, "levels": levels}


def sample_levels(target: Classes) -> list[NDArray]:
    """Samples with which a search goes on and, last, begins: ascending, always the same.

    Parameters
    ----------
    target : Classes
        Of each class as large a share is taken, but not too few.

    Returns
    -------
    list of ndarray of int
        Each among those before; none if there are few samples.
    """
    rng, counts = np.random.default_rng(0), target.counts
    drawn = [rng.permutation(np.flatnonzero(target.codes == c)) for c in range(len(counts))]
    levels = []
    for size in sorted(heuristics.LEVELS, reverse=True):
        if 2 * size <= len(target):
            shares = np.ceil(size * counts / len(target)).astype(int)
            taken = np.minimum(np.maximum(shares, heuristics.LEAST_OF_CLASS), counts)
            rows = np.concatenate([of[:n] for of, n in zip(drawn, taken, strict=True)])
            levels.append(np.sort(rows))
    return levels
