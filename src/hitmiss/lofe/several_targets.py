"""What fixed points of several targets on the same features share: every class against the rest."""

from typing import Any

from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.observed import Observed
from hitmiss.lofe import heuristics
from hitmiss.lofe.pulling_rows import PullingRows
from hitmiss.lofe.sample_levels import sample_levels
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import AnyTarget, Classes


class SharedPairs(AllPairs):
    """All pairs in a matrix, where Newton's method is cheap enough for more features."""

    cheap_moments = heuristics.DERIVED_FEATURES


def several_targets(
    features: Features, target: AnyTarget, unit: NDArray, tol: float
) -> dict[str, Any]:
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
    tol : float
        Relative tolerance of the fixed point.

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
    return {"pairs": SharedPairs(unit), "steps": PullingRows(tol).steps(), "levels": levels}
