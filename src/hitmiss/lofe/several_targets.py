"""What fixed points of several targets on the same features share: every class against the rest."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.views import Observed
from hitmiss.lofe.sample_levels import alike_within_classes, sample_levels
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import AnyTarget, Classes


def several_targets(
    features: Features, target: AnyTarget, unit: Callable[[], NDArray]
) -> dict[str, Any]:
    """How the fixed points of one of several targets are looked for.

    Of few samples, or of samples whose weights differ within a class or of which not all may be
    compared, as ever, but with the distances that serve for every target. Of thousands the search
    begins with some, whose distances take no time.

    Parameters
    ----------
    features : Features
        All features.
    target : Classes or PairTarget
        One class against the rest.
    unit : callable
        Finds, once, the distances under unit weights.

    Returns
    -------
    dict
        Arguments of `FixedPoints`, and the pairs of its problem.
    """
    levels: list[NDArray] = []
    if isinstance(target, Classes) and alike_within_classes(target):
        levels = sample_levels(target)
    if not levels or isinstance(features, Observed):
        return {"pairs": AllPairs(unit())}
    return {"pairs": AllPairs(), "levels": levels, "mix": True}
