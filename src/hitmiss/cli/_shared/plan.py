"""Plan of the measurements of `hitmiss select`, within the time allowed."""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.task import are_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 60.0  # seconds for measurements that were not requested: about what users wait for
AGAIN = 3  # times to repeat the timing of a fit if it decides: the first fit of a process loads
# compiled code, for a second or two, and the very first one compiles it
TIMING = 20.0  # seconds at most for that
N_FOLDS, N_PERMUTATIONS, N_SUBSAMPLES = 5, 20, 20
# In fits, as measured on five data sets from 60 x 10 to 72 x 7,129, those of LOFE on twelve from
# 60 x 10 to 102 x 12,600:
LOFE_PERMUTATION = 2.5  # 0.7 to 2.3, since the statistic of LOFE is found along a path
# 0.3 to 1.8 if the kernel width is chosen anew for each permutation: the fit, which then takes
# several times as long, chooses one too, and there is only one path
TUNED_PERMUTATION = 2.0
PERMUTATION = 1.0  # of other methods: at most 2, where a fit takes longer than a tenth of a second
PART = 1.5  # a fit on a part of the samples: 0.7 to 1.6, on noise up to 3.1
ATTRIBUTION = 6.0  # for each selected feature and one more: 1.0 to 6.1, once 8.4, on ten data sets
CLASSIFICATION = 0.05  # seconds to classify the samples left out by nearest neighbors

LOFES = ("LOFE", "LOFERegressor", "LOFESurvival")

PARTS = ("cross-validation", "permutations", "attribution", "subsamples")  # in this order


class Depth(StrEnum):
    """Amount of measuring beyond what is requested by number."""

    quick = "quick"  # nothing
    usual = "usual"  # what fits into a minute
    thorough = "thorough"  # everything


@dataclass(frozen=True)
class Wanted:
    """Numbers of folds, permutations and subsamples; None leaves them to the depth."""

    n_folds: int | None = None
    n_permutations: int | None = None
    n_subsamples: int | None = None
    depth: Depth = Depth.usual
    attribution: bool = False  # measured only if it is asked for

    def asked(self) -> dict[str, int | None]:
        """The number of each part that was asked for."""
        attribution = int(self.attribution)
        numbers = (self.n_folds, self.n_permutations, attribution, self.n_subsamples)
        return dict(zip(PARTS, numbers, strict=True))


@dataclass(frozen=True)
class Plan:
    """Number of folds, permutations and subsamples, their time limit, and what is left out."""

    numbers: dict[str, int]
    seconds: dict[str, float]
    left_out: dict[str, float]  # with the seconds it would take

    @property
    def remark(self) -> str | None:
        """The sentence that says what is not measured, and what it would cost."""
        if not self.left_out:
            return None
        parts = (f"{name} (about {duration(time)})" for name, time in self.left_out.items())
        left_out = ", ".join(parts)
        return f"Not measured within a minute: {left_out}; --thorough measures everything."


def check_reachable(fdr: float, n_permutations: int | None) -> None:
    """Raise an error if no q-value can be as small as `fdr`."""
    n = N_PERMUTATIONS if n_permutations is None else n_permutations
    if n and fdr * (n + 1) < 1:
        least = ceil(round(1 / fdr, 9)) - 1
        raise InputError(f"--fdr {fdr:g} needs --permutations {least} or more.")


def plan(wanted: Wanted, estimator: Any, seconds: float, y: "NDArray") -> Plan:
    """Choose what to measure.

    Parts requested by number are always measured, the rest according to the depth.

    Parameters
    ----------
    wanted : Wanted
        What was asked for.
    estimator : estimator
        The method, fitted.
    seconds : float
        Time of a fit to all samples.
    y : array of shape (n_samples,)
        Class labels.
    """
    asked, usual = wanted.asked(), _usual(y)
    numbers = {name: usual[name] if n is None else n for name, n in asked.items()}
    costs = {name: numbers[name] * cost for name, cost in _costs(estimator, seconds).items()}
    if wanted.attribution:  # a place for each selected feature, and an empty one
        costs["attribution"] *= 1 + int(estimator.get_support().sum())
    taken: dict[str, float] = {}
    unasked = 0.0  # seconds of the parts not requested, to which the limit applies
    for name in PARTS:
        fits = unasked + costs[name] <= LIMIT
        by_depth = wanted.depth is Depth.thorough or (wanted.depth is Depth.usual and fits)
        if numbers[name] and (asked[name] is not None or by_depth):
            taken[name] = costs[name]
            unasked += costs[name] if asked[name] is None else 0.0
    left = {name: cost for name, cost in costs.items() if cost and name not in taken}
    return Plan(
        {name: numbers[name] if name in taken else 0 for name in PARTS},
        taken,
        {} if wanted.depth is Depth.quick else left,
    )


def duration(seconds: float) -> str:
    """The time in words, rounded up.

    Examples
    --------
    >>> duration(41), duration(61), duration(7300)
    ('41 s', '2 min', '2.1 h')
    """
    if seconds <= 60:
        return f"{ceil(seconds)} s"
    if seconds <= 3600:
        return f"{ceil(seconds / 60)} min"
    return f"{ceil(seconds / 360) / 10:g} h"


def _usual(y: "NDArray") -> dict[str, int]:
    """Numbers of the parts; fewer folds where a class has fewer samples."""
    import numpy as np

    if not are_classes(y):
        return dict(zip(PARTS, (min(N_FOLDS, len(y) // 2), N_PERMUTATIONS, 0, 0), strict=True))
    sizes = np.unique(y, return_counts=True)[1]
    n_folds = min(N_FOLDS, max(2, sizes.min()), sizes.max())
    numbers = (int(n_folds) if n_folds > 1 else 0, N_PERMUTATIONS, 0, N_SUBSAMPLES)
    return dict(zip(PARTS, numbers, strict=True))


def _costs(estimator: Any, seconds: float) -> dict[str, float]:
    """Seconds of one fold, one permutation, one place of the attribution and one subsample."""
    weigher = estimator.base if type(estimator).__name__ == "Markers" else estimator
    permutation = PERMUTATION
    if type(weigher).__name__ in LOFES:
        permutation = TUNED_PERMUTATION if weigher.sigma == "auto" else LOFE_PERMUTATION
    part = PART * seconds + CLASSIFICATION
    return dict(zip(PARTS, (part, permutation * seconds, ATTRIBUTION * seconds, part), strict=True))
