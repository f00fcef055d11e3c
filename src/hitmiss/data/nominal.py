"""Nominal features: two values differ by 1 if they are not the same.

That is half the Manhattan distance of indicator columns, one for each level. Here a nominal
feature stays one column: its levels are whole numbers, multiplied by two, and no difference is
larger than 1. So it takes the room and the time of one number, however many its levels.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.extremes import Extremes
from hitmiss.data.features import Features
from hitmiss.data.scaling import Scaling, half_range

APART = 2.0  # what whole numbers are multiplied by: levels stay apart by more than 1, if rounded


def column_scaling(found: Extremes, *, by_range: bool) -> Scaling:
    """The scaling of numbers with these extremes, some of them missing or not.

    Parameters
    ----------
    found : Extremes
        Of the raw values.
    by_range : bool
        Whether features are divided by their range.

    Examples
    --------
    >>> from hitmiss.data.extremes import extremes_of
    >>> X = np.array([[0.0, 1.0], [4.0, np.nan], [2.0, 5.0]])
    >>> column_scaling(extremes_of(X), by_range=False).gap
    array([nan,  4.])
    """
    ends = found.lowest, found.highest
    scaling = Scaling.by_range(*ends) if by_range else Scaling.centered(*ends)
    if not found.n_missing.any():
        return scaling
    spread = 1.0 if by_range else 2 * half_range(*ends).astype(float)
    return scaling._replace(gap=found.mean_difference * spread)


def nominal_scaling(
    features: Features, found: Extremes, scaling: Scaling, index: NDArray, names: NDArray | None
) -> Scaling:
    """The scaling with some features taken as nominal.

    Two levels next to each other are numbers already: their difference is at most 1.

    Parameters
    ----------
    features : Features
        The raw values.
    found : Extremes
        Of these.
    scaling : Scaling
        Of numbers.
    index : ndarray of int
        The nominal features, ascending; they hold whole numbers.
    names : ndarray of str, optional
        Names of the features, for errors.
    """
    factor = (
        np.ones(len(found.lowest), features.dtype) if scaling.factor is None else scaling.factor
    )
    factor, cap = factor.copy(), np.full(len(factor), np.inf)
    gap = np.full(len(factor), np.nan) if scaling.gap is None else scaling.gap.copy()
    several = index[2 * half_range(found.lowest[index], found.highest[index]) > 1]
    factor[several], cap[several] = APART, 1.0
    size = max(1, sizes.FEW_VALUES // features.n_samples)
    for k in range(0, len(index), size):
        some = index[k : k + size]
        levels = features.columns(some, float).X
        _check_whole(levels, some, names)
        holes = np.flatnonzero(found.n_missing[some])
        gap[some[holes]] = [share_unlike(levels[:, k]) for k in holes]
    return Scaling(
        scaling.center,
        factor,
        gap if found.n_missing.any() else None,
        cap if len(several) else None,
    )


def share_unlike(levels: NDArray) -> float:
    """The share of all pairs of observed levels that are not the same, 0 without a pair.

    Parameters
    ----------
    levels : ndarray of shape (n_samples,)
        Codes, NaN where they are missing.

    Examples
    --------
    >>> share_unlike(np.array([0.0, 0.0, 1.0, 2.0, np.nan])) * 6
    5.0
    """
    counts = np.unique(levels[~np.isnan(levels)], return_counts=True)[1].astype(float)
    n = counts.sum()
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1))) if n > 1 else 0.0


def _check_whole(levels: NDArray, index: NDArray, names: NDArray | None) -> None:
    broken = np.rint(levels) != levels  # so is NaN, which is missing
    if not broken.any() or not (broken := broken & ~np.isnan(levels)).any():
        return
    k = int(broken.any(axis=0).argmax())
    feature = f"feature {index[k]}" if names is None else f"feature {names[index[k]]!r}"
    raise ValueError(
        f"The nominal {feature} holds {levels[broken[:, k], k][0]:g}; give its levels as whole "
        "numbers or as words."
    )
